import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PageData } from '../report/page-data.ts';
import { Block } from '../report/view/hidden.ts';
import { anchor, Table } from '../report/view/parts.tsx';
import { announce, copyText, saveText } from './actions.ts';
import type { ReviewStore } from './review-store.ts';
import { problemsOf, waiverFile } from './waiver-file.ts';
import type { Decision, Review } from './waiver-file.ts';

const WORDS: Readonly<Record<Decision, string>> = {
  accept: '✓ accepted: it is a defect of the target',
  dispute: '? disputed: the judgement is doubted',
  waive: '~ waived until a day',
};

function useReviews(store: ReviewStore): readonly Review[] {
  const [reviews, setReviews] = useState(store.all);
  useEffect(() => store.listen(() => setReviews(store.all)), [store]);
  return reviews;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'date';
  readonly onChange: (value: string) => void;
}

function Field({ id, label, value, type, onChange }: FieldProps): VNode {
  const props = {
    id,
    value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value),
  };
  return (
    <label for={id}>
      {label}
      {type === 'date' ? <input type="date" {...props} /> : <input type="text" {...props} />}
    </label>
  );
}

/** The decision of a reviewer about one cause, to be made where the finding stands. */
export function ReviewForm({ store, cause }: { store: ReviewStore; cause: string }): VNode {
  useReviews(store);
  const kept = store.of(cause);
  const [draft, setDraft] = useState<Review>(
    kept ?? { cause, decision: 'accept', owner: '', reason: '', ticket: '', expires: '' },
  );
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [open, setOpen] = useState(false);
  const set = (part: Partial<Review>): void => setDraft({ ...draft, ...part });
  const keep = (): void => {
    const found = problemsOf(draft, new Date().toISOString().slice(0, 10));
    setProblems(found);
    if (found.length > 0) return;
    store.set(cause, draft.decision === 'waive' ? draft : { ...draft, expires: '' });
    setOpen(false);
    announce('Kept. The review view makes the waiver file.');
  };
  return (
    <details class="review" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Review
        {kept === undefined ? (
          <span class="sr">: accept, dispute or waive</span>
        ) : (
          `: ${WORDS[kept.decision]} (${kept.owner})`
        )}
      </summary>
      {open && (
        <div class="fields">
          <label for={`d-${cause}`}>
            Decision
            <select
              id={`d-${cause}`}
              value={draft.decision}
              onChange={(event) => set({ decision: event.currentTarget.value as Decision })}
            >
              <option value="accept">accept: a defect of the target</option>
              <option value="dispute">dispute: the judgement is doubted</option>
              <option value="waive">waive: set aside until a day</option>
            </select>
          </label>
          <Field
            id={`o-${cause}`}
            label="Owner"
            value={draft.owner}
            onChange={(owner) => set({ owner })}
          />
          <Field
            id={`r-${cause}-reason`}
            label="Reason"
            value={draft.reason}
            onChange={(reason) => set({ reason })}
          />
          <Field
            id={`t-${cause}`}
            label="Ticket (optional)"
            value={draft.ticket}
            onChange={(ticket) => set({ ticket })}
          />
          {draft.decision === 'waive' && (
            <Field
              type="date"
              id={`e-${cause}`}
              label="Holds until"
              value={draft.expires}
              onChange={(expires) => set({ expires })}
            />
          )}
          <div class="bar-tools">
            <button type="button" onClick={keep}>
              Keep
            </button>
            {kept !== undefined && (
              <button type="button" onClick={() => store.set(cause, null)}>
                Take back
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

/** All decisions, and the waiver file that they make. */
export function ReviewView({ store, data }: { store: ReviewStore; data: PageData }): VNode {
  const reviews = useReviews(store);
  const messages = new Map(data.causes.map((cause) => [cause.id, cause.message]));
  const file = waiverFile(data, reviews);
  return (
    <>
      <h2 tabIndex={-1}>Review</h2>
      <p>
        {`${reviews.length} of ${data.causes.length} findings are decided. `}
        Decisions are made at the findings in <a href="#findings">the summary</a>. They stay in this
        browser; the file below is what you hand on.
      </p>
      {reviews.length > 0 && (
        <Table
          name="reviews"
          columns={['finding', 'decision', 'owner and reason', 'until']}
          items={reviews}
          row={({ cause, decision, owner, reason, ticket, expires }) => [
            <a href={`#${anchor('f', cause)}`}>{messages.get(cause) ?? cause}</a>,
            WORDS[decision],
            `${owner}: ${reason} ${ticket}`,
            expires === '' ? '–' : expires,
          ]}
        />
      )}
      <h3>Waiver file</h3>
      <p class="note">
        <code>assay run --waivers assay-waivers.json</code> reads it. A waiver that has expired,
        matches nothing, or whose evidence has become another one fails the run.
      </p>
      <div class="bar-tools">
        <button type="button" onClick={() => saveText('assay-waivers.json', file)}>
          Save assay-waivers.json
        </button>
        <button type="button" onClick={() => void copyText(file)}>
          Copy
        </button>
      </div>
      <pre class="json" tabIndex={0} role="region" aria-label="Waiver file">
        <Block text={file} />
      </pre>
    </>
  );
}
