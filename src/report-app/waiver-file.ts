import type { PageData } from '../report/page-data.ts';

/** What a reviewer may decide about a cause. Only `waive` changes how a run comes out. */
export type Decision = 'accept' | 'dispute' | 'waive';

/** One decision of a reviewer about one cause. */
export interface Review {
  readonly cause: string;
  readonly decision: Decision;
  readonly owner: string;
  readonly reason: string;
  readonly ticket: string;
  /** Last day of a waiver, yyyy-MM-dd; empty for other decisions. */
  readonly expires: string;
}

/** What is missing before a decision can be kept, as sentences. */
export function problemsOf(review: Review, today: string): readonly string[] {
  return [
    ...(review.owner.trim() === '' ? ['Say who decides.'] : []),
    ...(review.reason.trim() === '' ? ['Give a reason.'] : []),
    ...(review.decision !== 'waive'
      ? []
      : !/^\d{4}-\d{2}-\d{2}$/.test(review.expires)
        ? ['Say until which day the waiver holds.']
        : review.expires < today
          ? ['The day lies in the past.']
          : []),
  ];
}

/** The waiver file of the decisions: what `assay run --waivers` reads. JSON, which is YAML too. */
export function waiverFile(data: PageData, reviews: readonly Review[]): string {
  const causes = new Map(data.causes.map((cause) => [cause.id, cause]));
  const fingerprints = new Map(data.requirements.map(({ id, fingerprint }) => [id, fingerprint]));
  const waivers = reviews
    .filter(({ decision }) => decision === 'waive')
    .flatMap((review) =>
      (causes.get(review.cause)?.requirements ?? []).flatMap((id) => {
        const evidence = fingerprints.get(id);
        if (evidence === undefined || evidence === null) return [];
        const { owner, reason, ticket, expires } = review;
        return [{ id, owner, reason, ...(ticket === '' ? {} : { ticket }), expires, evidence }];
      }),
    );
  const decisions = reviews
    .filter(({ decision }) => decision !== 'waive')
    .map(({ cause, decision, owner, reason, ticket }) => ({
      finding: cause,
      decision,
      owner,
      reason,
      ...(ticket === '' ? {} : { ticket }),
    }));
  const unique = [...new Map(waivers.map((waiver) => [waiver.id, waiver])).values()];
  return `${JSON.stringify({ version: 1, waivers: unique, reviews: decisions }, null, 2)}\n`;
}
