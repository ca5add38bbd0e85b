import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PageCause, PageData } from '../report/page/page-data.ts';
import { brokenWaiver } from '../report/model/waiver-words.ts';
import { announce } from './actions.ts';
import type { ReviewStore } from './review-store.ts';
import { problemsOf, undecided } from './waiver-file.ts';
import type { Decision, Review } from './waiver-file.ts';

/** A decision in words, for a waiver with its last day. */
export function decisionWords({ decision, expires }: Review): string {
  const words: Readonly<Record<Decision, string>> = {
    accept: '✓ accepted',
    dispute: '? disputed',
    waive: `~ waived until ${expires}`,
  };
  return words[decision];
}

/** The decisions; rerenders when one changes. */
export function useReviews(store: ReviewStore): readonly Review[] {
  const [reviews, setReviews] = useState(store.all);
  useEffect(() => store.listen(() => setReviews(store.all)), [store]);
  return reviews;
}

/** An empty decision, or the broken waiver without its day. */
function draftOf({ waivers }: PageData, { id, requirements }: PageCause): Review {
  const old = brokenWaiver(waivers, requirements);
  return {
    cause: id,
    decision: old === undefined ? 'accept' : 'waive',
    owner: old?.owner ?? '',
    reason: old?.reason ?? '',
    ticket: old?.ticket ?? '',
    expires: '',
  };
}

const FIELDS = [
  ['owner', 'Owner'],
  ['reason', 'Reason'],
  ['ticket', 'Ticket (optional)'],
  // Of waivers only.
  ['expires', 'Waived until'],
] as const;

interface ReviewFormProps {
  readonly store: ReviewStore;
  readonly data: PageData;
  readonly cause: PageCause;
  /** Called after saving, where the form disappears. */
  readonly onKept?: () => void;
}

/** The form for the decision about one cause. */
export function ReviewForm({ store, data, cause, onKept }: ReviewFormProps): VNode {
  useReviews(store);
  const { id } = cause;
  const kept = store.of(id);
  const [draft, setDraft] = useState<Review>(kept ?? draftOf(data, cause));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(false);
  const set = (part: Partial<Review>): void => setDraft({ ...draft, ...part });
  const keep = (): void => {
    const found = problemsOf(draft, new Date().toISOString().slice(0, 10));
    setProblems(found);
    if (found.length > 0) return;
    setOpen(false);
    store.set(id, draft.decision === 'waive' ? draft : { ...draft, expires: '' });
    announce('Saved. Export the waiver file in Review.');
    onKept?.();
  };
  return (
    <details class="review" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Review
        {kept === undefined ? (
          <span class="sr">: accept, dispute or waive</span>
        ) : (
          `: ${decisionWords(kept)} (${kept.owner})`
        )}
      </summary>
      {open && (
        <div class="fields">
          <label for={`d-${id}`}>
            Decision
            <select
              id={`d-${id}`}
              value={draft.decision}
              onChange={(event) => set({ decision: event.currentTarget.value as Decision })}
            >
              <option value="accept">accept: a defect in the target</option>
              <option value="dispute">dispute: the judgement is wrong</option>
              {cause.isWaivable && <option value="waive">waive: accept until a given date</option>}
            </select>
          </label>
          {FIELDS.filter(([name]) => name !== 'expires' || draft.decision === 'waive').map(
            ([name, label]) => (
              <label key={name} for={`${name}-${id}`}>
                {label}
                <input
                  id={`${name}-${id}`}
                  {...(name === 'expires' ? { type: 'date' as const } : { type: 'text' as const })}
                  value={draft[name]}
                  onInput={(event) => set({ [name]: event.currentTarget.value })}
                />
              </label>
            ),
          )}
          <div class="bar-tools">
            <button type="button" onClick={keep}>
              Save
            </button>
            {kept !== undefined && (
              <button type="button" onClick={() => store.set(id, null)}>
                Undo
              </button>
            )}
            <a href="#review">All decisions</a>
          </div>
          {problems.length > 0 && (
            <p class="failed" role="alert">
              {problems.join(' ')}
            </p>
          )}
        </div>
      )}
    </details>
  );
}

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

/** The link to the review, with the number of undecided findings. */
export function ReviewLink({ store, data }: OfStore & { readonly data: PageData }): VNode {
  const open = undecided(data, useReviews(store)).length;
  return <>{open === 0 ? 'Review' : `Review (${open})`}</>;
}
