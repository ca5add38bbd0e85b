import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PageCause, PageData } from '../report/page/page-data.ts';
import { brokenWaiver } from '../report/model/waiver-words.ts';
import { announce } from './actions.ts';
import type { ReviewStore } from './review-store.ts';
import { undecided, type Decision, type Review } from './waiver-file.ts';

function decisionWords({ decision, expires }: Review): string {
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

const useReview = (store: ReviewStore, cause: string): Review | undefined =>
  useReviews(store).find((review) => review.cause === cause);

interface ReviewFormProps {
  readonly store: ReviewStore;
  readonly data: PageData;
  readonly cause: PageCause;
  /** Called after saving, where the form disappears. */
  readonly onKept?: () => void;
}

/** Blanks alone are no answer. */
const GIVEN = { required: true, pattern: '.*\\S.*' };

/** A day to come. */
const DAY = { required: true, type: 'date', min: new Date().toISOString().slice(0, 10) } as const;

/** The form for the decision about one cause, checked by the browser. A broken waiver fills it in, without its day. */
export function ReviewForm({ store, data, cause, onKept }: ReviewFormProps): VNode {
  const kept = useReview(store, cause.id);
  const broken = brokenWaiver(data.waivers, cause.requirements);
  const draft = kept ?? (broken && { ...broken, decision: 'waive' as const, expires: '' });
  const [decision, setDecision] = useState<Decision>(draft?.decision ?? 'accept');
  const [open, setOpen] = useState(false);
  const keep = (form: HTMLFormElement): void => {
    if (!form.reportValidity()) return;
    const field = (name: string): string =>
      form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
    setOpen(false);
    store.set(cause.id, {
      cause: cause.id,
      decision,
      owner: field('owner'),
      reason: field('reason'),
      ticket: field('ticket'),
      expires: field('expires'),
    });
    announce('Saved. Export the waiver file in Review.');
    onKept?.();
  };
  const fields = [
    ['owner', 'Owner', GIVEN],
    ['reason', 'Reason', GIVEN],
    ['ticket', 'Ticket (optional)', {}],
    ...(decision === 'waive' ? [['expires', 'Waived until', DAY] as const] : []),
  ] as const;
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
        <form>
          <div class="fields">
            <label>
              Decision
              <select
                value={decision}
                onChange={(event) => setDecision(event.currentTarget.value as Decision)}
              >
                <option value="accept">accept: a defect in the target</option>
                <option value="dispute">dispute: the judgement is wrong</option>
                {cause.isWaivable && (
                  <option value="waive">waive: accept until a given date</option>
                )}
              </select>
            </label>
            {fields.map(([name, label, rules]) => (
              <label key={name}>
                {label}
                <input name={name} defaultValue={draft?.[name] ?? ''} {...rules} />
              </label>
            ))}
          </div>
          <div class="bar-tools">
            {/* In a sandbox without forms nothing can be submitted. */}
            <button type="button" onClick={({ currentTarget: { form } }) => form && keep(form)}>
              Save
            </button>
            {kept !== undefined && (
              <button type="button" onClick={() => store.set(cause.id, null)}>
                Undo
              </button>
            )}
            <a href="#review">All decisions</a>
          </div>
        </form>
      )}
    </details>
  );
}

/** The decision about a cause, next to its message. */
export function DecisionMark({
  store,
  cause,
}: Pick<ReviewFormProps, 'store'> & { cause: string }): VNode | null {
  const kept = useReview(store, cause);
  return kept === undefined ? null : (
    <a class="chip decided" href="#review">
      {`${decisionWords(kept)} by ${kept.owner}`}
    </a>
  );
}

/** The link to the review, with the number of undecided findings. */
export function ReviewLink({ store, data }: Pick<ReviewFormProps, 'store' | 'data'>): VNode {
  const open = undecided(data, useReviews(store)).length;
  return <a href="#review">{open === 0 ? 'Review' : `Review (${open})`}</a>;
}
