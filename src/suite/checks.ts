import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROFILES, type Profile } from '../ask/profiles.ts';
import { DRAWN } from '../ask/properties.ts';
import { packageRoot } from '../fs/package-root.ts';
import { REQUIREMENTS, type Requirement } from '../requirements/catalogue.ts';
import { nameOf, type BoundCheck } from './bound-check.ts';

/**
 * Names of all checks in the order of a run: the most revealing first. `npm run prove -- --order` computes it from the faults
 * that each request shows.
 */
export const ORDER = path.join(packageRoot, 'suites', 'order.txt');

/** Every check of a requirement, including its properties. */
export function checksOf(requirement: Requirement): BoundCheck[] {
  const { checks = [], drawn = [] } = requirement;
  const searches = DRAWN.filter(({ name }) => drawn.includes(name)).map(
    ({ name, title }): BoundCheck['check'] => ({
      label: title,
      search: async (session) => {
        // Loaded on demand: few runs search, and fast-check is large.
        const { checkProperty } = await import('./property/property.ts');
        await checkProperty(name, requirement.id, session);
      },
    }),
  );
  const places = placesInOrder();
  const profileOf = (check: BoundCheck['check']): Profile =>
    places.get(nameOf({ requirement, check }))?.profile ?? LAST;
  const asking: readonly BoundCheck['check'][] = checks.length > 0 ? checks : searches;
  const first = PROFILES.find((profile) => asking.some((check) => profileOf(check) === profile));
  return [...checks, ...searches].map((check) => {
    const profile = profileOf(check);
    const isFirst = asking.includes(check) && profile === first;
    return { requirement, check, profile, whenNamed: isFirst ? SMALLEST : profile };
  });
}

/**
 * All checks of the catalogue in the order of `suites/order.txt`; checks not listed there come last.
 * @throws Error when two checks have the same name
 */
export function checksInOrder(): readonly BoundCheck[] {
  const checks = new Map<string, BoundCheck>();
  for (const bound of REQUIREMENTS.flatMap(checksOf)) {
    const name = nameOf(bound);
    if (checks.has(name)) throw new Error(`Duplicate check name: ${name}`);
    checks.set(name, bound);
  }
  const places = placesInOrder();
  const placeOf = (name: string): number => places.get(name)?.place ?? places.size;
  return [...checks].toSorted(([a], [b]) => placeOf(a) - placeOf(b)).map(([, bound]) => bound);
}

const [SMALLEST] = PROFILES;

/** The profile of checks that are not listed yet. */
const LAST: Profile = 'full';

/** Position and profile of a check. */
interface Place {
  readonly place: number;
  readonly profile: Profile;
}

let known: ReadonlyMap<string, Place> | undefined;

/** The content of `suites/order.txt`: names of checks below their profile. */
function placesInOrder(): ReadonlyMap<string, Place> {
  known ??= readOrder();
  return known;
}

function readOrder(): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let profile: Profile = LAST;
  for (const line of readFileSync(ORDER, 'utf8').trimEnd().split('\n')) {
    const heading = PROFILES.find((name) => line === headingOf(name));
    if (heading === undefined) places.set(line, { place: places.size, profile });
    else profile = heading;
  }
  return places;
}

/** The checks that a profile adds. */
export type OrderPart = readonly [profile: Profile, names: readonly string[]];

/** The text of `suites/order.txt`. */
export const orderText = (parts: readonly OrderPart[]): string =>
  parts.map(([profile, names]) => `${[headingOf(profile), ...names].join('\n')}\n`).join('');

/** Names of all listed checks. */
export const namesInOrder = (): readonly string[] => [...placesInOrder().keys()];

const headingOf = (profile: Profile): string => `# ${profile}`;
