import { check } from '../../src/ask/index.ts';
import { about, must, should, observe, type Advice } from '../../src/requirements/definition.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt, MAX_DEPTH, type ObjectAt } from '../../src/judge/values-at.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import {
  IDENTIFIER_ECHO,
  URLS,
  everyValue,
  isLinkOrEmpty,
  isText,
  everyRecord,
  timestampUnit,
} from './judge.ts';
import { isDecimalText } from '../../src/judge/text/decimals.ts';
import { isObject } from '../../src/judge/view.ts';

// §2.1: currency info.

const INFO = '/currencies/{currency_id}';

export const CURRENCY_INFO = {
  ...fieldsOf('currency-info'),
  ...about([INFO], {
    '2.1/currency-id-echo': must({
      title: 'Currency info has the requested `currency_id`',
      clauses: ['2.1 currency_id'],
      hinderedBy: ['2.1/currency-id'],
      ...IDENTIFIER_ECHO,
      checks: [check(shownAt(INFO))],
      judge: judgeAll((views, context, it) => {
        // Ruling 22: the answer is about the requested currency. Lists may use other identifiers
        // than answers, so a discovered identifier counts only if the answer names another one, or if
        // two of them get the same answer.
        const answers = views.flatMap((view) => {
          const asked = view.exchange.pathParameters['currency_id'];
          return objectsOf(view, context, 'currency-info').flatMap(({ pointer, value }) => {
            const sent = value['currency_id'];
            if (asked === undefined || (typeof sent !== 'string' && typeof sent !== 'number'))
              return [];
            return [{ view, pointer, asked, sent: String(sent), shown: show(sent) }];
          });
        });
        const discovered = context.discoveredIds?.['currency_id'] ?? [];
        for (const { view, pointer, asked, sent, shown } of answers) {
          const holds = sent === asked;
          const certain =
            (context.partial !== true && !discovered.includes(asked)) ||
            discovered.includes(sent) ||
            answers.some((other) => other.asked !== asked && other.sent === sent);
          if (!holds && !certain) continue;
          it.expect(view, holds, () => ({
            kind: 'other-currency',
            expected: `currency_id "${asked}"`,
            actual: `currency_id ${shown}`,
            pointer: `${pointer}/currency_id`,
          }));
        }
      }),
    }),
    '2.1/urls': should({
      title: 'Icon, whitepaper, explorers and community links are http(s) URLs or empty',
      clauses: ['2.1 icon', '2.1 white_paper', '2.1 explorers', '2.1 community'],
      ...URLS,
      checks: [check(shownAt(INFO))],
      judge: everyValue(
        'currency-info',
        [
          '/icon',
          '/white_paper',
          '/explorers/*',
          '/community/social_primary',
          '/community/social_forum',
        ],
        isText,
        {
          kind: 'not-a-url',
          expected: 'an http(s) URL, or an empty string',
          holds: (value) => isLinkOrEmpty(String(value)),
        },
      ),
    }),
  }),
};

// §2.3: token economics.

const ECONOMICS = '/currencies/{currency_id}/token-economics';

export const TOKEN_ECONOMICS = {
  ...fieldsOf('token-economics'),
  ...about([ECONOMICS], {
    '2.3/percentage-range': should({
      title: 'Allocation percentages are between 0 and 100',
      clauses: ['2.3 token_allocation'],
      why: 'Shares of a supply are displayed unchanged; a share below 0 or above 100 is impossible.',
      usually: ['Amounts are sent instead of shares.', 'Overlapping shares are added up.'],
      checks: [check(shownAt(ECONOMICS))],
      judge: everyValue(
        'token-economics',
        ['/token_allocation/*/percentage'],
        (value) => typeof value === 'number',
        {
          kind: 'allocation-not-a-percentage',
          expected: 'a number from 0 to 100',
          holds: (value) => Number(value) >= 0 && Number(value) <= 100,
        },
      ),
    }),
    '2.3/unlock-strings': should({
      title: 'Unlocked and locked amounts are decimal strings',
      clauses: ['2.3 token_unlock'],
      why: 'Clients compute with these amounts; a separator or a unit makes them fail or read a different number.',
      usually: ['Amounts are formatted for display, with separators or a symbol.'],
      checks: [check(shownAt(ECONOMICS))],
      judge: everyValue(
        'token-economics',
        ['/token_unlock/unlocked', '/token_unlock/total_locked'],
        isText,
        {
          kind: 'amount-not-a-number',
          expected: 'a decimal string without separators or units',
          holds: isDecimalText,
        },
      ),
    }),
    '2.3/unlock-timeline-null': should({
      title: '`unlock_timeline` is null, not an empty array, when there is no data',
      clauses: ['2.3 unlock_timeline'],
      why: 'null means that nothing is known; an empty array means that nothing will ever be unlocked.',
      usually: [
        'The empty result of a query is sent unchanged.',
        'The serialiser converts null to an empty array for every array field.',
      ],
      checks: [check(shownAt(ECONOMICS))],
      // A target that sends null elsewhere may use an empty array for a currency with nothing left to unlock.
      judge: judgeAll((views, context, it) => {
        const sent = views.flatMap((view) =>
          objectsOf(view, context, 'token-economics')
            .flatMap((record) => valuesAt(record, '/unlock_timeline'))
            .filter(({ value }) => value === null || (Array.isArray(value) && value.length === 0))
            .map(({ pointer, value }) => ({ view, pointer, isNull: value === null })),
        );
        const tellsApart = sent.some(({ isNull }) => isNull);
        for (const { view, pointer, isNull } of sent) {
          if (tellsApart && !isNull) continue;
          it.expect(view, isNull, () => ({
            kind: 'timeline-empty',
            expected: 'null when there is no data',
            actual: '[], and null for none of the currencies that were looked at',
            pointer,
          }));
        }
      }),
    }),
  }),
};

// §2.6: fundraising of a currency.

const PROJECT = '/currencies/{currency_id}/fundraising';
const checks = [check(shownAt(PROJECT))];

const ADVICE: Advice = {
  why: 'Rounds and dates are compared across projects, so they must be consistent within each project.',
  usually: [
    'Statistics and the list of rounds are computed at different times.',
    '`update_time` comes from an import and `create_time` from a manual entry.',
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
      title: '`investment_stats.total_rounds` is the number of listed rounds',
      clauses: ['2.6 investment_stats'],
      ...ADVICE,
      checks,
      // The clause does not say whether the statistics count rounds raised or rounds joined as an investor. Accepts
      // both: the number of rounds listed, or a number consistent with the portfolio (0 without one, otherwise at least
      // one per project).
      judge: everyRecord('fundraising', ({ pointer, value }, view, it) => {
        const { investment_stats: stats, fundraising_rounds: rounds, portfolio } = value;
        const total = isObject(stats) ? stats['total_rounds'] : undefined;
        if (typeof total !== 'number' || !Array.isArray(rounds)) return;
        const projects = Array.isArray(portfolio) ? portfolio.length : 0;
        const asInvestor = projects === 0 ? total === 0 : total >= projects;
        it.expect(view, total === rounds.length || asInvestor, () => ({
          kind: 'round-count',
          expected: `total_rounds ${rounds.length}, the number of rounds listed`,
          actual: `total_rounds ${total}`,
          pointer: `${pointer}/investment_stats/total_rounds`,
        }));
      }),
    }),
    '2.6/update-after-create': should({
      title: '`update_time` is not before `create_time`',
      clauses: ['2.6 create_time, update_time'],
      ...ADVICE,
      usually: ['`update_time` comes from an import and `create_time` from a manual entry.'],
      checks,
      judge: everyRecord('fundraising', ({ pointer, value }, view, it) => {
        const { create_time: created, update_time: updated } = value;
        if (typeof created !== 'number' || typeof updated !== 'number') return;
        // Zero means unknown or never.
        if (created === 0 || updated === 0) return;
        it.expect(view, updated >= created, () => ({
          kind: 'updated-before-created',
          expected: `update_time of at least ${created}`,
          actual: `update_time ${updated}`,
          pointer: `${pointer}/update_time`,
        }));
      }),
    }),
    '2.6/all-investors': should({
      title: "A project's investors include those in its rounds",
      clauses: ['2.6 investors', '2.6 investor item inside a round'],
      rulings: [22],
      why: "Clients read a project's backers from `investors`.",
      usually: [
        'Only lead investors are included, or only those in the latest round.',
        'The list is truncated, or was computed before the last round was added.',
      ],
      checks,
      // The shape of an entry is unspecified, so it counts as an investor whose id or name it contains. Judged only if
      // at least one investor of a round is found and there are fewer entries than investors; otherwise the missing
      // ones may be listed under other names.
      judge: everyRecord('fundraising', (record, view, it) => {
        const entries = record.value['investors'];
        const named = investorsOfRounds(record);
        if (!Array.isArray(entries) || named.length === 0) return;
        const texts = new Set(textsIn(entries));
        const missing = named.filter(({ id, name }) => !texts.has(name) && !texts.has(id));
        if (missing.length === named.length) return;
        const [first] = missing;
        const renamed = entries.length >= named.length;
        it.expect(view, first === undefined || renamed, () => ({
          kind: 'investors-missing',
          facts: { missing: missing.length, named: named.length },
          expected: `an entry for the investor at ${first?.pointer ?? ''}, ${show(first?.name)}`,
          actual: `${entries.length} entries without it`,
          pointer: `${record.pointer}/investors`,
        }));
      }),
    }),
    '2.6/timestamp-unit': observe({
      title: 'Unit of fundraising timestamps: seconds or milliseconds',
      clauses: ['2.6 create_time, update_time'],
      rulings: [2],
      checks,
      judge: everyRecord('fundraising', (record, view, it) => {
        for (const path of TIMES) {
          const units = valuesAt(record, path).flatMap(({ value }) =>
            typeof value === 'number' && value !== 0 ? [timestampUnit(value)] : [],
          );
          const name = path.slice(path.lastIndexOf('/') + 1);
          for (const unit of new Set(units)) {
            it.read({ topic: 'Unit', subject: `${name} in fundraising records` }, unit, view);
          }
        }
      }),
    }),
    '2.6/investor-types': observe({
      title: 'Investor type values and how often each occurs',
      clauses: ['2.6 investor type values'],
      checks,
      judge: everyRecord('fundraising', (record, view, it) => {
        const types = valuesAt(record, '/fundraising_rounds/*/investors/*/type');
        if (types.length === 0) return;
        const values = types.map(({ value }) => show(value));
        it.collect('Types of investors in use', values, view);
      }),
    }),
    '2.6/people-shape': observe({
      title: 'Fields of the elements in `investors` and `team`',
      clauses: ['2.6 elements of investors and team'],
      checks,
      judge: everyRecord('fundraising', (record, view, it) => {
        for (const list of ['investors', 'team']) {
          const people = valuesAt(record, `/${list}/*`);
          if (people.length === 0) continue;
          const names = people.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : []));
          it.collect(`Fields of the entries of \`${list}\` in fundraising records`, names, view);
        }
      }),
    }),
  }),
};

/** Placeholders for undisclosed investors. */
const NOBODY =
  /^(?:n\/a|none|null|tb[ad]|unknown.*|undisclosed.*|not disclosed|anonymous.*|others?|various|community|public|(?:angel|community|individual|other|private|public|retail|strategic|various)s? (?:investors?|sale|backers?))$/;

const lower = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : '';

/** Distinct investors in the rounds, with id and name in lower case. */
function investorsOfRounds(record: ObjectAt) {
  const investors: { id: string; name: string; pointer: string }[] = [];
  for (const { pointer, value } of valuesAt(record, '/fundraising_rounds/*/investors/*')) {
    if (!isObject(value)) continue;
    const [id, name] = [lower(value['investor_id']), lower(value['name'])];
    if (!/[\p{L}\p{N}]/u.test(name) || NOBODY.test(name)) continue;
    const again = investors.some((one) => one.name === name || (id !== '' && one.id === id));
    if (!again) investors.push({ id, name, pointer });
  }
  return investors;
}

/** Every string in a value, in lower case. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [lower(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner: unknown) => textsIn(inner, depth + 1));
}
