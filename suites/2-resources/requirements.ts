import { RELEASE_SLACK_MS } from '../numbers.ts';
import { check, plainOf } from '../../src/ask/index.ts';
import { PAIRS } from '../4.1-currencies/requests.ts';
import { MAY_NOT_EXIST, pathsOf } from '../../src/spec/resources.ts';
import { should, observe, type Definition } from '../../src/requirements/definition.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { MACRO_RELEASES } from '../../src/judge/series.ts';
import { fieldFinding, fieldProblems } from '../../src/judge/shapes.ts';
import { type View, isObject } from '../../src/judge/view.ts';
import { withoutIndexes } from '../../src/text/json-value.ts';
import { shownAt } from '../families/resource-requests.ts';
import { endpoint, ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { isDecimalText } from '../../src/judge/text/decimals.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { fieldRequirement } from '../../src/judge/schema/schemas.ts';
import { CANDLES, CHARTS, ETF_ROWS, MACRO_ROWS, TRADING_PAIRS } from './rows.ts';
import { CURRENCY_INFO, FUNDRAISING, TOKEN_ECONOMICS } from './currency.ts';
import { CURRENCY_SNAPSHOT, STOCK_SNAPSHOT } from './snapshots.ts';
import { NEWS_ITEMS } from './news-items.ts';
import { readTimes } from './judge.ts';

// §2, ruling 3: null for a figure or date that may not exist or be known.

const NULL_FIGURES = {
  '2/null-figures': should({
    title: 'An unknown or missing figure or date is null only where the specification allows it',
    clauses: ['2 type names'],
    rulings: [3],
    why: 'No clause allows null here, so typed clients may fail, even if the service has no value to send.',
    usually: [
      'A supply, a high or a low was never recorded.',
      'A source failed, and its figures are null for all records.',
    ],
    checks: [
      check(
        shownAt(
          '/currencies/{currency_id}/market-snapshot',
          PAIRS,
          '/crypto-stocks/{stock_ticker}/market-snapshot',
        ),
      ),
    ],
    judge: judgeEach((view, context, it) => {
      const problems = fieldProblems(view, context);
      if (problems === undefined || view.resource === null) return;
      if (view.records.length > 0 && MAY_NOT_EXIST[view.resource].length > 0) it.judged(view);
      for (const problem of problems.filter(({ isReasonedNull }) => isReasonedNull)) {
        if (isPlainlyAbsent(view, problem.pointer)) {
          const field = problem.pointer.split('/').at(-1) ?? '';
          it.note(`A missing ${field} is sent as`, 'null', view);
        } else it.found(view, fieldFinding(view, problem));
      }
    }),
  }),
};

/**
 * Whether a null obviously means that there is no figure (ruling 3): trailing P/E of a company with losses, a macro
 * figure without release or forecast, an undisclosed amount. `pointer` is the JSON pointer from the body without its
 * envelope.
 */
function isPlainlyAbsent(view: View, pointer: string): boolean {
  const pattern = withoutIndexes(pointer);
  switch (view.resource) {
    case 'stock-snapshot':
      return pattern === '/pe_ttm';
    case 'fundraising':
      return pattern === '/fundraising_rounds/*/amount';
    case 'macro-history-row':
      return pattern === '/*/forecast' || (pattern === '/*/actual' && isUnreleased(view, pointer));
    default:
      return false;
  }
}

/** Whether the row's day is not over, as far as its date can be read. */
function isUnreleased({ body, now }: View, pointer: string): boolean {
  const index = Number(/^\/(\d+)/.exec(pointer)?.[1]);
  const released = Array.isArray(body) ? MACRO_RELEASES.timeOf(body[index]) : undefined;
  return released === undefined || released > now - RELEASE_SLACK_MS;
}

const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';

const WITH_RESOURCE = ENDPOINT_PATHS.filter(
  (path) => endpoint(path).response.resource !== undefined,
);

/** Requirements of §2: those about every resource here, those of each in a file by its name. */
export const RESOURCE_REQUIREMENTS = {
  '2/extra-fields': observe({
    title: 'Fields that the specification does not name',
    clauses: ['4 response shapes'],
    rulings: [3],
    checks: plainOf(WITH_RESOURCE),
    judge: judgeEach((view, _context, it) => {
      const { resource } = view;
      if (resource === null || view.records.length === 0) return;
      const names = view.records.flatMap(({ value }) =>
        isObject(value) ? Object.keys(value) : [],
      );
      const extra = [...new Set(names)].filter(
        (name) => fieldRequirement(resource, `/${name}`) === undefined,
      );
      const topic = 'Unspecified fields';
      it.collect({ topic, subject: resource }, extra, view);
    }),
  }),
  ...NULL_FIGURES,
  '2/decimal-form': observe({
    title: 'Whether decimals are JSON numbers or decimal strings',
    clauses: ['2 type names'],
    rulings: [1],
    checks: plainOf([SNAPSHOT, '/etfs/summary-history']),
    judge: judgeEach((view, context, it) => {
      const { resource } = view;
      if (resource === null) return;
      const fields = pathsOf(resource, 'bigDecimal').map((decimal) => decimal.slice(1));
      const forms = new Set<string>();
      for (const { value } of objectsOf(view, context, resource)) {
        for (const field of fields) {
          if (typeof value[field] === 'number') forms.add('JSON numbers');
          else if (isDecimalText(value[field])) forms.add('strings of digits');
        }
      }
      for (const form of forms) it.read(`Decimal form of ${resource}`, form, view);
    }),
  }),
  '2/string-timestamp-format': observe({
    title: 'Format of string timestamps: epoch ms, ISO 8601 or another',
    clauses: ['2 type names'],
    rulings: [2],
    checks: plainOf([
      '/currencies/{currency_id}',
      SNAPSHOT,
      '/currencies/{currency_id}/token-economics',
    ]),
    judge: readTimes('stringTimestamp'),
  }),
  ...CURRENCY_INFO,
  ...CURRENCY_SNAPSHOT,
  ...TOKEN_ECONOMICS,
  ...CANDLES,
  ...TRADING_PAIRS,
  ...FUNDRAISING,
  ...NEWS_ITEMS,
  ...ETF_ROWS,
  ...STOCK_SNAPSHOT,
  ...MACRO_ROWS,
  ...CHARTS,
} as const satisfies Record<string, Definition>;
