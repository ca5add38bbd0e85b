import type { Dimension } from './dimension.ts';

/** How identifiers, figures, times, texts and lists are written. */
export const FORM_CHOICES = {
  'currency-ids': {
    title: 'Form of currency ids',
    values: ['numeric', 'slug', 'symbol', 'symbol-lower', 'uuid', 'beyond-2-53', 'prefixed', 'hex'],
  },
  'id-check': { title: 'Ids of another form', values: ['unknown', 'malformed'] },
  'currency-list': {
    title: 'The list of currencies',
    values: [
      'objects',
      'id-and-symbol',
      'symbol-first',
      'numeric-id',
      'list-object',
      'paged',
      'texts',
      'needs-parameter',
      'by-symbol',
    ],
  },
  'etf-list': {
    title: 'The list of ETFs',
    values: ['objects', 'id-and-symbol', 'nested', 'needs-parameter', 'texts', 'code-and-name'],
  },
  'stock-list': {
    title: 'The list of stocks',
    values: [
      'objects',
      'id-and-symbol',
      'list-object',
      'exchange-prefixed',
      'texts',
      'needs-parameter',
    ],
  },
  'index-list': {
    title: 'The list of indices',
    values: ['objects', 'id-and-name', 'texts', 'list-object', 'needs-parameter'],
  },
  'sector-list': {
    title: 'The list of sectors',
    values: ['names', 'display-and-path', 'texts', 'with-members', 'needs-parameter'],
  },
  'event-list': {
    title: 'The calendar of events',
    values: ['by-date', 'flat', 'list-object', 'texts', 'needs-parameter', 'display-and-path'],
  },
  'project-list': {
    title: 'The list of projects',
    values: ['paged', 'array', 'id-and-slug', 'needs-parameter'],
  },
  'chart-fields': { title: 'Fields of a chart', values: ['with-time', 'without-time'] },
  'chart-data': {
    title: 'Data of one chart',
    values: ['rows', 'columns', 'list-object', 'empty', 'needs-parameter'],
  },
  'ticker-case': { title: 'Case of tickers in paths', values: ['folded', 'exact'] },
  'index-tickers': { title: 'Form of index tickers', values: ['upper', 'mixed', 'slashed'] },
  'event-names': { title: 'Form of event names', values: ['words', 'slug', 'unicode', 'signs'] },
  'chart-names': { title: 'Form of chart names', values: ['slug', 'words', 'unicode', 'signs'] },
  exchanges: { title: 'Exchange filter', values: ['name', 'folded', 'slug', 'name-or-slug'] },
  decimals: { title: 'BigDecimal', values: ['number', 'text', 'long-text', 'by-field'] },
  numbers: {
    title: 'Numbers on the wire',
    values: ['plain', 'point-zero', 'exponent', 'many-digits'],
  },
  'text-times': {
    title: 'Timestamps that are texts',
    values: ['iso', 'ms', 'seconds', 'date', 'words', 'iso-offset'],
  },
  'long-times': { title: 'Timestamps without a stated unit', values: ['ms', 'seconds'] },
  names: {
    title: 'Names and texts',
    values: ['plain', 'emoji', 'rtl', 'markup', 'long', 'controls'],
  },
  'extra-fields': { title: 'Fields of its own', values: ['none', 'everywhere', 'one-record'] },
  'key-order': { title: 'Order of fields', values: ['as-listed', 'shuffled'] },
  percent: { title: 'Percentages as texts', values: ['number', 'sign', 'empty'] },
  verified: { title: 'Verification of authors', values: ['mixed', 'null', 'zero'] },
  'macro-dates': {
    title: 'Dates of macro rows',
    values: ['dashes', 'compact', 'iso', 'ms-text', 'words'],
  },
  'macro-range': {
    title: 'Dates a macro range may be sent in',
    values: ['dashes-too', 'own-only'],
  },
  'etf-volume': {
    title: 'Volume of ETF rows',
    values: ['text-of-value', 'shares', 'rounded-text', 'text-with-zeros'],
  },
} as const satisfies Record<string, Dimension>;
