import { plainOf } from '../../src/ask/index.ts';
import { endpoint, ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { pathsOf } from '../../src/spec/resources.ts';
import { observe, type Definition } from '../../src/requirements/definition.ts';
import { isDecimalText } from '../../src/judge/text/decimals.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { fieldRequirement } from '../../src/judge/schema/schemas.ts';
import { isObject } from '../../src/judge/view.ts';
import { CANDLES } from './candles.ts';
import { CHARTS } from './charts.ts';
import { CURRENCY_INFO } from './currency-info.ts';
import { ETF_ROWS } from './etf-rows.ts';
import { FUNDRAISING } from './fundraising.ts';
import { MACRO_ROWS } from './macro-rows.ts';
import { CURRENCY_SNAPSHOT } from './market-snapshot.ts';
import { NEWS_ITEMS } from './news-items.ts';
import { NULL_FIGURES } from './null-figures.ts';
import { STOCK_SNAPSHOT } from './stock-snapshot.ts';
import { readTimes } from './times.ts';
import { TOKEN_ECONOMICS } from './token-economics.ts';
import { TRADING_PAIRS } from './trading-pairs.ts';

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
