import { createHmac } from 'node:crypto';
import type { RunSettings } from '../report/model/results.ts';
import type { Target, TargetFixtures } from '../target/target.ts';

/** Unknown identifiers of a parameter lie flat in the settings, under this prefix and the name of the parameter. */
const UNKNOWN_IDS = 'unknownIds.';

/** What a run was started with, as far as it decides what is sent. */
export interface Started {
  readonly target: Target;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
  /** Case of a property that is tried again; null for a run of all of them. */
  readonly path: string | null;
}

/** The settings that decide what a run sends, without keys and other secrets: it can be repeated with them. */
export function settingsOf({ target, only, skip, maxRequests, path }: Started): RunSettings {
  const { keys } = target;
  const { unknownIds = {}, ...fixtures } = target.fixtures;
  return {
    only,
    skip,
    maxRequests,
    path,
    keyHeader: target.auth.header,
    limits: target.limits,
    fixtures: {
      ...fixtures,
      ...Object.fromEntries(
        Object.entries(unknownIds).map(([name, id]) => [UNKNOWN_IDS + name, id]),
      ),
    },
    forbidden: keys.restricted?.forbidden ?? [],
    quotaLeft: keys.nearQuota?.remaining ?? null,
    clockControl: target.clock !== undefined,
  };
}

/** The fixtures of a target file that were flattened into these settings: what {@link settingsOf} did, the other way. */
export function fixturesOf({ fixtures }: Pick<RunSettings, 'fixtures'>): TargetFixtures {
  const entries = Object.entries(fixtures);
  const unknownIds = entries.filter(([name]) => name.startsWith(UNKNOWN_IDS));
  return {
    ...Object.fromEntries(entries.filter(([name]) => !name.startsWith(UNKNOWN_IDS))),
    ...(unknownIds.length > 0 && {
      unknownIds: Object.fromEntries(
        unknownIds.map(([name, id]) => [name.slice(UNKNOWN_IDS.length), String(id)]),
      ),
    }),
  };
}

/**
 * A digest of the headers that are added to every request. Salted, since there may be credentials among them. Of a token
 * that changes only the name counts.
 */
export function headersDigest(target: Target, salt: string): string {
  const { headers: all, bearer } = target.http;
  const headers = Object.entries({
    ...all,
    ...(bearer !== null && { [bearer.header]: null }),
  }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', salt).update(JSON.stringify(headers)).digest('hex').slice(0, 16);
}
