import { PAGE_FIELDS, placesOf, RESOURCE_NAMES } from '../../spec/resources.ts';
import { isArray, isObject } from '../json.ts';
import type { Json } from '../world.ts';
import { onAnswer } from '../vocabulary.ts';
import { changing, dimension, type Choice, type Dimension } from './dimension.ts';

/** Fields of type Integer or Long, whose numbers keep their plain form whatever others look like. */
const WHOLE: ReadonlySet<string> = new Set([
  ...RESOURCE_NAMES.flatMap((resource) =>
    placesOf(
      resource,
      'longMs',
      'longTime',
      'anyTimestamp',
      'long',
      'integer',
      'newsCategory',
      'blueVerified',
    ).map((place) => place.slice(place.lastIndexOf('/') + 1)),
  ),
  ...PAGE_FIELDS.map(({ place }) => place.slice(1)),
  'code',
  'limit',
  'retry_after',
]);

/** JSON with numbers as `write` has them. */
function written(value: Json, write: (value: number) => string, name = ''): string {
  if (typeof value === 'number') return WHOLE.has(name) ? String(value) : write(value);
  if (isArray(value)) return `[${value.map((one) => written(one, write, name)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}:${written(one, write, key)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

const numbers = (write: (value: number) => string): Choice =>
  changing({
    hooks: onAnswer(
      ({ status, text }) => status === 200 && text === undefined,
      (answer) => ({ ...answer, text: written(answer.value, write) }),
    ),
  });

/** How bodies are written out; nothing that changes a body may come after these. */
export const WRITING_DIMENSIONS: readonly Dimension[] = [
  dimension('numbers', 'plain', {
    'with-a-zero': numbers((value) => (Number.isInteger(value) ? `${value}.0` : String(value))),
    exponents: numbers((value) => value.toExponential()),
    'capital-exponents': numbers((value) => value.toExponential().toUpperCase()),
  }),
  dimension('bodies', 'compact', {
    indented: changing({
      hooks: onAnswer(
        ({ text }) => text === undefined,
        (answer) => ({ ...answer, text: `${JSON.stringify(answer.value, null, 2)}\n` }),
      ),
    }),
    escaped: changing({
      hooks: onAnswer(
        ({ text }) => text === undefined,
        (answer) => ({
          ...answer,
          text: JSON.stringify(answer.value).replaceAll(
            /[^\0-~]/g,
            (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        }),
      ),
    }),
  }),
];
