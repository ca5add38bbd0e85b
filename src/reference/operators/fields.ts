import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import { FEATURED_EXCLUDED_FIELDS } from '../../spec/values.ts';
import { FIELDS, VALUES } from '../../spec/resources.ts';
import type { Kind, ResourceName, Value, ValueAtPath } from '../../spec/resources.ts';
import type { Hooks } from '../hooks.ts';
import { retyped, textOf } from '../json.ts';
import { all, edit, endpointIs, onPage } from '../vocabulary.ts';
import type { Condition, RecordChange } from '../vocabulary.ts';
import type { Json } from '../world.ts';
import { faultsBy, nameOf, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';
import { forEntity, onChosenRows, onObject } from './words.ts';
import type { Rows } from './words.ts';

/** One way in which a field can be wrong. */
interface Defect {
  readonly operator: string;
  readonly says: string;
  /** `must`, `should`, or undefined when a value of this kind may be so. */
  readonly level: (stated: Value) => 'must' | 'should' | undefined;
  readonly change: (value: Json, kind: Kind) => Json | undefined;
}

/** Values that may be missing or unknown. */
const FIGURES: readonly Kind[] = [
  'number',
  'integer',
  'bigDecimal',
  'long',
  'longTime',
  'etfVolume',
  'newsCategory',
  'longMs',
  'decimalText',
  'stringTimestamp',
  'dateText',
  'date',
];

const DEFECTS: readonly Defect[] = [
  {
    operator: 'missing',
    says: 'is missing',
    level: () => 'must',
    change: () => undefined,
  },
  {
    operator: 'null',
    says: 'is null',
    // A figure or a date that cannot exist may be null, but not in every record.
    level({ kind, nullable }) {
      if (FIGURES.includes(kind)) return 'should';
      return nullable ? undefined : 'must';
    },
    change: () => null,
  },
  {
    operator: 'retyped',
    says: 'has a different type',
    level: () => 'must',
    change: mistyped,
  },
  {
    operator: 'emptied',
    says: 'is an empty string',
    level({ kind }) {
      if (kind === 'stringTimestamp' || kind === 'date') return 'must';
      return ['identifier', 'enum', 'dateText'].includes(kind) ? 'should' : undefined;
    },
    change: (value) => (typeof value === 'string' ? '' : value),
  },
  {
    operator: 'other-unit',
    says: 'is in a different unit',
    level: ({ kind }) => (kind === 'longMs' || kind === 'date' ? 'must' : undefined),
    change(value) {
      if (typeof value === 'number') return Math.floor(value / 1000);
      return textOf(value).split('-').toReversed().join('/');
    },
  },
];

/** The value in a type that its kind never allows. */
function mistyped(value: Json, kind: Kind): Json {
  if (kind === 'bigDecimal' || kind === 'etfVolume') return `${textOf(value)} USD`;
  // A timestamp of unstated type may be a number or a string.
  if (kind === 'anyTimestamp') return { time: value };
  return retyped(value);
}

/** Where a defect shows. */
interface Where {
  readonly name: string;
  readonly says: string;
  readonly when: Condition;
  readonly rows: Rows;
}

/** The only entity with a defect: the second of its list. */
const SECOND = 1;

function wheresOf(path: EndpointPath, pointer: string): readonly Where[] {
  const here = endpointIs(path);
  const { path: parameters, response } = factsOf(path);
  const where = (name: string, says: string, when = here, rows: Rows = 'every'): Where => ({
    name,
    says,
    when,
    rows,
  });
  // Not every entity has nested values.
  const hasEntities = Object.keys(parameters).length > 0 && pointer.lastIndexOf('/') === 0;
  const wheres: readonly (Where | false)[] = [
    where('', ''),
    hasEntities && where('/one-entity', ' for the second entity only', forEntity(path, SECOND)),
    ...(response.kind === 'object'
      ? []
      : [
          where('/first', ' in the first row only', here, 'first'),
          where('/last', ' in the last row only', here, 'last'),
          where('/middle', ' in a middle row only', here, 'middle'),
        ]),
    response.kind === 'page' && where('/page-2', ' on page 2 only', all(here, onPage(2))),
  ];
  return wheres.filter((one) => one !== false);
}

function hooksAt(path: EndpointPath, where: Where, pointer: string, change: RecordChange): Hooks {
  return factsOf(path).response.kind === 'object'
    ? onObject(where.when, change)
    : onChosenRows(where.when, where.rows, pointer, change);
}

/**
 * Defects that a shape alone decides are seen by the same requests and the same rule: where one shows in one position
 * only, they rotate, so that every field has each of its positions and each of its defects, but not every pair of them.
 */
const ROTATION = ['missing', 'null', 'retyped'];

function isInRotation(operator: string, field: number, where: number): boolean {
  const slot = ROTATION.indexOf(operator);
  return slot === -1 || where === 0 || (field + where) % ROTATION.length === slot;
}

function faultsOfField(
  path: EndpointPath,
  resource: ResourceName,
  { path: valuePath, value: stated }: ValueAtPath,
  index: number,
): readonly OperatorFault[] {
  // The innermost one is judged.
  const around = FIELDS[resource].findLast(
    (one) => valuePath === one.path || valuePath.startsWith(`${one.path}/`),
  );
  const field = valuePath.slice(1).replaceAll('/*', '').replaceAll('/', '.');
  return DEFECTS.flatMap(({ operator, says, level: levelOf, change }) => {
    const level = levelOf(stated);
    if (level === undefined) return [];
    const wheres = wheresOf(path, valuePath).filter((_, where) =>
      isInRotation(operator, index, where),
    );
    const entries = wheres.map((where): OperatorEntry => ({
      at: `${slugOf(path)}.${field}${where.name}`,
      title: `${nameOf(path)}: ${field} ${says}${where.says}`,
      ...(level === 'should' && { level }),
      ...(around !== undefined && { field: around.id }),
      hooks: hooksAt(
        path,
        where,
        valuePath,
        edit(valuePath, (value) => change(value, stated.kind)),
      ),
    }));
    return faultsBy(operator, path, entries);
  });
}

/** What only one of the two lists of news has comes last, so that the same field has the same slot in both. */
function valuesInOrder(resource: ResourceName): readonly ValueAtPath[] {
  if (resource !== 'news-item') return VALUES[resource];
  const isOwn = ({ path }: ValueAtPath): boolean =>
    FEATURED_EXCLUDED_FIELDS.some((name) => path === `/${name}`);
  const values = VALUES[resource];
  return [...values.filter((one) => !isOwn(one)), ...values.filter(isOwn)];
}

/** Every value of §2 with every defect, in every position where it can occur alone. */
export const fieldOperators = (): readonly OperatorFault[] =>
  ENDPOINT_PATHS.flatMap((path) => {
    const { resource } = factsOf(path).response;
    if (resource === undefined) return [];
    return valuesInOrder(resource).flatMap((stated, index) =>
      faultsOfField(path, resource, stated, index),
    );
  });
