import type { Exchange } from '../../spec/exchange.ts';
import { isObject } from '../../text/json-value.ts';
import type { Results, RunContext } from './results.ts';

/** Labels and values shown: whoever wrote results.json may have put in any number. */
const MOST_LABELS = 20;
const MOST_VALUES = 3;

type Written<Of> = { -readonly [Name in keyof Of]: Of[Name] };

/** The context kept in a results.json that anyone may have written: only texts, and only addresses of the web. */
export function readRunContext({ context }: Pick<Results, 'context'>): RunContext {
  if (!isObject(context)) return {};
  const told: Written<RunContext> = {};
  for (const name of ['ci', 'commit', 'branch', 'job', 'url'] as const) {
    const value: unknown = context[name];
    if (typeof value === 'string' && value !== '') told[name] = value;
  }
  if (told.url !== undefined && !isWeb(told.url)) delete told.url;
  if (isObject(context.labels)) {
    const labels = Object.entries(context.labels).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    if (labels.length > 0) told.labels = Object.fromEntries(labels.slice(0, MOST_LABELS));
  }
  return told;
}

function isWeb(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:';
}

/** The beginning of a commit, as short as tools write it; another text as it is. */
export const shortCommit = (commit: string): string =>
  /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, 10) : commit;

/** What a target says of its version in one header, and how often. */
export interface VersionHeader {
  /** Lower case. */
  readonly name: string;
  /** Values with the number of answers that had them, the most frequent first. */
  readonly values: readonly (readonly [value: string, answers: number])[];
  /** Values beyond those. */
  readonly more: number;
}

/** Headers in which services tell what they are: `Server`, and those of their own about version or build. */
const VERSION =
  /^(?:server|x-powered-by|x-(?:[\w-]+-)?(?:version|build|revision|release|commit|git-sha)(?:-(?:id|number|date|sha))?)$/;

/** What the target says of its version, by header. Only told: nothing is judged by it, and any text may stand in it. */
export function versionHeaders(exchanges: readonly Exchange[]): readonly VersionHeader[] {
  const headers = new Map<string, Map<string, number>>();
  for (const { response } of exchanges) {
    for (const [name, value] of Object.entries(response?.headers ?? {})) {
      if (!VERSION.test(name) || value.trim() === '') continue;
      const values = headers.get(name) ?? new Map<string, number>();
      headers.set(name, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  return [...headers]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MOST_LABELS)
    .map(([name, values]) => {
      const all = [...values].toSorted(([, a], [, b]) => b - a);
      return { name, values: all.slice(0, MOST_VALUES), more: all.length - MOST_VALUES };
    });
}
