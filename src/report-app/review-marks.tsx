import type { VNode } from 'preact';
import { plural } from '../text/text.ts';
import type { PageData } from '../report/page/page-data.ts';
import { decisionWords, useReviews } from './review-form.tsx';
import type { ReviewStore } from './review-store.ts';
import { toDecide, undecided } from './waiver-file.ts';

interface OfStore {
  readonly store: ReviewStore;
}

/** The decision about a cause, next to its message. */
export function DecisionMark({ store, cause }: OfStore & { readonly cause: string }): VNode | null {
  useReviews(store);
  const kept = store.of(cause);
  return kept === undefined ? null : (
    <a class={`chip decided ${kept.decision}`} href="#review">
      {`${decisionWords(kept)} by ${kept.owner}`}
    </a>
  );
}

interface OfData extends OfStore {
  readonly data: PageData;
}

/** The number of undecided findings. */
export function UndecidedCount({ store, data }: OfData): VNode | null {
  const open = undecided(data, useReviews(store)).length;
  const all = toDecide(data.causes).length;
  if (all === 0) return null;
  return (
    <p class="note">
      <a href="#review">
        {open === 0 ? 'All findings decided' : `${open} of ${plural(all, 'finding')} undecided`}
      </a>
    </p>
  );
}

/** The link to the review, with the number of undecided findings. */
export function ReviewLink({ store, data }: OfData): VNode {
  const open = undecided(data, useReviews(store)).length;
  return <>{open === 0 ? 'Review' : `Review (${open})`}</>;
}
