import type { EndpointPath } from '../../../src/spec/endpoints.ts';
import { rowsOf } from '../../../src/reference/json.ts';
import type { Context, Hooks } from '../../../src/reference/hooks.ts';
import { Refusal } from '../../../src/reference/refusal.ts';
import {
  afterPage,
  all,
  endpointIs,
  onMembers,
  onQuery,
  onRows,
  type Condition,
} from '../../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../../src/reference/world.ts';

/** Sets fields of the paging envelope. */
export function changePage(
  when: Condition,
  change: (rows: readonly Json[], total: number, context: Context) => JsonObject,
): Hooks {
  return onMembers(when, (value, context) => {
    const rows = rowsOf(value);
    return rows === undefined ? {} : change(rows, Number(value['total']), context);
  });
}

/** Shows another page under the number that was requested. */
export const showingPage = (page: string, when: Condition): Hooks => ({
  ...onQuery(when, (query) => query.set('page', page)),
  ...onMembers(when, (_value, { query }) => ({ page: Number(query.get('page') ?? 1) })),
});

/** Fails for pages beyond the last. */
export const crashingBeyondLast = (endpoint: EndpointPath): Hooks =>
  onRows(all(endpointIs(endpoint), afterPage(1)), (rows) => {
    if (rows.length === 0) throw new Refusal('internal', 'Internal server error', {});
    return rows;
  });

/** Removes the maximum of an integer parameter. */
export const withoutMaximum = (endpoint: EndpointPath, name: string): Hooks => ({
  rules(rules, path) {
    const rule = rules[name];
    if (path !== endpoint || rule === undefined) return rules;
    const { maximum: _maximum, ...open } = rule;
    return { ...rules, [name]: open };
  },
});

/** Refuses with not found (404 400401). */
export const refusing = (when: Condition): Hooks =>
  onQuery(when, () => {
    throw new Refusal('notFound', 'Data not found', { suggestion: 'Ask for something else.' });
  });
