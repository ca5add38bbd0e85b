import type { QueryParameter } from '../../spec/endpoints.ts';
import { COUNTRIES, ETF_LISTINGS, ETF_SYMBOLS } from '../../spec/values.ts';
import type { Hooks } from '../hooks.ts';
import { malformed, notAllowed } from '../refusal.ts';
import {
  all,
  asked,
  crashing,
  forSymbol,
  ignoring,
  inLowerCase,
  inMixedCase,
  notAsked,
  onQuery,
  onRows,
} from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { entriesOf, faultsBy, faultsOn, nameOf, SHOULD } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { entry, parameterPlaces } from './parameters.ts';
import type { Place } from './parameters.ts';
import { isUnlisted, valued } from './words.ts';

const refused = (name: string, when: Condition): Hooks =>
  onQuery(when, (query) => {
    throw notAllowed(name, query.get(name) ?? null, 'The value is not allowed.', null);
  });

const setting = (name: string, when: Condition, value: string | number): Hooks =>
  onQuery(when, (query) => query.set(name, String(value)));

/** One value of an enumeration is unknown, ignored, or mistaken for another. */
function valueEntries(place: Place): readonly (OperatorEntry | false)[] {
  const { name, here, rule } = place;
  const values = rule.enum ?? [];
  const first = rule.required === true ? values[0] : rule.default;
  return values.flatMap((value, index) => {
    const when = all(here, valued(name, value));
    const next = values[(index + 1) % values.length] ?? value;
    const ignored =
      rule.required === true ? setting(name, when, String(first)) : ignoring(name, when);
    return [
      entry(place, `/${value}-refused`, `refuses ${value}`, refused(name, when)),
      entry(place, `/${value}-crashes`, `returns 500 for ${value}`, crashing(when)),
      // A category or a listing may be empty; a language only affects the text of news.
      name === 'language' &&
        entry(
          place,
          `/${value}-empty`,
          `finds nothing for ${value}`,
          onRows(when, () => []),
          SHOULD,
        ),
      // The value that stands in for an unknown one cannot be ignored.
      value !== first && entry(place, `/${value}-ignored`, `ignores ${value}`, ignored),
      next !== value &&
        entry(
          place,
          `/${value}-swapped`,
          `returns ${next} for ${value}`,
          setting(name, when, next),
        ),
    ];
  });
}

/** Case-insensitive values. */
function caseEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule } = place;
  if (rule.caseInsensitive !== true) return [];
  const forms = { lower: inLowerCase(name), mixed: inMixedCase(name) };
  return (rule.enum ?? []).flatMap((value) =>
    Object.entries(forms).map(([form, condition]) =>
      entry(
        place,
        `/${value}-${form}`,
        `refuses ${value} in ${form} case`,
        refused(name, all(here, valued(name, value), condition)),
      ),
    ),
  );
}

const altered = (place: Place, change: (rule: QueryParameter) => QueryParameter): Hooks => ({
  rules(rules, path) {
    const rule = rules[place.name];
    return path === place.path && rule !== undefined
      ? { ...rules, [place.name]: change(rule) }
      : rules;
  },
});

/** Bounds that are not enforced, or off by one. */
function boundEntries(place: Place): readonly (OperatorEntry | false)[] {
  const { maximum, minimum } = place.rule;
  const upper = maximum !== undefined && [
    entry(
      place,
      '/maximum-refused',
      `refuses ${maximum}`,
      altered(place, (rule) => ({ ...rule, maximum: maximum - 1 })),
    ),
    entry(
      place,
      '/half-maximum',
      `refuses more than ${maximum / 2}`,
      altered(place, (rule) => ({ ...rule, maximum: maximum / 2 })),
    ),
    entry(
      place,
      '/maximum-one-more',
      `uses ${maximum + 1} unchanged`,
      altered(place, (rule) => ({ ...rule, maximum: maximum + 1 })),
    ),
    entry(
      place,
      '/no-maximum',
      'has no maximum',
      altered(place, ({ maximum: _gone, ...rule }) => rule),
    ),
  ];
  const lower = minimum !== undefined && [
    entry(
      place,
      '/minimum-refused',
      `refuses ${minimum}`,
      altered(place, (rule) => ({ ...rule, minimum: minimum + 1 })),
    ),
    minimum > 1 &&
      entry(
        place,
        '/minimum-one-less',
        `uses ${minimum - 1} unchanged`,
        altered(place, (rule) => ({ ...rule, minimum: minimum - 1 })),
      ),
  ];
  return [...(upper || []), ...(lower || [])];
}

/** Fewer rows than any default gives. */
const FEW = 10;

function defaultEntries(place: Place): readonly (OperatorEntry | false)[] {
  const { name, here, rule } = place;
  const { default: usual } = rule;
  if (usual === undefined) return [];
  const choices: readonly (string | number)[] =
    typeof usual === 'string'
      ? (rule.enum ?? []).slice(1)
      : name === 'page'
        ? [2]
        : [FEW, usual - 1, usual + 1, rule.maximum ?? usual * 2];
  const unsent = all(here, notAsked(name));
  return [
    ...choices.map((value) =>
      entry(place, `/${value}`, `is ${value} by default`, setting(name, unsent, value)),
    ),
    name === 'page_size' &&
      entry(
        place,
        `/${FEW}-on-page-2`,
        `is ${FEW} by default on page 2`,
        setting(name, all(unsent, asked('page', '2')), FEW),
      ),
  ];
}

/** Optional required parameters, and accepted unlisted values. */
function laxEntries(place: Place): readonly (OperatorEntry | false)[] {
  const { name, here, rule } = place;
  if (rule.required !== true) return [];
  const first = rule.enum === undefined ? (name === 'page' ? 1 : 20) : (rule.enum[0] ?? '');
  const strange: Condition = all(here, ({ query }) => isUnlisted(rule, query.get(name)));
  const stands = setting(name, strange, first);
  return [
    entry(place, '/optional', 'is optional', setting(name, all(here, notAsked(name)), first)),
    rule.enum !== undefined &&
      entry(place, '/any', 'treats any value as the first allowed one', stands),
    rule.enum !== undefined &&
      entry(place, '/any-empty', 'returns nothing for unknown values', [
        stands,
        onRows(strange, () => []),
      ]),
  ];
}

/** Pairs of symbol and country that are not listed (§4.3). */
function unlistedFaults(): readonly OperatorFault[] {
  const path = '/etfs/summary-history';
  const entries = COUNTRIES.flatMap((country) =>
    ETF_SYMBOLS.filter((symbol) => !ETF_LISTINGS[country].includes(symbol)).flatMap((symbol) => {
      const when = forSymbol(symbol, country);
      const pair = entriesOf(
        `etfs-summary-history.${symbol}-${country}/`,
        `${nameOf(path)}: ${symbol} in ${country} `,
      );
      const answered = setting('symbol', when, 'BTC');
      const malformedHere = onQuery(when, () => {
        throw malformed('symbol', symbol, 'Not listed.', 'See GET /etfs.');
      });
      return [
        pair('answered', 'is answered', answered),
        pair('empty', 'returns nothing', [answered, onRows(when, () => [])]),
        pair('as-unknown', 'is refused as an unknown symbol', refused('symbol', when)),
        pair('other-message', 'is refused as a malformed symbol', malformedHere),
        pair('crash', 'returns 500', crashing(when)),
      ];
    }),
  );
  return faultsBy('unlisted', path, '4.3', entries);
}

/** Values, bounds and defaults of parameters. */
export const enumOperators = (): readonly OperatorFault[] => [
  ...parameterPlaces().flatMap((place) =>
    faultsOn(place.path, {
      value: valueEntries(place),
      'letter-case': caseEntries(place),
      bound: boundEntries(place),
      default: defaultEntries(place),
      lax: laxEntries(place),
    }),
  ),
  ...unlistedFaults(),
];
