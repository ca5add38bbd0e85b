import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath, QueryParameter } from '../../spec/endpoints.ts';
import { DAY } from '../../spec/time.ts';
import type { Hooks } from '../hooks.ts';
import {
  all,
  asked,
  crashing,
  endpointIs,
  ignoring,
  notAsked,
  onPage,
  onQuery,
} from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { changePage } from '../../../suites/families/pages/paging-faults.ts';
import { faultsBy, nameOf, sectionOf, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';

/** One query parameter of an endpoint. */
interface Place {
  readonly path: EndpointPath;
  readonly name: string;
  readonly rule: QueryParameter;
  readonly others: Readonly<Record<string, QueryParameter>>;
  readonly here: Condition;
}

const isRangeStart = (name: string): boolean => name.startsWith('start_');
const isRangeEnd = (name: string): boolean => name.startsWith('end_');
const isPaging = (name: string): boolean => name === 'page' || name === 'page_size';

/** Ignores a required parameter: its first value, page 1, pages of 20. */
function standIn({ name, rule }: Place): string {
  if (rule.enum !== undefined) return String(rule.enum[0]);
  return name === 'page' ? '1' : '20';
}

/** Ignores the parameter; the envelope still shows the requested value. */
function ignored(place: Place, when: Condition): Hooks | readonly Hooks[] {
  const { name, rule } = place;
  const hooks =
    rule.required === true
      ? onQuery(all(when, asked(name)), (query) => query.set(name, standIn(place)))
      : ignoring(name, when);
  return isPaging(name) ? [hooks, echoing(name, when)] : hooks;
}

/** The envelope shows the requested values, whatever was used. */
const echoing = (name: string, when: Condition): Hooks => ({
  body: (value, context) =>
    changePage(all(when, asked(name)), () => ({ [name]: Number(context.query.get(name)) })).body?.(
      value,
      context,
    ) ?? value,
});

/** Changes the value that is used, if it is a number; the envelope still repeats the one that was sent. */
function shifted(
  { name }: Place,
  when: Condition,
  change: (value: number) => number,
): readonly Hooks[] {
  return [
    onQuery(all(when, asked(name)), (query) => {
      const value = Number(query.get(name));
      if (Number.isInteger(value) && value > 0) query.set(name, String(change(value)));
    }),
    echoing(name, when),
  ];
}

/** A fault at a parameter: `at` continues its place in the id, `says` its name in the title. */
export const entry = (place: Place, at: string, says: string, rest: Partial<OperatorEntry>) =>
  ({
    at: `${slugOf(place.path)}.${place.name}${at}`,
    title: `${nameOf(place.path)}: ${place.name} ${says}`,
    ...rest,
  }) satisfies OperatorEntry;

const subtle = true;

function ignoredEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, others } = place;
  const paged = 'page' in others;
  return [
    entry(place, '', 'is ignored', { hooks: ignored(place, here) }),
    ...Object.entries(others)
      .filter(([other, rule]) => other !== name && rule.required !== true)
      .map(([other]) =>
        entry(place, `/with-${other}`, `is ignored when ${other} is also sent`, {
          subtle,
          hooks: ignored(place, all(here, asked(other))),
        }),
      ),
    ...(paged && name !== 'page'
      ? [
          entry(place, '/page-2', 'is ignored on page 2', {
            subtle,
            hooks: ignored(place, all(here, onPage(2))),
          }),
        ]
      : []),
  ];
}

function shiftedEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule, others } = place;
  const most = rule.maximum ?? Number.MAX_SAFE_INTEGER;
  const least = rule.minimum ?? 1;
  if (rule.type === 'integer') {
    const page = name === 'page';
    return [
      entry(place, '/one-more', page ? 'counts from 0' : 'returns one more', {
        hooks: shifted(place, here, (value) => Math.min(most, value + 1)),
      }),
      ...(page
        ? []
        : [
            entry(place, '/one-less', 'returns one less', {
              hooks: shifted(place, here, (value) => Math.max(least, value - 1)),
            }),
          ]),
      ...('page' in others && !page
        ? [
            entry(place, '/one-less-on-page-2', 'returns one less on page 2', {
              subtle,
              hooks: shifted(place, all(here, onPage(2)), (value) => Math.max(least, value - 1)),
            }),
          ]
        : []),
    ];
  }
  const outward = isRangeEnd(name) ? 1 : -1;
  const move = (days: number): Hooks =>
    onQuery(all(here, asked(name)), (query) => {
      const sent = query.get(name) ?? '';
      const value = rule.type === 'date' ? Date.parse(sent) : Number(sent);
      if (!Number.isFinite(value)) return;
      const moved = value + days * DAY;
      query.set(
        name,
        rule.type === 'date' ? new Date(moved).toISOString().slice(0, 10) : String(moved),
      );
    });
  if (rule.type !== 'date' && rule.type !== 'timestamp') return [];
  return [
    entry(place, '/a-day-wider', 'reaches a day too far', { subtle, hooks: move(outward) }),
    entry(place, '/exclusive', 'excludes its own day', { subtle, hooks: move(-outward) }),
  ];
}

/** A timestamp read as seconds, or a date in another format. */
function unitEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule } = place;
  if (rule.type === 'timestamp') {
    return [
      entry(place, '/seconds', 'is read as seconds', {
        hooks: onQuery(all(here, asked(name)), (query) => {
          const value = Number(query.get(name));
          if (Number.isSafeInteger(value)) query.set(name, String(Math.min(value * 1000, 9e14)));
        }),
      }),
    ];
  }
  if (rule.type === 'date') {
    return [
      entry(place, '/other-form', 'is only accepted in the format dd/MM/yyyy', {
        hooks: onQuery(all(here, asked(name)), (query) => {
          const value = query.get(name) ?? '';
          query.set(name, value.includes('/') ? value.split('/').toReversed().join('-') : 'none');
        }),
      }),
    ];
  }
  return [];
}

/** Internal errors, which no value may cause. */
const BAD_VALUES: Readonly<Record<string, (rule: QueryParameter) => string | undefined>> = {
  text: () => 'abc',
  empty: () => '',
  zero: ({ type }) => (type === 'integer' ? '0' : undefined),
  negative: ({ type }) => (type === 'integer' ? '-1' : undefined),
  'over-maximum': ({ maximum }) => (maximum === undefined ? undefined : String(maximum + 1)),
};

const isBad: Readonly<Record<string, (sent: string, rule: QueryParameter) => boolean>> = {
  text: (sent, rule) =>
    sent !== '' &&
    (rule.enum === undefined
      ? Number.isNaN(rule.type === 'date' ? Date.parse(sent) : Number(sent))
      : !rule.enum.some((value) => sent.split(',').includes(String(value))) &&
        !rule.enum.some((value) => String(value).toLowerCase() === sent.toLowerCase())),
  empty: (sent) => sent === '',
  zero: (sent) => Number(sent) === 0 && sent !== '',
  negative: (sent) => Number(sent) < 0,
  'over-maximum': (sent, { maximum }) => Number(sent) > (maximum ?? Number.POSITIVE_INFINITY),
};

/** The range ends before it begins. */
const startsAfter =
  (start: string, end: string): Condition =>
  ({ query }) => {
    const [from = '', to = ''] = [query.get(start), query.get(end)];
    return /^\d{13}$|-/.test(from) && from.length === to.length && from > to;
  };

function crashEntries(place: Place): readonly OperatorEntry[] {
  const { name, here, rule, others } = place;
  const open = rule.type === 'string' && rule.enum === undefined;
  const bad = Object.keys(BAD_VALUES).filter(
    (kind) => BAD_VALUES[kind]?.(rule) !== undefined && !(open && kind === 'text'),
  );
  const end = Object.keys(others).find((other) => isRangeEnd(other) && isRangeStart(name));
  return [
    ...bad.map((kind) =>
      entry(place, `/${kind}`, `returns 500 when it is ${kind.replace('-', ' the ')}`, {
        subtle,
        hooks: crashing(
          all(here, ({ query }) => {
            const sent = query.get(name);
            return sent !== undefined && isBad[kind]?.(sent, rule) === true;
          }),
        ),
      }),
    ),
    ...(end === undefined
      ? []
      : [
          entry(place, '/after-its-end', `returns 500 when it is after ${end}`, {
            subtle,
            hooks: crashing(all(here, startsAfter(name, end))),
          }),
        ]),
    entry(place, '/sent', 'returns 500 when sent', {
      hooks: crashing(all(here, asked(name))),
    }),
    ...Object.entries(others)
      // Each pair once, and only where both are optional.
      .filter(([other, its]) => other > name && its.required !== true && rule.required !== true)
      .map(([other]) =>
        entry(place, `/with-${other}`, `and ${other} together return 500`, {
          subtle,
          hooks: crashing(all(here, asked(name), asked(other))),
        }),
      ),
    ...(rule.required === true
      ? [
          entry(place, '/left-out', 'returns 500 when omitted', {
            subtle,
            hooks: crashing(all(here, notAsked(name))),
          }),
        ]
      : []),
  ];
}

/** Query parameters of all endpoints with what belongs to them. */
export function parameterPlaces(): readonly Place[] {
  return ENDPOINT_PATHS.flatMap((path) => {
    const { query } = factsOf(path);
    return Object.entries(query).map(([name, rule]) => ({
      path,
      name,
      rule,
      others: query,
      here: endpointIs(path),
    }));
  });
}

/** Parameters that are ignored, misread, or crash the server. */
export const parameterOperators = (): readonly OperatorFault[] =>
  parameterPlaces().flatMap((place) => {
    const by = (operator: string, entries: readonly OperatorEntry[]): readonly OperatorFault[] =>
      faultsBy(operator, place.path, sectionOf(place.path), entries);
    return [
      ...by('ignored', ignoredEntries(place)),
      ...by('off-by-one', shiftedEntries(place)),
      ...by('other-unit', unitEntries(place)),
      ...by('crash', crashEntries(place)),
    ];
  });
export type { Place };
