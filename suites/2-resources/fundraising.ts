// §2.6: fundraising of a currency.
import { check } from '../../src/ask/index.ts';
import { about, should, observe, type Advice } from '../../src/requirements/definition.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { MAX_DEPTH, objectsOf, placesAt, type ObjectAt } from '../../src/judge/places.ts';
import { place } from '../../src/judge/transport.ts';
import { isObject } from '../../src/judge/view.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { timestampUnit } from './times.ts';

const PROJECT = '/currencies/{currency_id}/fundraising';
const needs = ['currencyIds'] as const;
const checks = [check(shownAt(PROJECT))];

const ADVICE: Advice = {
  why: 'Rounds and dates are compared across projects, so they must be consistent within one.',
  usually: [
    'Statistics and the list of rounds are computed at different times.',
    'update_time is that of an import and create_time that of a manual entry.',
  ],
};

const TIMES = [
  '/create_time',
  '/update_time',
  '/fundraising_rounds/*/date',
  '/portfolio/*/established_date',
  '/investment_stats/last_invest_date',
];

export const FUNDRAISING = {
  ...fieldsOf('fundraising'),
  ...about([PROJECT], {
    '2.6/stats-rounds': should({
      title: 'investment_stats.total_rounds is the number of listed rounds',
      clauses: ['2.6 investment_stats'],
      needs,
      ...ADVICE,
      checks,
      // The clause does not say whether the statistics count rounds that the project raised or rounds that it took part in
      // as an investor. Both readings are accepted: the number of rounds listed, or a number that goes with the portfolio
      // (none without a portfolio, else at least one a project in it).
      judge: judgeEach((view, context, it) => {
        for (const { pointer, value } of objectsOf(view, context, 'fundraising')) {
          const { investment_stats: stats, fundraising_rounds: rounds, portfolio } = value;
          const total = isObject(stats) ? stats['total_rounds'] : undefined;
          if (typeof total !== 'number' || !Array.isArray(rounds)) continue;
          const projects = Array.isArray(portfolio) ? portfolio.length : 0;
          const asInvestor = projects === 0 ? total === 0 : total >= projects;
          it.expect(view, total === rounds.length || asInvestor, () => ({
            message: `${place(view)} counts other rounds than it lists`,
            expected: `total_rounds ${rounds.length}, the number of rounds listed`,
            actual: `total_rounds ${total}`,
            pointer: `${pointer}/investment_stats/total_rounds`,
          }));
        }
      }),
    }),
    '2.6/update-after-create': should({
      title: 'update_time is not before create_time',
      clauses: ['2.6 create_time, update_time'],
      needs,
      ...ADVICE,
      checks,
      judge: judgeEach((view, context, it) => {
        for (const { pointer, value } of objectsOf(view, context, 'fundraising')) {
          const { create_time: created, update_time: updated } = value;
          if (typeof created !== 'number' || typeof updated !== 'number') continue;
          // A zero stands for "unknown" or "never".
          if (created === 0 || updated === 0) continue;
          it.expect(view, updated >= created, () => ({
            message: `${place(view)} was updated before it was created`,
            expected: `update_time of at least ${created}`,
            actual: `update_time ${updated}`,
            pointer: `${pointer}/update_time`,
          }));
        }
      }),
    }),
    '2.6/all-investors': should({
      title: 'The investors of a project include those of its rounds',
      clauses: ['2.6 investors', '2.6 investor item inside a round'],
      rulings: [22],
      needs,
      why: 'Clients read the backers of a project from this list.',
      usually: [
        'Only lead investors are included, or those of the latest round.',
        'The list is truncated, or was computed before the last round was added.',
      ],
      checks,
      // What an entry looks like is not shown: it is taken for an investor that it names by id or name. Judged where one of
      // the rounds is found again, and where there are fewer entries than investors: otherwise those that are not found may
      // be there under another name.
      judge: judgeEach((view, context, it) => {
        for (const record of objectsOf(view, context, 'fundraising')) {
          const entries = record.value['investors'];
          const named = investorsOfRounds(record);
          if (!Array.isArray(entries) || named.length === 0) continue;
          const texts = new Set(textsIn(entries));
          const missing = named.filter(({ id, name }) => !texts.has(name) && !texts.has(id));
          if (missing.length === named.length) continue;
          const [first] = missing;
          const renamed = entries.length >= named.length;
          it.expect(view, first === undefined || renamed, () => ({
            message: `${place(view)}: investors lacks ${missing.length} of ${named.length} that the rounds name`,
            expected: `an entry for the investor at ${first?.pointer ?? ''}, ${show(first?.name)}`,
            actual: `${entries.length} entries without it`,
            pointer: `${record.pointer}/investors`,
          }));
        }
      }),
    }),
    '2.6/timestamp-unit': observe({
      title: 'Unit of the timestamps of fundraising: seconds or milliseconds',
      clauses: ['2.6 create_time, update_time'],
      rulings: [2],
      needs,
      checks,
      judge: judgeEach((view, context, it) => {
        for (const record of objectsOf(view, context, 'fundraising')) {
          for (const path of TIMES) {
            const units = placesAt(record, path).flatMap(({ value }) =>
              typeof value === 'number' && value !== 0 ? [timestampUnit(value)] : [],
            );
            const name = path.slice(path.lastIndexOf('/') + 1);
            for (const unit of new Set(units)) {
              it.read(`Unit of times in fundraising of ${name}`, unit, view);
            }
          }
        }
      }),
    }),
    '2.6/investor-types': observe({
      title: 'Values of investor type and their number',
      clauses: ['2.6 investor type values'],
      needs,
      checks,
      judge: judgeEach((view, context, it) => {
        for (const record of objectsOf(view, context, 'fundraising')) {
          const types = placesAt(record, '/fundraising_rounds/*/investors/*/type');
          if (types.length === 0) continue;
          const values = types.map(({ value }) => show(value));
          it.collect('Types of investors in use', values, view);
        }
      }),
    }),
    '2.6/people-shape': observe({
      title: 'Fields of the elements of investors and team',
      clauses: ['2.6 elements of investors and team'],
      needs,
      checks,
      judge: judgeEach((view, context, it) => {
        for (const record of objectsOf(view, context, 'fundraising')) {
          for (const list of ['investors', 'team']) {
            const people = placesAt(record, `/${list}/*`);
            if (people.length === 0) continue;
            const names = people.flatMap(({ value }) =>
              isObject(value) ? Object.keys(value) : [],
            );
            it.collect(`Fields of the entries in fundraising of ${list}`, names, view);
          }
        }
      }),
    }),
  }),
};

/** Names that stand for investors whom nobody named. */
const NOBODY =
  /^(?:n\/a|none|null|tb[ad]|unknown.*|undisclosed.*|not disclosed|anonymous.*|others?|various|community|public|(?:angel|community|individual|other|private|public|retail|strategic|various)s? (?:investors?|sale|backers?))$/;

const lower = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : '';

interface Investor {
  readonly id: string;
  readonly name: string;
  readonly pointer: string;
}

/** The investors whom the rounds name, each once: by its id or its name, in lower case. */
function investorsOfRounds(record: ObjectAt): readonly Investor[] {
  const investors: Investor[] = [];
  for (const { pointer, value } of placesAt(record, '/fundraising_rounds/*/investors/*')) {
    if (!isObject(value)) continue;
    const [id, name] = [lower(value['investor_id']), lower(value['name'])];
    if (!/[\p{L}\p{N}]/u.test(name) || NOBODY.test(name)) continue;
    const again = investors.some((one) => one.name === name || (id !== '' && one.id === id));
    if (!again) investors.push({ id, name, pointer });
  }
  return investors;
}

/** Every text in a value, in lower case. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [lower(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner: unknown) => textsIn(inner, depth + 1));
}
