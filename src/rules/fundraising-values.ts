import { objectsOf, type ObjectAt } from './currency-values.ts';
import { show, type Rule } from './judgement.ts';
import { placesAt } from './places.ts';
import { place } from './transport.ts';
import { isObject } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const FUNDRAISING_VALUES = criteria(
  'statsRounds',
  'updateAfterCreate',
  'allInvestors',
  'timestampUnit',
  'investorTypes',
  'peopleShape',
);

/**
 * §2.6: the number of rounds. The clause does not say whether the statistics count rounds that the project raised or
 * rounds that it took part in as an investor. Both readings are accepted: the number of rounds listed, or a number that
 * goes with the portfolio (none without a portfolio, else at least one a project in it).
 */
const statsRounds: Rule = {
  name: 'stats-rounds',
  judges: [FUNDRAISING_VALUES.statsRounds],
  each(view, context, into) {
    for (const { pointer, value } of objectsOf(view, context, 'fundraising')) {
      const { investment_stats: stats, fundraising_rounds: rounds, portfolio } = value;
      const total = isObject(stats) ? stats['total_rounds'] : undefined;
      if (typeof total !== 'number' || !Array.isArray(rounds)) continue;
      const projects = Array.isArray(portfolio) ? portfolio.length : 0;
      const asInvestor = projects === 0 ? total === 0 : total >= projects;
      into.expect(
        FUNDRAISING_VALUES.statsRounds,
        view,
        total === rounds.length || asInvestor,
        () => ({
          message: `${place(view)} counts other rounds than it lists`,
          expected: `total_rounds ${rounds.length}, the number of rounds listed`,
          actual: `total_rounds ${total}`,
          pointer: `${pointer}/investment_stats/total_rounds`,
        }),
      );
    }
  },
};

/** §2.6: a record is not changed before it is made. */
const updateAfterCreate: Rule = {
  name: 'update-after-create',
  judges: [FUNDRAISING_VALUES.updateAfterCreate],
  each(view, context, into) {
    for (const { pointer, value } of objectsOf(view, context, 'fundraising')) {
      const { create_time: created, update_time: updated } = value;
      if (typeof created !== 'number' || typeof updated !== 'number') continue;
      // A zero stands for "unknown" or "never".
      if (created === 0 || updated === 0) continue;
      into.expect(FUNDRAISING_VALUES.updateAfterCreate, view, updated >= created, () => ({
        message: `${place(view)} was updated before it was created`,
        expected: `update_time of at least ${created}`,
        actual: `update_time ${updated}`,
        pointer: `${pointer}/update_time`,
      }));
    }
  },
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

/** Depth to which the entries of investors, whose shape is not stated, are searched. */
const MAX_DEPTH = 4;

/** Every text in a value, in lower case. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [lower(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner: unknown) => textsIn(inner, depth + 1));
}

/**
 * §2.6, ruling 22: `investors` has all of the project, so those of its rounds, too. What an entry looks like is not shown:
 * it is taken for an investor that it names by id or name. Judged where one of the rounds is found again, and where
 * there are fewer entries than investors: otherwise those that are not found may be there under another name.
 */
const allInvestors: Rule = {
  name: 'all-investors',
  judges: [FUNDRAISING_VALUES.allInvestors],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'fundraising')) {
      const entries = record.value['investors'];
      const named = investorsOfRounds(record);
      if (!Array.isArray(entries) || named.length === 0) continue;
      const texts = new Set(textsIn(entries));
      const missing = named.filter(({ id, name }) => !texts.has(name) && !texts.has(id));
      if (missing.length === named.length) continue;
      const [first] = missing;
      const renamed = entries.length >= named.length;
      into.expect(FUNDRAISING_VALUES.allInvestors, view, first === undefined || renamed, () => ({
        message: `${place(view)}: investors lacks ${missing.length} of ${named.length} that the rounds name`,
        expected: `an entry for the investor at ${first?.pointer ?? ''}, ${show(first?.name)}`,
        actual: `${entries.length} entries without it`,
        pointer: `${record.pointer}/investors`,
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
  judges: [
    FUNDRAISING_VALUES.timestampUnit,
    FUNDRAISING_VALUES.investorTypes,
    FUNDRAISING_VALUES.peopleShape,
  ],
  each(view, context, into) {
    for (const record of objectsOf(view, context, 'fundraising')) {
      for (const path of LONG_TIMES) {
        const stamps = placesAt(record, path).flatMap(({ value }) =>
          typeof value === 'number' && value !== 0 ? [timestampUnit(value)] : [],
        );
        const name = path.slice(path.lastIndexOf('/') + 1);
        for (const unit of new Set(stamps)) {
          into.read(
            `Unit of times in fundraising of ${name}`,
            unit,
            view,
            FUNDRAISING_VALUES.timestampUnit,
          );
        }
      }
      const types = placesAt(record, '/fundraising_rounds/*/investors/*/type');
      if (types.length > 0) {
        const values = types.map(({ value }) => show(value));
        into.collect('Types of investors in use', values, view, FUNDRAISING_VALUES.investorTypes);
      }
      for (const list of ['investors', 'team']) {
        const elements = placesAt(record, `/${list}/*`);
        if (elements.length === 0) continue;
        const names = elements.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : []));
        into.collect(
          `Fields of the entries in fundraising of ${list}`,
          names,
          view,
          FUNDRAISING_VALUES.peopleShape,
        );
      }
    }
  },
};

export const FUNDRAISING_VALUE_RULES: readonly Rule[] = [
  statsRounds,
  updateAfterCreate,
  allInvestors,
  fundraisingReadings,
];
