import { createHmac } from 'node:crypto';
import type { SuiteInput } from '../ask/input.ts';
import type { RunSettings } from '../report/model/results.ts';
import type { Target, TargetFixtures } from '../target/target.ts';

/** Prefix of the flattened unknown identifiers, followed by the name of the parameter. */
const UNKNOWN_IDS = 'unknownIds.';

/** Settings of a run that determine its requests. */
export type Started = Pick<SuiteInput, 'target' | 'only' | 'skip' | 'maxRequests' | 'path'>;

/** The settings that determine the requests of a run, without secrets. */
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

/** The fixtures in settings: the inverse of {@link settingsOf}. */
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
 * A salted digest of the additional headers, which may contain credentials. Of a bearer token, only the header name is
 * included.
 */
export function headersDigest(target: Target, salt: string): string {
  const { headers: all, bearer } = target.http;
  const headers = Object.entries({
    ...all,
    ...(bearer !== null && { [bearer.header]: null }),
  }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', salt).update(JSON.stringify(headers)).digest('hex').slice(0, 16);
}

/** Notes on `--only` and `--skip`. @param did what was done with the selected requirements */
export const selectionNotes = (
  did: 'Ran' | 'Judged',
  { only, skip }: Pick<SuiteInput, 'only' | 'skip'>,
): readonly string[] => [
  ...(only.length > 0 ? [`${did} only ${only.join(', ')}; the rest is untested.`] : []),
  ...(skip.length > 0
    ? [`${skip.join(', ')} ${skip.length === 1 ? 'was' : 'were'} left out.`]
    : []),
];
