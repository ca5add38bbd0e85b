import type { Exchange } from '../../spec/exchange.ts';
import { isObject } from '../../text/json-value.ts';
import type { Results, RunContext } from './results.ts';

/** Labels and values shown; a results.json may contain any number. */
const MOST_LABELS = 20;
const MOST_VALUES = 3;

type Written<Of> = { -readonly [Name in keyof Of]: Of[Name] };

/** The context in a results.json, which anyone may have written: only strings and http(s) URLs. */
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

/** An abbreviated commit hash; other text unchanged. */
export const shortCommit = (commit: string): string =>
  /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, 10) : commit;

/** A header with the version of the target. */
export interface VersionHeader {
  /** Lower case. */
  readonly name: string;
  /** Values with the number of responses, the most frequent first. */
  readonly values: readonly (readonly [value: string, answers: number])[];
  /** Further values. */
  readonly more: number;
}

/** Headers with product, version or build. */
const VERSION =
  /^(?:server|x-powered-by|x-(?:[\w-]+-)?(?:version|build|revision|release|commit|git-sha)(?:-(?:id|number|date|sha))?)$/;

/** Version headers of the target. Informational: may contain any text. */
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
