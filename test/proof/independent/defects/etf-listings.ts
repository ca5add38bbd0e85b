import type { Hooks } from '../conduct/hooks.ts';
import { isObject, type JsonObject } from '../core/json.ts';

import { LISTED, SYMBOLS } from '../data/etfs.ts';
import type { Defect } from './defect.ts';
import { codeOf, failure, plain, rewriting, subtle, SUMMARY, said } from './tools.ts';

function refused(symbol: string, country: string): Hooks {
  return {
    reply: (call, reply) =>
      call.template === SUMMARY &&
      reply.status === 200 &&
      call.query.get('symbol')?.toUpperCase() === symbol &&
      call.query.get('country_code')?.toUpperCase() === country
        ? failure(
            400,
            400001,
            `Unsupported ETF category: symbol=${symbol}, country_code=${country}`,
          )
        : undefined,
  };
}

/** Changes the refusal of a symbol that a country does not list. */
function unlisted(change: (body: JsonObject, symbol: string) => void): Hooks {
  return {
    reply: (call, reply) => {
      const { body } = reply;
      if (
        call.template === SUMMARY &&
        isObject(body) &&
        said(body['message']).startsWith('Unsupported')
      ) {
        change(body, call.query.get('symbol')?.toUpperCase() ?? '');
      }
      return undefined;
    },
  };
}

/** Changes the refusal of a symbol that does not exist. */
function unknown(change: (body: JsonObject) => void): Hooks {
  return {
    reply: (call, reply) => {
      const { body } = reply;
      if (
        call.template === SUMMARY &&
        isObject(body) &&
        body['message'] === 'Invalid parameter: symbol'
      )
        change(body);
      return undefined;
    },
  };
}

const UNLISTED = SYMBOLS.filter((symbol) => !LISTED.HK.includes(symbol));

/** Defects of symbols, countries and their refusals. */
export const ETF_LISTINGS: readonly Defect[] = [
  ...SYMBOLS.map((symbol) =>
    subtle(
      `summary-${symbol.toLowerCase()}-us-refused`,
      `${symbol} in the US is refused.`,
      refused(symbol, 'US'),
    ),
  ),
  ...LISTED.HK.map((symbol) =>
    subtle(
      `summary-${symbol.toLowerCase()}-hk-refused`,
      `${symbol} in Hong Kong is refused.`,
      refused(symbol, 'HK'),
    ),
  ),
  ...UNLISTED.map((symbol) =>
    subtle(
      `summary-${symbol.toLowerCase()}-hk-accepted`,
      `${symbol} in Hong Kong gives an empty list instead of a refusal.`,
      {
        reply: (call, reply) =>
          call.template === SUMMARY &&
          codeOf(reply) === 400001 &&
          call.query.get('symbol')?.toUpperCase() === symbol
            ? { status: 200, headers: {}, body: [] }
            : undefined,
      },
    ),
  ),
  plain(
    'summary-symbol-case',
    'Symbols in lower case are refused.',
    rewriting(SUMMARY, 'symbol', (value) => (value === value.toUpperCase() ? value : 'no')),
  ),
  subtle(
    'summary-symbol-mixed-case',
    'Symbols in mixed case are refused.',
    rewriting(SUMMARY, 'symbol', (value) =>
      value === value.toUpperCase() || value === value.toLowerCase() ? value : 'no',
    ),
  ),
  plain(
    'summary-country-case',
    'Countries in lower case are refused.',
    rewriting(SUMMARY, 'country_code', (value) => (value === value.toUpperCase() ? value : 'no')),
  ),
  plain('summary-symbol-any', 'A symbol that does not exist gives an empty list.', {
    reply: (call, reply) =>
      call.template === SUMMARY &&
      codeOf(reply) === 400003 &&
      call.query.get('country_code') !== 'GB'
        ? { status: 200, headers: {}, body: [] }
        : undefined,
  }),
  plain(
    'summary-country-any',
    'A country that does not exist gives the rows of the US.',
    rewriting(SUMMARY, 'country_code', (value) => (/^(us|hk)$/i.test(value) ? value : 'US')),
  ),
  plain('summary-country-optional', 'country_code may be left out.', {
    query: (call) => {
      if (call.template === SUMMARY && !call.query.has('country_code'))
        call.query.set('country_code', 'US');
    },
  }),
  plain('summary-symbol-optional', 'symbol may be left out.', {
    query: (call) => {
      if (call.template === SUMMARY && !call.query.has('symbol')) call.query.set('symbol', 'BTC');
    },
  }),
  plain('summary-country-ignored', 'The rows of the US come for Hong Kong too.', {
    values: (call) => {
      if (call.template === SUMMARY && LISTED.HK.includes(said(call.values['symbol'])))
        call.values['country_code'] = 'US';
    },
  }),
  plain('summary-symbol-ignored', 'The rows of BTC come for every symbol.', {
    values: (call) => {
      if (call.template === SUMMARY && call.values['country_code'] === 'US')
        call.values['symbol'] = 'BTC';
    },
  }),
  subtle('summary-eth-is-btc', 'The rows of BTC come for ETH.', {
    values: (call) => {
      if (call.template === SUMMARY && call.values['symbol'] === 'ETH')
        call.values['symbol'] = 'BTC';
    },
  }),
  plain(
    'summary-unlisted-code',
    'An unlisted symbol is refused with 400003.',
    unlisted((body) => {
      body['code'] = 400003;
    }),
  ),
  subtle(
    'summary-unlisted-code-dot',
    'DOT in Hong Kong is refused with 400003.',
    unlisted((body, symbol) => {
      if (symbol === 'DOT') body['code'] = 400003;
    }),
  ),
  plain(
    'summary-unlisted-message',
    'The refusal of an unlisted symbol names no country.',
    unlisted((body, symbol) => {
      body['message'] = `Unsupported ETF category: symbol=${symbol}`;
    }),
  ),
  plain(
    'summary-unlisted-words',
    'The refusal of an unlisted symbol has words of its own.',
    unlisted((body) => {
      body['message'] = 'ETF not available in this country';
    }),
  ),
  subtle(
    'summary-unlisted-swapped',
    'The refusal of an unlisted symbol swaps symbol and country.',
    unlisted((body, symbol) => {
      body['message'] = `Unsupported ETF category: symbol=HK, country_code=${symbol}`;
    }),
  ),
  plain(
    'summary-unknown-code',
    'A symbol that does not exist is refused with 400001.',
    unknown((body) => {
      body['code'] = 400001;
    }),
  ),
  plain(
    'summary-unknown-message',
    'The refusal of a symbol that does not exist names it wrongly.',
    unknown((body) => {
      body['message'] = 'Invalid parameter: ticker';
    }),
  ),
  plain(
    'summary-constraint-missing',
    'The refusal of a symbol that does not exist has no list.',
    unknown((body) => {
      body['details'] = { field: 'symbol' };
    }),
  ),
  subtle(
    'summary-constraint-short',
    'The list of symbols in the refusal lacks DOT.',
    unknown((body) => {
      body['details'] = { ...(body['details'] as JsonObject), constraint: SYMBOLS.slice(0, 9) };
    }),
  ),
];
