import type { PageData } from '../report/page/page-data.ts';
import type { Review } from './waiver-file.ts';

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
