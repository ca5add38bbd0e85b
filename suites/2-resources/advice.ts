import type { Advice } from '../../src/requirements/definition.ts';

export const NON_NEGATIVE: Advice = {
  why: 'Prices, volumes and counts below zero turn sums and charts upside down.',
  usually: ['A missing value is stored as -1.', 'An unsigned counter ran over.'],
};

export const IDENTIFIER_ECHO: Advice = {
  why: 'A record that names another asset than the one asked for will be filed under the wrong one.',
  usually: [
    'The record comes from a cache whose key leaves out the identifier or its case.',
    'An internal id is put out instead of the public one.',
  ],
};

export const URLS: Advice = {
  why: 'Readers put these into links and images; a text that is no URL, or a javascript: one, is a hole.',
  usually: [
    'A relative path or a bare domain is passed on.',
    'Several addresses stand in one text, separated by commas.',
  ],
};

export const CONTRADICTING_FIGURES: Advice = {
  why: 'Figures of one record that contradict each other show that they were not taken at one time, or not in one unit.',
  usually: [
    'The fields come from different sources or caches of different ages.',
    'One is in another currency or unit: thousands, percent, tokens instead of USD.',
    'The extreme is updated once a day, and a new one was reached meanwhile.',
  ],
};
