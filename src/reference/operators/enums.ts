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
  setting,
} from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { withoutMaximum } from '../../../suites/families/pages/paging-faults.ts';
import { entriesOf, faultsBy, faultsOn, nameOf, SHOULD } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { entriesAt, endpointParameters } from './parameters.ts';
import type { EndpointParameter } from './parameters.ts';
import { isUnlisted, valued } from './words.ts';

const refused = (name: string, when: Condition): Hooks =>
  onQuery(when, (query) => {
    throw notAllowed(name, query.get(name) ?? null, 'The value is not allowed.', null);
  });

/** One value of an enumeration is unknown, ignored, or mistaken for another. */
function valueEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, rule } = parameter;
  const values = rule.enum ?? [];
  const first = rule.required === true ? values[0] : rule.default;
  return values.flatMap((value, index) => {
    const when = all(here, valued(name, value));
    const next = values[(index + 1) % values.length] ?? value;
    const ignored =
      rule.required === true ? setting(name, String(first), when) : ignoring(name, when);
    return [
      add(`/${value}-refused`, `refuses ${value}`, refused(name, when)),
      add(`/${value}-crashes`, `returns 500 for ${value}`, crashing(when)),
      // A category or a listing may be empty; a language only affects the text of news.
      name === 'language' &&
        add(
          `/${value}-empty`,
          `finds nothing for ${value}`,
          onRows(when, () => []),
          SHOULD,
        ),
      // The value that stands in for an unknown one cannot be ignored.
      value !== first && add(`/${value}-ignored`, `ignores ${value}`, ignored),
      next !== value &&
        add(`/${value}-swapped`, `returns ${next} for ${value}`, setting(name, String(next), when)),
    ];
  });
}

/** Case-insensitive values. */
function caseEntries(parameter: EndpointParameter): readonly OperatorEntry[] {
  const add = entriesAt(parameter);
  const { name, here, rule } = parameter;
  if (rule.caseInsensitive !== true) return [];
  const forms = { lower: inLowerCase(name), mixed: inMixedCase(name) };
  return (rule.enum ?? []).flatMap((value) =>
    Object.entries(forms).map(([form, condition]) =>
      add(
        `/${value}-${form}`,
        `refuses ${value} in ${form} case`,
        refused(name, all(here, valued(name, value), condition)),
      ),
    ),
  );
}

const altered = (parameter: EndpointParameter, change: Partial<QueryParameter>): Hooks => ({
  rules(rules, path) {
    const rule = rules[parameter.name];
    return path === parameter.path && rule !== undefined
      ? { ...rules, [parameter.name]: { ...rule, ...change } }
      : rules;
  },
});

/** Bounds that are not enforced, or off by one. */
function boundEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { maximum, minimum } = parameter.rule;
  const bound = (at: string, says: string, change: Partial<QueryParameter>): OperatorEntry =>
    add(`/${at}`, says, altered(parameter, change));
  return [
    ...(maximum === undefined
      ? []
      : [
          bound('maximum-refused', `refuses ${maximum}`, { maximum: maximum - 1 }),
          bound('half-maximum', `refuses more than ${maximum / 2}`, { maximum: maximum / 2 }),
          bound('maximum-one-more', `uses ${maximum + 1} unchanged`, { maximum: maximum + 1 }),
          add('/no-maximum', 'has no maximum', withoutMaximum(parameter.path, parameter.name)),
        ]),
    ...(minimum === undefined
      ? []
      : [
          bound('minimum-refused', `refuses ${minimum}`, { minimum: minimum + 1 }),
          minimum > 1 &&
            bound('minimum-one-less', `uses ${minimum - 1} unchanged`, { minimum: minimum - 1 }),
        ]),
  ];
}

/** Fewer rows than any default gives. */
const FEW = 10;

function defaultEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, rule } = parameter;
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
      add(`/${value}`, `is ${value} by default`, setting(name, String(value), unsent)),
    ),
    name === 'page_size' &&
      add(
        `/${FEW}-on-page-2`,
        `is ${FEW} by default on page 2`,
        setting(name, String(FEW), all(unsent, asked('page', '2'))),
      ),
  ];
}

/** Optional required parameters, and accepted unlisted values. */
function laxEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, rule } = parameter;
  if (rule.required !== true) return [];
  const first = rule.enum === undefined ? (name === 'page' ? 1 : 20) : (rule.enum[0] ?? '');
  const strange: Condition = all(here, ({ query }) => isUnlisted(rule, query.get(name)));
  const stands = setting(name, String(first), strange);
  return [
    add('/optional', 'is optional', setting(name, String(first), all(here, notAsked(name)))),
    rule.enum !== undefined && add('/any', 'treats any value as the first allowed one', stands),
    rule.enum !== undefined &&
      add('/any-empty', 'returns nothing for unknown values', [stands, onRows(strange, () => [])]),
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
      const answered = setting('symbol', 'BTC', when);
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
  return faultsBy('unlisted', path, entries);
}

/** Values, bounds and defaults of parameters. */
export const enumOperators = (): readonly OperatorFault[] => [
  ...endpointParameters().flatMap((parameter) =>
    faultsOn(parameter.path, {
      value: valueEntries(parameter),
      'letter-case': caseEntries(parameter),
      bound: boundEntries(parameter),
      default: defaultEntries(parameter),
      lax: laxEntries(parameter),
    }),
  ),
  ...unlistedFaults(),
];
