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
import { faultsBy, nameOf, sectionOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { entry, parameterPlaces } from './parameters.ts';
import type { Place } from './parameters.ts';
import { valued } from './words.ts';

const subtle = true;

const refused = (name: string, when: Condition): Hooks =>
  onQuery(when, (query) => {
    throw notAllowed(name, query.get(name) ?? null, 'The value is not allowed.', null);
  });

/** One value of an enumeration is unknown, ignored, or mistaken for another. */
function valueEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule } = place;
  const values = rule.enum ?? [];
  return values.flatMap((value, index) => {
    const when = all(here, valued(name, value));
    const next = values[(index + 1) % values.length] ?? value;
    const first = rule.required === true ? values[0] : rule.default;
    return [
      entry(place, `/${value}-refused`, `refuses ${value}`, { subtle, hooks: refused(name, when) }),
      entry(place, `/${value}-crashes`, `returns 500 for ${value}`, {
        subtle,
        hooks: crashing(when),
      }),
      // A category or a listing may be empty; a language only affects the text of news.
      ...(name === 'language'
        ? [
            entry(place, `/${value}-empty`, `finds nothing for ${value}`, {
              subtle,
              level: 'should',
              hooks: onRows(when, () => []),
            }),
          ]
        : []),
      // The value that stands in for an unknown one cannot be ignored.
      ...(value === first
        ? []
        : [
            entry(place, `/${value}-ignored`, `ignores ${value}`, {
              subtle,
              hooks:
                rule.required === true
                  ? onQuery(when, (query) => query.set(name, String(first)))
                  : ignoring(name, when),
            }),
          ]),
      ...(next === value
        ? []
        : [
            entry(place, `/${value}-swapped`, `returns ${next} for ${value}`, {
              subtle,
              hooks: onQuery(when, (query) => query.set(name, String(next))),
            }),
          ]),
    ];
  });
}

/** Case-insensitive values. */
function caseEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule } = place;
  if (rule.caseInsensitive !== true) return [];
  return (rule.enum ?? []).flatMap((value) =>
    (
      [
        ['lower', inLowerCase(name)],
        ['mixed', inMixedCase(name)],
      ] as const
    ).map(([form, condition]) =>
      entry(place, `/${value}-${form}`, `refuses ${value} in ${form} case`, {
        subtle,
        hooks: refused(name, all(here, valued(name, value), condition)),
      }),
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
function boundEntries(place: Place): readonly OperatorEntry[] {
  const { rule } = place;
  const entries: OperatorEntry[] = [];
  const { maximum, minimum } = rule;
  if (maximum !== undefined) {
    entries.push(
      entry(place, '/maximum-refused', `refuses ${maximum}`, {
        subtle,
        hooks: altered(place, (own) => ({ ...own, maximum: maximum - 1 })),
      }),
      entry(place, '/half-maximum', `refuses more than ${maximum / 2}`, {
        hooks: altered(place, (own) => ({ ...own, maximum: maximum / 2 })),
      }),
    );
    entries.push(
      entry(place, '/maximum-one-more', `uses ${maximum + 1} unchanged`, {
        subtle,
        hooks: altered(place, (own) => ({ ...own, maximum: maximum + 1 })),
      }),
      entry(place, '/no-maximum', 'has no maximum', {
        hooks: altered(place, ({ maximum: _gone, ...own }) => own),
      }),
    );
  }
  if (minimum !== undefined) {
    entries.push(
      entry(place, '/minimum-refused', `refuses ${minimum}`, {
        subtle,
        hooks: altered(place, (own) => ({ ...own, minimum: minimum + 1 })),
      }),
    );
    if (minimum > 1) {
      entries.push(
        entry(place, '/minimum-one-less', `uses ${minimum - 1} unchanged`, {
          subtle,
          hooks: altered(place, (own) => ({ ...own, minimum: minimum - 1 })),
        }),
      );
    }
  }
  return entries;
}

/** Fewer rows than any default gives. */
const FEW = 10;

function defaultEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule } = place;
  const { default: usual } = rule;
  if (usual === undefined) return [];
  const set = (value: string | number): Hooks =>
    onQuery(all(here, notAsked(name)), (query) => query.set(name, String(value)));
  const choices: readonly (string | number)[] =
    typeof usual === 'string'
      ? (rule.enum ?? []).slice(1)
      : name === 'page'
        ? [2]
        : [FEW, usual - 1, usual + 1, rule.maximum ?? usual * 2];
  return [
    ...choices.map((value) =>
      entry(place, `/${value}`, `is ${value} by default`, { hooks: set(value) }),
    ),
    ...(name === 'page_size'
      ? [
          entry(place, `/${FEW}-on-page-2`, `is ${FEW} by default on page 2`, {
            subtle,
            hooks: onQuery(all(here, notAsked(name), asked('page', '2')), (query) =>
              query.set(name, String(FEW)),
            ),
          }),
        ]
      : []),
  ];
}

/** Optional required parameters, and accepted unlisted values. */
function laxEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule } = place;
  const first = rule.enum === undefined ? (name === 'page' ? 1 : 20) : rule.enum[0];
  const strange: Condition = ({ query }) =>
    query.has(name) &&
    !(rule.enum ?? []).some(
      (value) => String(value).toLowerCase() === query.get(name)?.toLowerCase(),
    );
  return rule.required === true
    ? [
        entry(place, '/optional', 'is optional', {
          hooks: onQuery(all(here, notAsked(name)), (query) => query.set(name, String(first))),
        }),
        ...(rule.enum === undefined
          ? []
          : [
              entry(place, '/any', 'treats any value as the first allowed one', {
                hooks: onQuery(all(here, strange), (query) => query.set(name, String(first))),
              }),
              entry(place, '/any-empty', 'returns nothing for unknown values', {
                hooks: [
                  onQuery(all(here, strange), (query) => query.set(name, String(first))),
                  onRows(all(here, strange), () => []),
                ],
              }),
            ]),
      ]
    : [];
}

/** Pairs of symbol and country that are not listed (§4.3). */
function unlistedFaults(): readonly OperatorFault[] {
  const path = '/etfs/summary-history';
  const entries = COUNTRIES.flatMap((country) =>
    ETF_SYMBOLS.filter((symbol) => !ETF_LISTINGS[country].includes(symbol)).flatMap((symbol) => {
      const when = forSymbol(symbol, country);
      const at = (end: string): string => `etfs-summary-history.${symbol}-${country}/${end}`;
      const title = (says: string): string => `${nameOf(path)}: ${symbol} in ${country} ${says}`;
      return [
        {
          at: at('answered'),
          title: title('is answered'),
          subtle,
          hooks: onQuery(when, (query) => query.set('symbol', 'BTC')),
        },
        {
          at: at('empty'),
          title: title('returns nothing'),
          subtle,
          hooks: [onQuery(when, (query) => query.set('symbol', 'BTC')), onRows(when, () => [])],
        },
        {
          at: at('as-unknown'),
          title: title('is refused as an unknown symbol'),
          subtle,
          hooks: refused('symbol', when),
        },
        {
          at: at('other-message'),
          title: title('is refused as a malformed symbol'),
          subtle,
          hooks: onQuery(when, () => {
            throw malformed('symbol', symbol, 'Not listed.', 'See GET /etfs.');
          }),
        },
        {
          at: at('crash'),
          title: title('returns 500'),
          subtle,
          hooks: crashing(when),
        },
      ] satisfies OperatorEntry[];
    }),
  );
  return faultsBy('unlisted', path, '4.3', entries);
}

/** Values, bounds and defaults of parameters. */
export const enumOperators = (): readonly OperatorFault[] => [
  ...parameterPlaces().flatMap((place) => {
    const by = (operator: string, entries: readonly OperatorEntry[]): readonly OperatorFault[] =>
      faultsBy(operator, place.path, sectionOf(place.path), entries);
    return [
      ...by('value', valueEntries(place)),
      ...by('letter-case', caseEntries(place)),
      ...by('bound', boundEntries(place)),
      ...by('default', defaultEntries(place)),
      ...by('lax', laxEntries(place)),
    ];
  }),
  ...unlistedFaults(),
];
