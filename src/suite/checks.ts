import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Check } from '../ask/check.ts';
import { PROFILES, type Profile } from '../ask/profiles.ts';
import { DRAWN } from '../ask/properties.ts';
import type { SuiteSession } from '../ask/session.ts';
import { packageRoot } from '../fs/package-root.ts';
import { OF_PROPERTIES, REQUIREMENTS, type Requirement } from '../requirements/catalogue.ts';
import type { Finding } from '../spec/finding.ts';

/** The check of a property: it sends and judges generated requests. Returns findings about other requirements. */
export type Search = Pick<Check, 'label'> & {
  readonly search: (session: SuiteSession) => Promise<readonly Finding[]>;
};

/** A check of a requirement, as one Vitest test. */
export interface BoundCheck {
  readonly requirement: Requirement;
  readonly check: Check | Search;
  /** Smallest profile that runs it. */
  readonly profile: Profile;
  /**
   * Smallest profile that runs it when its requirement is named with `--only`: the first checks of a requirement then run in
   * every profile, because the checks it otherwise relies on are skipped.
   */
  readonly whenNamed: Profile;
}

/** Name of the test: requirement id and label. */
export const nameOf = ({
  requirement: { id, title },
  check,
}: Pick<BoundCheck, 'requirement' | 'check'>): string => `${id} ${check.label ?? title}`;

/**
 * Names of all checks in the order of a run: the most revealing first. `npm run prove -- --order` computes it from the faults
 * that each request shows.
 */
export const ORDER = path.join(packageRoot, 'suites', 'order.txt');

/** Every check of a requirement, including its properties. */
export function checksOf(requirement: Requirement): BoundCheck[] {
  const { id, checks = [] } = requirement;
  const entries = orderEntries();
  const profileOf = (check: BoundCheck['check']): Profile =>
    entries.get(nameOf({ requirement, check }))?.profile ?? LAST;
  const first = PROFILES.find((profile) => checks.some((check) => profileOf(check) === profile));
  return [...checks, ...(id === OF_PROPERTIES ? SEARCHES : [])].map((check) => {
    const profile = profileOf(check);
    const isFirst = !('search' in check) && profile === first;
    return { requirement, check, profile, whenNamed: isFirst ? SMALLEST : profile };
  });
}

const SEARCHES = DRAWN.map(({ name, title }): Search => ({
  label: title,
  search: async (session) => {
    // Loaded on demand: few runs search, and fast-check is large.
    const { checkProperty } = await import('./property/property.ts');
    return checkProperty(name, session);
  },
}));

let ordered: readonly BoundCheck[] | undefined;

/**
 * All checks of the catalogue in the order of `suites/order.txt`; checks not listed there come last.
 * @throws Error when two checks have the same name
 */
export function checksInOrder(): readonly BoundCheck[] {
  if (ordered !== undefined) return ordered;
  const checks = new Map<string, BoundCheck>();
  for (const bound of REQUIREMENTS.flatMap(checksOf)) {
    const name = nameOf(bound);
    if (checks.has(name)) throw new Error(`Duplicate check name: ${name}`);
    checks.set(name, bound);
  }
  const entries = orderEntries();
  const indexOf = (name: string): number => entries.get(name)?.position ?? entries.size;
  return (ordered = [...checks]
    .toSorted(([a], [b]) => indexOf(a) - indexOf(b))
    .map(([, bound]) => bound));
}

const [SMALLEST] = PROFILES;

/** The profile of checks that are not listed yet. */
const LAST: Profile = 'full';

/** Position and profile of a check. */
interface OrderEntry {
  readonly position: number;
  readonly profile: Profile;
}

let known: Map<string, OrderEntry> | undefined;

/** The content of `suites/order.txt`: names of checks below their profile. */
function orderEntries(): ReadonlyMap<string, OrderEntry> {
  if (known !== undefined) return known;
  const entries = (known = new Map<string, OrderEntry>());
  let profile: Profile = LAST;
  for (const line of readFileSync(ORDER, 'utf8').trimEnd().split('\n')) {
    const heading = PROFILES.find((name) => line === headingOf(name));
    if (heading === undefined) entries.set(line, { position: entries.size, profile });
    else profile = heading;
  }
  return entries;
}

/** The checks that a profile adds. */
export type OrderPart = readonly [profile: Profile, names: readonly string[]];

/** The text of `suites/order.txt`. */
export const orderText = (parts: readonly OrderPart[]): string =>
  parts.map(([profile, names]) => `${[headingOf(profile), ...names].join('\n')}\n`).join('');

/** Names of all listed checks. */
export const namesInOrder = (): readonly string[] => [...orderEntries().keys()];

const headingOf = (profile: Profile): string => `# ${profile}`;
