import type { LoadResult } from './load-results.ts';

const TEXTS = ['scenario', 'title', 'outcome', 'reason', 'command', 'startedAt', 'endedAt'];
const LISTS = ['requirements', 'readings', 'windows', 'latency', 'notes'];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLoadResult(value: unknown): value is LoadResult {
  if (!isRecord(value)) return false;
  const { requests, limits, health, k6 } = value;
  if (!isRecord(requests) || !isRecord(limits) || !isRecord(health) || !isRecord(k6)) return false;
  return (
    TEXTS.every((name) => typeof value[name] === 'string') &&
    LISTS.every((name) => Array.isArray(value[name]) && value[name].every((one) => one !== null)) &&
    (value['windows'] as unknown[]).every(
      (one) => isRecord(one) && typeof one['from'] === 'number' && Array.isArray(one['remaining']),
    ) &&
    (value['requirements'] as unknown[]).every(
      (one) => isRecord(one) && Array.isArray(one['findings']) && one['findings'].every(isRecord),
    ) &&
    [...(value['latency'] as unknown[]), ...(value['readings'] as unknown[])].every(isRecord) &&
    (value['notes'] as unknown[]).every((one) => typeof one === 'string')
  );
}

/** Load results that this version can read, and how many it cannot. The list comes from a file that anyone may write. */
export function readLoad(load: readonly unknown[]): {
  readonly results: readonly LoadResult[];
  readonly unreadable: number;
} {
  const results = load.filter(isLoadResult);
  return { results, unreadable: load.length - results.length };
}
