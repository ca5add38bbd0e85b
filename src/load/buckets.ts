/**
 * Latency in logarithmic buckets. Bucket counts of several machines can be added exactly, percentiles cannot. Bucket
 * `i` holds durations from `GROWTH ** i` up to `GROWTH ** (i + 1)` ms, so a percentile is off by at most one bucket,
 * about 10 %.
 */

export const GROWTH = 1.1;
/** Lowest and highest bucket: everything below 0.05 ms, and everything from about 2 minutes on. */
export const LOWEST = -32;
export const HIGHEST = 123;

/** Statuses that are counted separately; all others are `other`. */
export const BUCKETED = ['200', '429', 'other'] as const;
export type Bucketed = (typeof BUCKETED)[number];

/** Status under which an answer is counted. */
export function bucketedAs(status: number): Bucketed {
  return status === 200 ? '200' : status === 429 ? '429' : 'other';
}

/** Counts by bucket, by status. */
export type StatusBuckets = Readonly<Partial<Record<Bucketed, Readonly<Record<string, number>>>>>;

/** The bucket of a duration in ms. */
export function bucketOf(ms: number): number {
  if (!(ms > 0)) return LOWEST;
  const index = Math.floor(Math.log(ms) / Math.log(GROWTH));
  return Math.min(HIGHEST, Math.max(LOWEST, index));
}

/** Upper edge of a bucket, ms. */
export function upperEdge(bucket: number): number {
  return GROWTH ** (bucket + 1);
}

/** Adds up counts by bucket. */
export function addBuckets(
  all: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [bucket, count] of Object.entries(counts)) {
      sum[bucket] = (sum[bucket] ?? 0) + count;
    }
  }
  return sum;
}

/** Adds up counts by status and bucket. */
export function addStatusBuckets(all: readonly StatusBuckets[]): StatusBuckets {
  return Object.fromEntries(
    BUCKETED.map((status) => [status, addBuckets(all.map((one) => one[status] ?? {}))]),
  );
}

/**
 * The value that `share` (0 to 1) of the counted durations do not exceed, as the upper edge of its bucket; null without
 * any.
 */
export function percentile(counts: Readonly<Record<string, number>>, share: number): number | null {
  const sorted = Object.entries(counts)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .toSorted(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [bucket, count] of sorted) {
    seen += count;
    if (seen >= share * total) return upperEdge(bucket);
  }
  return null;
}
