/** Every Nth case of a long list is tried, N being `ASSAY_SAMPLE`; all of them unless it is set. */
export const STEP = Math.max(1, Number(process.env['ASSAY_SAMPLE'] ?? 1) || 1);

/** Part of a list of cases that continuous integration has the time for. */
export const sampleOf = <T>(cases: readonly T[]): readonly T[] =>
  cases.filter((_, index) => index % STEP === 0);

/** The same for a number of cases; at least one. */
export const sampleCount = (count: number): number => Math.ceil(count / STEP);
