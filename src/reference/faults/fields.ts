import { FIELDS, PAGE_FIELDS, RESOURCE_NAMES } from '../../contract/resources.ts';
import type { Field, ResourceName } from '../../contract/resources.ts';
import type { RequirementId } from '../../contract/requirements.ts';
import { isRequirementId } from '../../contract/requirements.ts';
import { isObject, rowsOf } from '../json.ts';
import { drop, edit, onBody, onRecord } from '../vocabulary.ts';
import type { Fault } from './fault.ts';

/** Names a field of §2 in an id: `/fundraising_rounds/*` becomes `fundraising-rounds-item`. */
const slug = (place: string): string =>
  place.slice(1).replaceAll('/*', '-item').replaceAll('/', '-').replaceAll('_', '-');

/** Elements described as a whole lose this member, for there is no field of their own to leave out. */
const MEMBERS: Readonly<Record<string, string>> = {
  '/fundraising_rounds/*': 'valuation',
  '/fundraising_rounds/*/investors/*': 'is_lead_investor',
};

function omitted(resource: ResourceName, field: Field): Fault {
  const member = MEMBERS[field.place];
  const change =
    member === undefined
      ? drop(field.place)
      : edit(field.place, (value) => {
          if (!isObject(value)) return value;
          const { [member]: _removed, ...others } = value;
          return others;
        });
  return {
    id: `omit-${resource}-${slug(field.place)}`,
    title: `${resource}: ${member ?? field.place.slice(1)} is left out`,
    section: field.id.slice(0, field.id.indexOf('/')),
    subtle: false,
    kills: [requirement(field)],
    hooks: onRecord(resource, change),
  };
}

/** The paging envelope loses a field. Its `list` becomes `items`, so that the rows are still there. */
function omittedFromPage(field: Field): Fault {
  const name = field.place.slice(1);
  return {
    id: `omit-page-${slug(field.place)}`,
    title: `Paging envelope: ${name} is left out`,
    section: '2.5',
    subtle: false,
    kills: [requirement(field)],
    hooks: onBody(
      () => true,
      (value) => {
        const rows = rowsOf(value);
        if (rows === undefined || !isObject(value)) return value;
        const { [name]: _removed, ...others } = value;
        return name === 'list' ? { ...others, items: rows } : others;
      },
    ),
  };
}

function requirement(field: Field): RequirementId {
  if (!isRequirementId(field.id)) throw new Error(`No requirement has the id ${field.id}.`);
  return field.id;
}

/** Every field of §2 left out once. Featured news shares the requirements of news and its own faults are elsewhere. */
export const FIELD_FAULTS: readonly Fault[] = [
  ...RESOURCE_NAMES.filter((resource) => resource !== 'featured-news-item').flatMap((resource) =>
    FIELDS[resource].map((field) => omitted(resource, field)),
  ),
  ...PAGE_FIELDS.map(omittedFromPage),
];
