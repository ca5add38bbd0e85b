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
import { entriesOf, faultsOn, nameOf, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { isUnlisted } from './words.ts';

/** One query parameter of an endpoint. */
export interface EndpointParameter {
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
function standIn({ name, rule }: EndpointParameter): string {
  if (rule.enum !== undefined) return String(rule.enum[0]);
  return name === 'page' ? '1' : '20';
}

/** Ignores the parameter; the envelope still shows the requested value. */
function ignored(parameter: EndpointParameter, when: Condition): Hooks | readonly Hooks[] {
  const { name, rule } = parameter;
  const hooks =
    rule.required === true
      ? onQuery(all(when, asked(name)), (query) => query.set(name, standIn(parameter)))
      : ignoring(name, when);
  return isPaging(name) ? [hooks, echoing(name, when)] : hooks;
}

/** The envelope shows the requested values, whatever was used. */
const echoing = (name: string, when: Condition): Hooks =>
  changePage(all(when, asked(name)), (_rows, _total, { query }) => ({
    [name]: Number(query.get(name)),
  }));

/** Changes the value that is used, if it is a number; the envelope still repeats the one that was sent. */
function shifted(
  { name }: EndpointParameter,
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

/** Makes entries of a parameter, which continue its part of the id, and its name in the title. */
export const entriesAt = ({ path, name }: EndpointParameter): ReturnType<typeof entriesOf> =>
  entriesOf(`${slugOf(path)}.${name}`, `${nameOf(path)}: ${name} `);

function ignoredEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, others } = parameter;
  return [
    add('', 'is ignored', ignored(parameter, here)),
    ...Object.entries(others)
      .filter(([other, rule]) => other !== name && rule.required !== true)
      .map(([other]) =>
        add(
          `/with-${other}`,
          `is ignored when ${other} is also sent`,
          ignored(parameter, all(here, asked(other))),
        ),
      ),
    'page' in others &&
      name !== 'page' &&
      add('/page-2', 'is ignored on page 2', ignored(parameter, all(here, onPage(2)))),
  ];
}

function shiftedEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, rule, others } = parameter;
  const most = rule.maximum ?? Number.MAX_SAFE_INTEGER;
  const least = rule.minimum ?? 1;
  if (rule.type === 'integer') {
    const page = name === 'page';
    const less = (when: Condition) =>
      shifted(parameter, when, (value) => Math.max(least, value - 1));
    return [
      add(
        '/one-more',
        page ? 'counts from 0' : 'returns one more',
        shifted(parameter, here, (value) => Math.min(most, value + 1)),
      ),
      !page && add('/one-less', 'returns one less', less(here)),
      !page &&
        'page' in others &&
        add('/one-less-on-page-2', 'returns one less on page 2', less(all(here, onPage(2)))),
    ];
  }
  if (rule.type !== 'date' && rule.type !== 'timestamp') return [];
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
  return [
    add('/a-day-wider', 'reaches a day too far', move(outward)),
    add('/exclusive', 'excludes its own day', move(-outward)),
  ];
}

/** A timestamp read as seconds, or a date in another format. */
function unitEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, rule } = parameter;
  const read = (change: (sent: string) => string): Hooks =>
    onQuery(all(here, asked(name)), (query) => query.set(name, change(query.get(name) ?? '')));
  const seconds = read((sent) => {
    const value = Number(sent);
    return Number.isSafeInteger(value) ? String(Math.min(value * 1000, 9e14)) : sent;
  });
  const otherForm = read((sent) =>
    sent.includes('/') ? sent.split('/').toReversed().join('-') : 'none',
  );
  return [
    rule.type === 'timestamp' && add('/seconds', 'is read as seconds', seconds),
    rule.type === 'date' &&
      add('/other-form', 'is only accepted in the format dd/MM/yyyy', otherForm),
  ];
}

/** Values that must not cause an internal error: which parameters have them, and whether one was sent. */
const BAD_VALUES: Readonly<
  Record<
    string,
    readonly [
      of: (rule: QueryParameter) => boolean,
      is: (sent: string, rule: QueryParameter) => boolean,
    ]
  >
> = {
  text: [
    (rule) => rule.type !== 'string' || rule.enum !== undefined,
    (sent, rule) =>
      sent !== '' &&
      (rule.enum === undefined
        ? Number.isNaN(rule.type === 'date' ? Date.parse(sent) : Number(sent))
        : !rule.enum.some((value) => sent.split(',').includes(String(value))) &&
          isUnlisted(rule, sent)),
  ],
  empty: [() => true, (sent) => sent === ''],
  zero: [({ type }) => type === 'integer', (sent) => Number(sent) === 0 && sent !== ''],
  negative: [({ type }) => type === 'integer', (sent) => Number(sent) < 0],
  'over-maximum': [
    ({ maximum }) => maximum !== undefined,
    (sent, { maximum }) => Number(sent) > (maximum ?? Number.POSITIVE_INFINITY),
  ],
};

/** The range ends before it begins. */
const startsAfter =
  (start: string, end: string): Condition =>
  ({ query }) => {
    const [from = '', to = ''] = [query.get(start), query.get(end)];
    return /^\d{13}$|-/.test(from) && from.length === to.length && from > to;
  };

function crashEntries(parameter: EndpointParameter): readonly (OperatorEntry | false)[] {
  const add = entriesAt(parameter);
  const { name, here, rule, others } = parameter;
  const crash = (at: string, says: string, when: Condition): OperatorEntry =>
    add(at, says, crashing(all(here, when)));
  const end = Object.keys(others).find((other) => isRangeEnd(other) && isRangeStart(name));
  return [
    ...Object.entries(BAD_VALUES).map(
      ([kind, [of, is]]) =>
        of(rule) &&
        crash(`/${kind}`, `returns 500 when it is ${kind.replace('-', ' the ')}`, ({ query }) => {
          const sent = query.get(name);
          return sent !== undefined && is(sent, rule);
        }),
    ),
    end !== undefined &&
      crash('/after-its-end', `returns 500 when it is after ${end}`, startsAfter(name, end)),
    crash('/sent', 'returns 500 when sent', asked(name)),
    ...Object.entries(others)
      // Each pair once, and only where both are optional.
      .filter(([other, its]) => other > name && its.required !== true && rule.required !== true)
      .map(([other]) =>
        crash(`/with-${other}`, `and ${other} together return 500`, all(asked(name), asked(other))),
      ),
    rule.required === true && crash('/left-out', 'returns 500 when omitted', notAsked(name)),
  ];
}

/** Query parameters of all endpoints with what belongs to them. */
export function endpointParameters(): readonly EndpointParameter[] {
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
  endpointParameters().flatMap((parameter) =>
    faultsOn(parameter.path, {
      ignored: ignoredEntries(parameter),
      'off-by-one': shiftedEntries(parameter),
      'other-unit': unitEntries(parameter),
      crash: crashEntries(parameter),
    }),
  );
