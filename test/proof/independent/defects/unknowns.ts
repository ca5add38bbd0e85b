import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';

import type { Defect } from './defect.ts';
import {
  answer,
  codeOf,
  ECONOMICS,
  failure,
  FUNDRAISING,
  INFO,
  KLINES,
  PAIRS,
  plain,
  SNAPSHOT,
  subtle,
  recoded,
  restated,
} from './tools.ts';

function unknownCurrency(
  template: string,
  change: (call: Call) => ReturnType<typeof failure>,
): Hooks {
  return {
    reply: (call, reply) =>
      call.template === template && codeOf(reply) === 400401 ? change(call) : undefined,
  };
}

const CURRENCY_PATHS: readonly (readonly [string, string])[] = [
  ['info', INFO],
  ['snapshot', SNAPSHOT],
  ['economics', ECONOMICS],
  ['klines', KLINES],
  ['pairs', PAIRS],
  ['fundraising', FUNDRAISING],
];

/** Defects of what does not exist. */
export const UNKNOWNS: readonly Defect[] = [
  ...CURRENCY_PATHS.flatMap(([name, template]) => [
    plain(
      `${name}-unknown-message`,
      `GET ${template} has another message for an unknown currency.`,
      unknownCurrency(template, (call) =>
        failure(404, 400401, 'No such coin', { currency_id: call.path['currency_id'] }),
      ),
    ),
    subtle(
      `${name}-unknown-code`,
      `GET ${template} has code 400402 for an unknown currency.`,
      unknownCurrency(template, () => failure(404, 400402, 'Currency not found')),
    ),
    plain(
      `${name}-unknown-empty`,
      `GET ${template} answers 200 to an unknown currency.`,
      unknownCurrency(template, () =>
        answer(
          200,
          template === KLINES
            ? []
            : template === PAIRS
              ? { list: [], page: 1, page_size: 20, total: 0 }
              : {},
        ),
      ),
    ),
    subtle(
      `${name}-unknown-crash`,
      `GET ${template} answers 500 to an unknown currency.`,
      unknownCurrency(template, () => failure(500, 500001, 'Internal server error')),
    ),
  ]),
  plain('unknown-status-400', 'An unknown currency is refused with 400.', restated(400401, 400)),
  plain('wrong-path-code', 'A wrong path has code 400401.', recoded(400402, 400401)),
  plain('wrong-path-status', 'A wrong path is answered with 400.', restated(400402, 400)),
  plain('wrong-path-200', 'A wrong path is answered with 200 and an empty object.', {
    reply: (_call, reply) => (codeOf(reply) === 400402 ? answer(200, {}) : undefined),
  }),
  plain('wrong-path-html', 'A wrong path is answered with a page.', {
    reply: (_call, reply) =>
      codeOf(reply) === 400402 ? answer(404, '<h1>Not found</h1>') : undefined,
  }),
  subtle('wrong-path-deep', 'A wrong path below /currencies is taken for a currency.', {
    reply: (call, reply) =>
      codeOf(reply) === 400402 && call.pathname.startsWith('/currencies/')
        ? failure(500, 500001, 'Internal server error')
        : undefined,
  }),
];
