// Requirements on the fields of §2, derived from the schemas and judged by schema validation.
import { check, part, type Check } from '../../src/ask/index.ts';
import { endpoint, ENDPOINT_PATHS, type EndpointPath } from '../../src/spec/endpoints.ts';
import {
  FIELDS,
  PAGE,
  PAGE_FIELDS,
  RESOURCES,
  type Field,
  type FieldKind,
  type ResourceName,
  type Value,
} from '../../src/spec/resources.ts';
import {
  must,
  ofEndpoints,
  type Advice,
  type Definition,
} from '../../src/requirements/definition.ts';
import { judgeEach, type Judge } from '../../src/judge/judge.ts';
import { fieldFinding, fieldProblems } from '../../src/judge/shapes.ts';
import { valuesAt } from '../../src/judge/values-at.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { atPosition, shownAt } from './resource-requests.ts';

type FieldRequirements = Readonly<Record<Field['id'], Definition>>;

/** One must requirement per field. Resources that share a field share its requirement. */
export function fieldsOf(...resources: readonly ResourceName[]): FieldRequirements {
  const entries = new Map<Field['id'], Definition>();
  for (const resource of resources) {
    for (const field of FIELDS[resource]) {
      if (entries.has(field.id)) continue;
      const name = field.path.slice(1).replaceAll('/*', '[]').replaceAll('/', '.');
      const endpoints = endpointsWith(field.id);
      entries.set(
        field.id,
        must({
          title: `\`${name}\` of ${RESOURCES[resource].called} is ${field.is}`,
          clauses: field.clauses,
          ...adviceOn(name, field),
          ...ofEndpoints(...endpoints),
          rulings: rulingsOf(field),
          ...(field.value.annotations.basis === 'contradictory'
            ? { basis: 'contradictory' as const }
            : {}),
          checks: checksOf(endpoints),
          judge: keepsSchema(field, endpoints, isReached),
        }),
      );
    }
  }
  return Object.fromEntries(entries);
}

const PAGED = ENDPOINT_PATHS.filter((path) => endpoint(path).response.kind === 'page');

/** One must requirement per field of the paging envelope (§2.5, §2.7). */
export const pageFields = (): FieldRequirements =>
  Object.fromEntries(
    PAGE_FIELDS.map((field) => [
      field.id,
      must({
        title: `\`${field.path.slice(1)}\` of ${PAGE.called} is ${field.is}`,
        clauses: [...field.clauses, '2.7 page envelope'],
        endpoints: PAGED,
        ...adviceOn(field.path.slice(1), field),
        checks: [check(shownAt(...PAGED))],
        judge: keepsSchema(field, PAGED, ({ body }) => isObject(body)),
      }),
    ]),
  );

/**
 * §2: every record has the field, with the specified type.
 * @param isShown whether an answer contains something that needs the field
 */
function keepsSchema(
  { id }: Field,
  endpoints: readonly EndpointPath[],
  isShown: (view: View, id: Field['id']) => boolean,
): Judge {
  return judgeEach((view, context, it) => {
    if (!endpoints.some((one) => one === view.exchange.endpoint)) return;
    const problems = fieldProblems(view, context);
    if (problems === undefined) return;
    if (isShown(view, id)) it.judged(view);
    for (const problem of problems) {
      if (problem.breaks === id) it.found(view, fieldFinding(view, problem));
    }
  });
}

/** Whether any record should have the field: it has the parent of a path such as `/fundraising_rounds/*`. */
function isReached({ resource, records }: View, id: Field['id']): boolean {
  const { path } = (resource === null ? [] : FIELDS[resource]).find((one) => one.id === id) ?? {};
  if (path === undefined) return false;
  return records.some(({ value }) => {
    const root = { pointer: '', value };
    if (path.endsWith('/*')) return valuesAt(root, path).length > 0;
    return valuesAt(root, path.slice(0, path.lastIndexOf('/'))).some((one) => isObject(one.value));
  });
}

/** Whether a value contains a timestamp of type String. */
const holdsTimes = ({ members, element }: Value): boolean =>
  [...Object.values(members ?? {}), ...(element === undefined ? [] : [element])].some(
    (inner) => inner.kind === 'stringTimestamp' || holdsTimes(inner),
  );

/** Endpoints whose records have the field. */
const endpointsWith = (id: Field['id']): readonly EndpointPath[] =>
  ENDPOINT_PATHS.filter((path) => {
    const { resource } = endpoint(path).response;
    return resource !== undefined && FIELDS[resource].some((field) => field.id === id);
  });

/** Objects vary: a field that is empty in one may be filled in the next. */
const checksOf = (paths: readonly EndpointPath[]): readonly Check[] => [
  check(shownAt(...paths)),
  ...paths
    .filter((path) => endpoint(path).response.kind === 'object')
    .map((path) => part('in a second record', (context) => atPosition(path)(1, context))),
];

/** Rulings on types: decimals (1) and timestamps (2). */
const RULINGS: Readonly<Partial<Record<FieldKind, number>>> = {
  decimal: 1,
  number: 1,
  integer: 1,
  milliseconds: 2,
  'string-timestamp': 2,
};
/** The rulings on a field: on its type, and on null and missing fields (3). */
const rulingsOf = ({ kind, value }: Field): readonly number[] =>
  [holdsTimes(value) ? 2 : RULINGS[kind], 3].filter((one) => one !== undefined);

/** Advice by field type: what goes wrong, then its usual causes. */
const ADVICE: Readonly<Record<FieldKind | 'nullable', readonly [string, ...string[]]>> = {
  nullable: [
    'null has a meaning for {field}: 0 or an empty value would be mistaken for a real value.',
    'A missing value is sent as 0 or "" instead of null, or the field is omitted.',
    'The value has the type of its database column instead of the specified type.',
  ],
  decimal: [
    'Clients compute with {field}; anything but a number or a decimal string breaks them or silently becomes NaN.',
    'The value is null or missing when there is no figure.',
    'The string is empty, or formatted for display, with thousands separators, a percent sign or an exponent.',
  ],
  milliseconds: [
    'A {field} in a different unit becomes a date in 1970 or the year 50000, and silently breaks sorting.',
    'The value is in seconds (ten digits) instead of milliseconds (thirteen).',
    'The value is sent as a string, in ISO 8601 format or as a number in quotes.',
  ],
  'string-timestamp': [
    '{field} is specified as a string; a number or an empty string breaks clients that parse it.',
    'The timestamp is sent as a number.',
    'The value is an empty string for assets with an unknown date.',
  ],
  integer: [
    'Clients compare and add {field}: the string "12" sorts before "9", and their sum is "129".',
    'The number is sent as a string, often because it comes from a 64-bit column or a cache.',
    'The value is missing or null instead of 0.',
    'The value has a fractional part, because it is computed or stored as a floating-point number.',
  ],
  number: [
    '{field} is specified as a number: typed clients fail to parse a string, and others compute nonsense.',
    'Decimals are serialised as strings to keep their precision, which is only allowed for BigDecimal fields.',
    'The value is "" or null when there is no figure.',
    'The figure has a unit, such as "3.2%" or "210K".',
  ],
  date: [
    'Rows are joined with other sources by {field}; a different format matches nothing.',
    'The date has a time of day or a time zone.',
    'The value is a timestamp in milliseconds, as in an older description of the field.',
  ],
  choice: [
    'Clients branch on {field} and do not handle unlisted values.',
    'An internal value is passed through.',
    'A number is sent as a string, or a string is sent in a different case.',
  ],
  array: [
    'Clients loop over {field}; a different shape causes an exception in production.',
    'null is sent instead of an empty array.',
    'Members of the elements are missing or renamed, for example in camelCase instead of snake_case.',
  ],
  object: [
    'Clients access members of {field} without checks and fail when it is not an object.',
    'null is sent instead of an object with empty members.',
    'Members are missing or renamed.',
  ],
  string: [
    '{field} is specified as a string, so clients use it as one.',
    'The field is missing or null instead of an empty string.',
    'An identifier is sent as a number, which loses digits beyond 2^53.',
  ],
};

function adviceOn(name: string, { kind, nullable }: Field): Advice {
  const [why, ...usually] = ADVICE[nullable ? 'nullable' : kind];
  return { why: why.replace('{field}', `\`${name}\``), usually };
}
