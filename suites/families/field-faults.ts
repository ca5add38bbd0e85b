import { endpoint, ENDPOINT_PATHS } from '../../src/contract/endpoints.ts';
import {
  FIELDS,
  MAY_NOT_EXIST,
  PAGE_FIELDS,
  RESOURCE_NAMES,
} from '../../src/contract/resources.ts';
import type { Field, ResourceName } from '../../src/contract/resources.ts';
import { sectionOf, type RequirementId } from '../../src/contract/requirement-id.ts';
import { isObject, retyped, rowsOf, textOf } from '../../src/reference/json.ts';
import {
  always,
  edit,
  endpointIs,
  firstRow,
  onBody,
  onRecord,
  oneRowIn,
} from '../../src/reference/vocabulary.ts';
import type { Condition, RecordChange } from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';

/** Names a field of §2 in an id: `/fundraising_rounds/*` becomes `fundraising-rounds-item`. */
const slug = (place: string): string =>
  place.slice(1).replaceAll('/*', '-item').replaceAll('/', '-').replaceAll('_', '-');

/** What a fault does to the value of a field; `undefined` leaves it out. */
interface Defect {
  readonly name: 'omit' | 'retype' | 'null';
  readonly says: string;
  readonly change: (value: Json) => Json | undefined;
}

const OMIT: Defect = { name: 'omit', says: 'left out', change: () => undefined };
const NULL: Defect = { name: 'null', says: 'null', change: () => null };
const RETYPE: Defect = {
  name: 'retype',
  says: 'of another type',
  change: (value) => retyped(value),
};
/** A decimal may be a string, but not any string. */
const UNREADABLE: Defect = {
  name: 'retype',
  says: 'a text with a unit',
  change: (value) => `${textOf(value)} USD`,
};

/** Whether null is a value that the field may have. */
const isNullable = (field: Field): boolean => field.nullable;

/** A null of such a field breaks another requirement than its own (ruling 3). */
const mayNotExist = (resource: ResourceName, { place }: Field): boolean =>
  MAY_NOT_EXIST[resource].includes(place);

/** The defects in turn, so that each kind of field sees each kind of defect. */
function defectOf(resource: ResourceName, field: Field, index: number): Defect {
  // An element of an array that is left out is one less, not a field that is missing.
  if (field.place.endsWith('*')) return RETYPE;
  const kind = index % 3;
  if (kind === 0) return OMIT;
  if (kind === 1 && !isNullable(field) && !mayNotExist(resource, field)) return NULL;
  return field.kind === 'decimal' ? UNREADABLE : RETYPE;
}

/** Which rows of a list show the defect, and how a title says so. */
interface Rows {
  readonly says: string;
  readonly only: (change: RecordChange) => RecordChange;
}
const EVERY_ROW: Rows = { says: '', only: (change) => change };
const SOME_ROWS: readonly Rows[] = [
  { says: ' in one row of seven', only: (change) => oneRowIn(7, change) },
  { says: ' in the first row', only: firstRow },
  { says: ' in one row of eleven', only: (change) => oneRowIn(11, change) },
];

const isList = (resource: ResourceName): boolean =>
  ENDPOINT_PATHS.some((path) => {
    const { response } = endpoint(path);
    return response.resource === resource && response.kind !== 'object';
  });

/** Of a list, three defects in four show in some rows only; what a row may lack at first, shows in a later one. */
function rowsOfFault(resource: ResourceName, field: Field, index: number): Rows {
  if (!isList(resource) || index % 4 === 3) return EVERY_ROW;
  const [some, first] = SOME_ROWS;
  const chosen = SOME_ROWS[index % SOME_ROWS.length] ?? EVERY_ROW;
  return isNullable(field) && chosen === first ? (some ?? EVERY_ROW) : chosen;
}

function fieldFault(resource: ResourceName, field: Field, index: number): Fault {
  const { name, says, change } = defectOf(resource, field, index);
  const rows = rowsOfFault(resource, field, index);
  return {
    id: `${name}-${resource}-${slug(field.place)}`,
    title: `${resource}: ${field.place.slice(1)} is ${says}${rows.says}`,
    section: sectionOf(field.id),
    subtle: rows !== EVERY_ROW,
    kills: [requirement(field)],
    defect: 'schema',
    hooks: onRecord(resource, rows.only(edit(field.place, change))),
  };
}

/** Elements described as a whole lose a member, for there is no field of their own to leave out. */
const MEMBERS: readonly (readonly [ResourceName, string, string, RequirementId])[] = [
  ['currency-info', '/sector/*', 'name', '2.1/sector'],
  ['currency-info', '/community', 'social_forum', '2.1/community'],
  ['currency-info', '/significant_events/*', 'time', '2.1/significant-events'],
  ['token-economics', '/token_allocation/*', 'holder', '2.3/token-allocation'],
  ['token-economics', '/token_unlock', 'total_locked', '2.3/token-unlock'],
  ['fundraising', '/fundraising_rounds/*', 'valuation', '2.6/round-item'],
  ['fundraising', '/fundraising_rounds/*/investors/*', 'is_lead_investor', '2.6/round-investor'],
  ['fundraising', '/investment_stats', 'last_invest_date', '2.6/investment-stats'],
  ['news-item', '/matched_currencies/*', 'full_name', '2.7/matched-currencies'],
  ['news-item', '/media_info/*', 'short_url', '2.7/media-info'],
  ['news-item', '/quote_info', 'nick_name', '2.7/quote-info'],
  ['chart', '/fields/*', 'type', '2.11/fields'],
];

const memberFault = ([resource, place, member, id]: (typeof MEMBERS)[number]): Fault => ({
  id: `omit-${resource}-${slug(place)}-${member.replaceAll('_', '-')}`,
  title: `${resource}: ${member} is left out of ${place.slice(1)}`,
  section: sectionOf(id),
  subtle: true,
  kills: [id],
  defect: 'schema',
  hooks: onRecord(
    resource,
    edit(place, (value) => {
      if (!isObject(value)) return value;
      const { [member]: _removed, ...others } = value;
      return others;
    }),
  ),
});

/** What becomes of a field of the paging envelope, and on which endpoint. */
const PAGE_DEFECTS: readonly {
  readonly name: string;
  readonly says: string;
  readonly when: Condition;
  readonly change: (value: Json) => Json | undefined;
}[] = [
  { ...OMIT, when: always },
  { ...RETYPE, when: always },
  { ...NULL, says: 'null in featured news', when: endpointIs('/news/featured') },
];

function pageFault(field: Field, index: number): Fault {
  const name = field.place.slice(1);
  const defect = PAGE_DEFECTS[index % PAGE_DEFECTS.length] ?? { ...OMIT, when: always };
  return {
    id: `${defect.name}-page-${slug(field.place)}`,
    title: `Paging envelope: ${name} is ${defect.says}`,
    section: '2.5',
    subtle: defect.when !== always,
    kills: [requirement(field)],
    defect: 'schema',
    hooks: onBody(defect.when, (value) => {
      const rows = rowsOf(value);
      if (rows === undefined || !isObject(value)) return value;
      const { [name]: old = null, ...others } = value;
      const changed = defect.change(old);
      // The rows stay under another name: the list is lost, not its content.
      if (name === 'list') return { ...others, items: rows };
      return changed === undefined ? others : { ...others, [name]: changed };
    }),
  };
}

function requirement(field: Field): RequirementId {
  return field.id;
}

/** Every field of §2 broken once. Featured news shares the requirements of news and its own faults are elsewhere. */
export const FIELD_FAULTS: readonly Fault[] = [
  ...RESOURCE_NAMES.filter((resource) => resource !== 'featured-news-item')
    .flatMap((resource) => FIELDS[resource].map((field) => ({ resource, field })))
    .map(({ resource, field }, index) => fieldFault(resource, field, index)),
  ...MEMBERS.map(memberFault),
  ...PAGE_FIELDS.map(pageFault),
];
