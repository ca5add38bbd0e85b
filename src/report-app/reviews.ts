import type { PageCause, PageData } from '../report/page/page-data.ts';
import type { WaiverResult } from '../report/model/results.ts';
import { brokenWaiver } from '../report/model/waiver-words.ts';

/** Decisions of a reviewer about a cause. Only `waive` affects later runs. */
export type Decision = 'accept' | 'dispute' | 'waive';

export interface Review extends Pick<WaiverResult, 'owner' | 'reason'> {
  readonly cause: string;
  readonly decision: Decision;
  readonly ticket: string;
  /** Last day of a waiver, yyyy-MM-dd; empty for other decisions. */
  readonly expires: string;
}

/** Findings to decide: those that are not waived. */
export const toDecide = (causes: readonly PageCause[]): readonly PageCause[] =>
  causes.filter(({ outcome }) => outcome !== 'waived');

/** Undecided findings, those with a broken waiver first. */
export function undecided({ causes, waivers }: PageData, reviews: readonly Review[]) {
  const decided = new Set(reviews.map(({ cause }) => cause));
  const open = toDecide(causes).filter(({ id }) => !decided.has(id));
  const isAgain = ({ requirements }: PageCause): boolean =>
    brokenWaiver(waivers, requirements) !== undefined;
  return [...open.filter(isAgain), ...open.filter((cause) => !isAgain(cause))];
}

/** Waivers of the run that still hold, which the new file must contain too. */
export const keptWaivers = ({ waivers }: PageData): readonly WaiverResult[] =>
  waivers.filter(({ state }) => state === 'applied');

/** Requirements of findings to waive that another finding keeps out of the file: a waiver is about all of them. */
export function heldBack({ causes }: PageData, reviews: readonly Review[]): readonly string[] {
  const waived = new Set(
    reviews.flatMap(({ cause, decision }) => (decision === 'waive' ? [cause] : [])),
  );
  const idsOf = (isWaived: boolean): readonly string[] =>
    toDecide(causes)
      .filter(({ id }) => waived.has(id) === isWaived)
      .flatMap(({ requirements }) => requirements);
  const others = new Set(idsOf(false));
  return [...new Set(idsOf(true))].filter((id) => others.has(id));
}

/** What a waiver says, whether it is decided here or kept. */
type Said = Pick<WaiverResult, 'owner' | 'reason' | 'ticket' | 'expires' | 'outcome'>;

/** The waiver file from the decisions and the waivers that still hold, as JSON, and its number of waivers. */
export function waiverFile(data: PageData, reviews: readonly Review[]) {
  const causes = new Map(data.causes.map((cause) => [cause.id, cause]));
  const held = heldBack(data, reviews);
  const fingerprints = new Map(data.requirements.map(({ id, fingerprint }) => [id, fingerprint]));
  const waiver = (id: string, { owner, reason, ticket, expires, outcome }: Said) => {
    const evidence = fingerprints.get(id) ?? null;
    // What is undefined is not written.
    const named = { ticket: ticket || undefined, outcome };
    return evidence === null
      ? []
      : [[id, { id, owner, reason, ...named, expires, evidence }] as const];
  };
  const waivers = new Map([
    ...keptWaivers(data).flatMap((one) => waiver(one.id, one)),
    ...reviews
      .filter(({ decision }) => decision === 'waive')
      .flatMap((review) =>
        (causes.get(review.cause)?.requirements ?? [])
          .filter((id) => !held.includes(id))
          .flatMap((id) => waiver(id, review)),
      ),
  ]);
  const decisions = reviews
    .filter(({ decision }) => decision !== 'waive')
    .map(({ cause: finding, ticket, expires: _none, ...said }) => ({
      finding,
      ...said,
      ticket: ticket || undefined,
    }));
  const content = { version: 1, waivers: [...waivers.values()], reviews: decisions };
  return { text: `${JSON.stringify(content, null, 2)}\n`, count: waivers.size };
}

/** The decisions of a reviewer, stored in the browser if possible; only `set` changes them. */
export class ReviewStore {
  readonly #key: string;
  all: readonly Review[];
  readonly #listeners = new Set<() => void>();

  constructor(data: PageData) {
    this.#key = `assay-review ${data.startedAt} ${data.baseUrl}`;
    this.all = restored(this.#key);
  }

  /** Saves a decision, or deletes it with null. */
  set(cause: string, review: Review | null): void {
    const others = this.all.filter((one) => one.cause !== cause);
    this.all = review === null ? others : [...others, review];
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.all));
    } catch {
      // Not available: the decisions last as long as the page.
    }
    for (const listener of this.#listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const FIELDS = ['cause', 'decision', 'owner', 'reason', 'ticket', 'expires'];

const isReview = (value: unknown): value is Review =>
  typeof value === 'object' &&
  value !== null &&
  FIELDS.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

function restored(key: string): readonly Review[] {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? '[]') as unknown;
    return Array.isArray(value) ? value.filter(isReview) : [];
  } catch {
    return [];
  }
}
