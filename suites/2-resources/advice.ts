import type { Advice } from '../../src/requirements/definition.ts';

export const NON_NEGATIVE: Advice = {
  why: 'Negative prices, volumes and counts break sums and charts.',
  usually: ['A missing value is stored as -1.', 'An unsigned counter overflowed.'],
};

export const IDENTIFIER_ECHO: Advice = {
  why: 'A record with a different identifier is stored under the wrong asset.',
  usually: [
    'The record comes from a cache whose key lacks the identifier or its case.',
    'An internal id is returned instead of the public one.',
  ],
};

export const URLS: Advice = {
  why: 'Clients put these into links and images: other text breaks them, and a javascript: URL is a vulnerability.',
  usually: [
    'A relative path or a bare domain is passed through.',
    'Several URLs are in one string, separated by commas.',
  ],
};

export const CONTRADICTING_FIGURES: Advice = {
  why: 'Contradictory figures in one record come from different times or units.',
  usually: [
    'The fields come from different sources or caches of different ages.',
    'One is in a different currency or unit: thousands, percent, tokens instead of USD.',
    'The extreme is updated once a day, and a new one was reached since.',
  ],
};
