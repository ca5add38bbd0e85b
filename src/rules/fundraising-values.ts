import { objectsOf, type ObjectAt } from './currency-values.ts';
import { show, type Rule } from './judgement.ts';
import { placesAt } from './places.ts';
import { place } from './transport.ts';
import { isObject } from './view.ts';

/**
 * §2.6: the number of rounds. The clause does not say whether the statistics count rounds that the project raised or
 * rounds that it took part in as an investor. Both readings are accepted: the number of rounds listed, or a number that
 * goes with the portfolio (none without a portfolio, else at least one a project in it).
 */
const statsRounds: Rule = {
  name: 'stats-rounds',
  requirements: ['2.6/stats-rounds'],
  each(view, context, into) {
    for (const { pointer, value } of objectsOf(view, context, 'fundraising')) {
      const { investment_stats: stats, fundraising_rounds: rounds, portfolio } = value;
      const total = isObject(stats) ? stats['total_rounds'] : undefined;
      if (typeof total !== 'number' || !Array.isArray(rounds)) continue;
      const projects = Array.isArray(portfolio) ? portfolio.length : 0;
      const asInvestor = projects === 0 ? total === 0 : total >= projects;
      into.expect('2.6/stats-rounds', view, total === rounds.length || asInvestor, () => ({
        message: `${place(view)} counts other rounds than it lists`,
        expected: `total_rounds ${rounds.length}, the number of rounds listed`,
        actual: `total_rounds ${total}`,
        pointer: `${pointer}/investment_stats/total_rounds`,
      }));
    }
  },
};

/** §2.6: a record is not changed before it is made. */
const updateAfterCreate: Rule = {
  name: 'update-after-create',
  requirements: ['2.6/update-after-create'],
  each(view, context, into) {
    for (const { pointer, value } of objectsOf(view, context, 'fundraising')) {
      const { create_time: created, update_time: updated } = value;
      if (typeof created !== 'number' || typeof updated !== 'number') continue;
      // A zero stands for "unknown" or "never".
      if (created === 0 || updated === 0) continue;
      into.expect('2.6/update-after-create', view, updated >= created, () => ({
        message: `${place(view)} was updated before it was created`,
        expected: `update_time of at least ${created}`,
        actual: `update_time ${updated}`,
        pointer: `${pointer}/update_time`,
      }));
    }
  },
};

const LONG_TIMES = [
  '/create_time',
  '/update_time',
  '/fundraising_rounds/*/date',
  '/portfolio/*/established_date',
  '/investment_stats/last_invest_date',
];

/** In which unit an epoch timestamp without a stated unit is, by its size (ruling 2). */
export function timestampUnit(stamp: number): string {
  const size = Math.abs(stamp);
  if (size >= 1e12 && size < 1e14) return 'milliseconds';
  if (size >= 1e8 && size < 1e11) return 'seconds';
  return 'neither seconds nor milliseconds';
}

/** §2.6: what the specification leaves open about fundraising. */
const fundraisingReadings: Rule = {
  name: 'fundraising-readings',
  requirements: ['2.6/timestamp-unit', '2.6/investor-types', '2.6/people-shape'],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'fundraising')) {
      const units = new Set(
        LONG_TIMES.flatMap((path) => placesAt(record, path)).flatMap(({ value }) =>
          typeof value === 'number' && value !== 0 ? [timestampUnit(value)] : [],
        ),
      );
      if (units.size > 0) {
        const answer = [...units].toSorted().join(' and ');
        into.read('Unit of fundraising timestamps', answer, view, '2.6/timestamp-unit');
      }
      const types = countsOf(record, '/fundraising_rounds/*/investors/*/type');
      if (types !== '') {
        into.read('Values of investor type', types, view, '2.6/investor-types');
      }
      for (const list of ['investors', 'team']) {
        const fields = fieldsOf(record, `/${list}/*`);
        if (fields === undefined) continue;
        into.read(`Fields of the elements of ${list}`, fields, view, '2.6/people-shape');
      }
    }
  },
};

/** Values at a place and how often each occurs: `1 (12 times), 2 (3 times)`. */
function countsOf(record: ObjectAt, path: string): string {
  const counts = new Map<string, number>();
  for (const { value } of placesAt(record, path)) {
    const text = show(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([text, count]) => `${text} (${count} times)`)
    .join(', ');
}

function fieldsOf(record: ObjectAt, path: string): string | undefined {
  const elements = placesAt(record, path);
  if (elements.length === 0) return undefined;
  const names = new Set(
    elements.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : ['(no object)'])),
  );
  return [...names].toSorted().join(', ') || 'none';
}

export const FUNDRAISING_VALUE_RULES: readonly Rule[] = [
  statsRounds,
  updateAfterCreate,
  fundraisingReadings,
];
