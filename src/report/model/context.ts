import type { Exchange } from '../../spec/exchange.ts';
import type { Results, RunContext } from './results.ts';

/** Labels and values shown; a results.json may contain any number. */
const MOST_LABELS = 20;
const MOST_VALUES = 3;

/** The context of a run. Its URL may come from anyone: only a web address is kept. */
export function contextOf({ context = {} }: Pick<Results, 'context'>): RunContext {
  const { url, labels, ...told } = context;
  return {
    ...told,
    ...(url !== undefined && /^https?:\/\/./i.test(url) && { url }),
    ...(labels !== undefined && {
      labels: Object.fromEntries(Object.entries(labels).slice(0, MOST_LABELS)),
    }),
  };
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
