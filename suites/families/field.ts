// Requirements on the fields of §2, derived from the schemas and judged by schema validation.
import { check, part, type Check } from '../../src/ask/index.ts';
import type { Need } from '../../src/ask/need.ts';
import {
  endpoint,
  ENDPOINT_PATHS,
  ENDPOINTS,
  type Endpoint,
  type EndpointPath,
} from '../../src/spec/endpoints.ts';
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
import { must, type Advice, type Definition } from '../../src/requirements/definition.ts';
import { judgeEach, type Judge } from '../../src/judge/judge.ts';
import { fieldFinding, fieldProblems } from '../../src/judge/shapes.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { atPlace, shownAt } from './resource-requests.ts';

type FieldRequirements = Readonly<Record<Field['id'], Definition>>;

/** One must requirement per field. Resources that share a field share its requirement. */
export function fieldsOf(...resources: readonly ResourceName[]): FieldRequirements {
  const entries = new Map<Field['id'], Definition>();
  for (const resource of resources) {
    for (const field of FIELDS[resource]) {
      if (entries.has(field.id)) continue;
      const name = field.place.slice(1).replaceAll('/*', '[]').replaceAll('/', '.');
      const endpoints = endpointsWith(field.id);
      entries.set(
        field.id,
        must({
          title: `\`${name}\` of ${RESOURCES[resource].called} is ${field.is}`,
          clauses: field.clauses,
          ...adviceOn(name, field),
          endpoints,
          rulings: rulingsOf(field),
          needs: needsOf(resource),
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
        title: `\`${field.place.slice(1)}\` of ${PAGE.called} is ${field.is}`,
        clauses: [...field.clauses, '2.7 page envelope'],
        endpoints: PAGED,
        ...adviceOn(field.place.slice(1), field),
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

/** Whether any record should have the field. */
function isReached({ resource, records }: View, id: Field['id']): boolean {
  const field = resource === null ? undefined : FIELDS[resource].find((one) => one.id === id);
  return field !== undefined && records.some(({ value }) => reaches(value, field.place));
}

/** Whether a record has the parent of a place such as `/fundraising_rounds/*`. */
function reaches(record: unknown, at: string): boolean {
  const [, ...keys] = at.split('/');
  let level: readonly unknown[] = [record];
  for (const [index, key] of keys.entries()) {
    if (index === keys.length - 1 && key !== '*') return level.some(isObject);
    level = level.flatMap((value) => {
      if (key === '*') return Array.isArray(value) ? (value as readonly unknown[]) : [];
      return isObject(value) && key !== undefined ? [value[key]] : [];
    });
  }
  return level.length > 0;
}

function needsOf(resource: ResourceName): readonly Need[] {
  const kinds = (Object.values(ENDPOINTS) as Endpoint[])
    .filter((candidate) => candidate.response.resource === resource)
    .flatMap((candidate) => Object.values(candidate.path));
  return [...new Set(kinds)];
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
    .map((path) => part('in a second record', (context) => atPlace(path)(1, context))),
];

/** Rulings on types: decimals (1), timestamps (2), null and missing fields (3). */
function rulingsOf(field: Field): readonly number[] {
  if (holdsTimes(field.value)) return [2, 3];
  switch (field.kind) {
    case 'decimal':
    case 'number':
    case 'integer':
      return [1, 3];
    case 'milliseconds':
    case 'string-timestamp':
      return [2, 3];
    default:
      return [3];
  }
}

/** Advice by field type. */
const ADVICE: Readonly<Record<FieldKind | 'nullable', (field: string) => Advice>> = {
  nullable: (field) => ({
    why: `null has a meaning for ${field}: a reader that takes it for 0 or for an empty value reports figures that do not exist.`,
    usually: [
      'A missing value is sent as 0, as "" or by leaving the field out, instead of null.',
      'null is sent for another field of the same record, where no clause allows it.',
      'The number is sent as a string, because the column it comes from is a decimal.',
    ],
  }),
  decimal: (field) => ({
    why: `Readers compute with ${field}; anything but a number or a plain decimal string breaks them or turns silently into NaN.`,
    usually: [
      'The value is null or missing for an asset that has no figure yet.',
      'The string is made for people: thousands separators, a percent sign, an exponent, or an empty text.',
    ],
  }),
  milliseconds: (field) => ({
    why: `A ${field} in another unit lands in 1970 or in the year 50000, and sorting across sources breaks without an error.`,
    usually: [
      'The value is in seconds (ten digits) instead of milliseconds (thirteen).',
      'The value is sent as a string, as ISO 8601 or in quotes.',
    ],
  }),
  'string-timestamp': (field) => ({
    why: `${field} is promised to be a text; a number or an empty text breaks readers that parse it.`,
    usually: [
      'The timestamp is sent as a number.',
      'It is an empty text for assets whose date is not known.',
    ],
  }),
  integer: (field) => ({
    why: `${field} is counted with or compared; a text "12" sorts after "9" and adds up to "129".`,
    usually: [
      'The number is sent in quotes, often because it comes from a 64-bit column or a cache of texts.',
      'It is missing or null while the count is 0.',
      'It carries a fraction, such as 3.0 from a language without integers.',
    ],
  }),
  number: (field) => ({
    why: `Readers in typed languages fail to parse a text where ${field} is promised to be a number; others compute nonsense.`,
    usually: [
      'Decimals are serialised as strings to keep their precision; only the fields that the specification calls BigDecimal may be strings.',
      'The value is "" or null while there is none.',
      'The figure comes with a unit, such as "3.2%" or "210K".',
    ],
  }),
  date: (field) => ({
    why: `${field} is the key by which rows are joined with other sources; another form joins with nothing.`,
    usually: [
      'The date carries a time of day or a zone.',
      'It is a timestamp in milliseconds, as an older description of the field says.',
    ],
  }),
  choice: (field) => ({
    why: `Readers branch on ${field}; a value that is not listed ends in the wrong branch, or in none.`,
    usually: [
      'A value outside the listed ones is passed on from an internal table.',
      'The number is sent as a text, or the text in another letter case.',
    ],
  }),
  array: (field) => ({
    why: `Readers loop over ${field}; a value of another shape is an exception in production, not a missing row.`,
    usually: [
      'null is sent where an empty array is promised.',
      'Members of the elements are missing or renamed, such as camelCase instead of snake_case.',
    ],
  }),
  object: (field) => ({
    why: `Readers reach into ${field} without asking; when it is null or a text they stop.`,
    usually: [
      'null is sent when there is nothing to say, where an object with empty members is promised.',
      'Members are missing or renamed.',
    ],
  }),
  string: (field) => ({
    why: `${field} is promised to be there and to be a text, so readers call text functions on it.`,
    usually: [
      'The field is left out or null for records that have nothing to say; an empty text is expected then.',
      'An identifier is sent as a number, and loses its last digits beyond 2^53.',
    ],
  }),
};

const adviceOn = (name: string, { kind, nullable }: Field): Advice =>
  ADVICE[nullable ? 'nullable' : kind](`\`${name}\``);
