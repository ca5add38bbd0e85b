import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROPERTIES } from '../ask/properties.ts';
import { REQUIREMENTS, type Requirement } from '../requirements/catalogue.ts';
import { checkLimiter, checkProperty } from './property/index.ts';
import { nameOf, type BoundCheck } from './bound-check.ts';

/** Names of all checks, in the order in which a run takes them: what is asked first says most. */
export const ORDER = fileURLToPath(new URL('../../suites/order.txt', import.meta.url));

/** Every check of a requirement: what it asks for, and the properties that put it to the test. */
export function checksOf(requirement: Requirement): BoundCheck[] {
  const { checks = [], drawn = [] } = requirement;
  const searches = PROPERTIES.filter(({ name }) => drawn.includes(name)).map(
    ({ name, title }): BoundCheck => ({
      requirement,
      check: {
        label: title,
        profile: 'full',
        search: (session) =>
          name === 'limiter'
            ? checkLimiter(requirement.id, session)
            : checkProperty(name, requirement.id, session),
      },
    }),
  );
  return [...checks.map((check) => ({ requirement, check })), ...searches];
}

/**
 * All checks of the catalogue in the order of `suites/order.txt`; those that it does not have come last.
 * @throws Error when two have one name: the name is how a run, a report and an editor tell them apart
 */
export function checksInOrder(): readonly BoundCheck[] {
  const checks = new Map<string, BoundCheck>();
  for (const bound of REQUIREMENTS.flatMap(checksOf)) {
    const name = nameOf(bound);
    if (checks.has(name)) throw new Error(`Two checks have the name ${name}`);
    checks.set(name, bound);
  }
  const places = new Map(namesInOrder().map((name, place) => [name, place]));
  const placeOf = (name: string): number => places.get(name) ?? places.size;
  return [...checks].toSorted(([a], [b]) => placeOf(a) - placeOf(b)).map(([, bound]) => bound);
}

/** What `suites/order.txt` says. */
export const namesInOrder = (): readonly string[] =>
  readFileSync(ORDER, 'utf8').trimEnd().split('\n');
