import { FIELDS, PAGE_FIELDS, RESOURCE_NAMES, type Field } from '../../src/spec/resources.ts';
import { sectionOf } from '../../src/spec/requirement-id.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { isObject, retyped, rowsOf } from '../../src/reference/json.ts';
import { fieldOperators } from '../../src/reference/operators/fields.ts';
import { always, endpointIs, onBody, type Condition } from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';

/** Shape faults that show in any answer with a few rows. */
const SHAPE = /^op\/(?:missing|null|retyped)\/(?!.*\/(?:one-entity|page-2)$)/;

/**
 * One fault per field of §2, taken from the generated operators in turn, so that kinds and positions vary. Featured
 * news shares the requirements of news.
 */
function fieldFaults(): readonly Fault[] {
  const fields = RESOURCE_NAMES.flatMap((resource) => FIELDS[resource].map(({ id }) => id));
  const made = fieldOperators().filter(
    ({ id, level, endpoint }) =>
      SHAPE.test(id) && level === 'must' && endpoint !== '/news/featured',
  );
  return [...new Set(fields)].flatMap((field, index) => {
    // The innermost field around a value is the one judged.
    const own = made.filter(({ shows }) => shows.findLast((id) => id.includes('/')) === field);
    const fault = own[index % own.length];
    return fault === undefined ? [] : [{ ...fault, section: sectionOf(field), kills: [field] }];
  });
}

const PAGE_DEFECTS: readonly {
  readonly name: string;
  readonly says: string;
  readonly when: Condition;
  readonly change: (value: Json) => Json | undefined;
}[] = [
  { name: 'omit', says: 'left out', when: always, change: () => undefined },
  { name: 'retype', says: 'of a different type', when: always, change: retyped },
  {
    name: 'null',
    says: 'null in featured news',
    when: endpointIs('/news/featured'),
    change: () => null,
  },
];

function pageFault({ id, path }: Field, index: number): readonly Fault[] {
  const field = path.slice(1);
  const slot = index % PAGE_DEFECTS.length;
  return PAGE_DEFECTS.slice(slot, slot + 1).map(({ name, says, when, change }) => ({
    id: `${name}-page-${field.replaceAll('_', '-')}`,
    title: `Paging envelope: ${field} is ${says}`,
    section: '2.5',
    kills: [id],
    hooks: onBody(when, (value) => {
      const rows = rowsOf(value);
      if (rows === undefined || !isObject(value)) return value;
      const { [field]: old = null, ...others } = value;
      const changed = change(old);
      // Keep the rows under another name, so that only the list is missing.
      if (field === 'list') return { ...others, items: rows };
      return changed === undefined ? others : { ...others, [field]: changed };
    }),
  }));
}

/** One fault for every field of §2 and of the paging envelope. */
export const FIELD_FAULTS: readonly Fault[] = [...fieldFaults(), ...PAGE_FIELDS.flatMap(pageFault)];
