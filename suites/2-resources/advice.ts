import type { Advice } from '../../src/requirements/definition.ts';

export const NON_NEGATIVE: Advice = {
  why: 'Negative prices, volumes and counts break sums and charts.',
  usually: ['A missing value is stored as -1.', 'An unsigned counter overflowed.'],
};

export const IDENTIFIER_ECHO: Advice = {
  why: 'Clients store a record with a different identifier under the wrong asset.',
  usually: [
    'The record comes from a cache whose key lacks the identifier or ignores its letter case.',
    'An internal id is returned instead of the public one.',
  ],
};

export const URLS: Advice = {
  why: 'Clients put these values into links and images: other text breaks them, and a `javascript:` URL is a vulnerability.',
  usually: [
    'A relative path or a bare domain is passed through.',
    'Several URLs are in one string, separated by commas.',
  ],
};

export const CONTRADICTING_FIGURES: Advice = {
  why: 'Contradictory figures in one record come from different times or units.',
  usually: [
    'The fields come from different sources, or from caches of different ages.',
    'One of the fields is in a different currency or unit, such as thousands, percent, or tokens instead of USD.',
  ],
};
