import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageCause, PageData } from '../report/page/page-data.ts';
import { anchor, Badge, Block, Button, CopyButton, message } from '../report/page/view/parts.tsx';
import { more, requirementLinks } from '../report/page/view/parts.tsx';
import { brokenWaiver, waiverWords } from '../report/model/waiver-words.ts';
import { plural, some } from '../text/text.ts';
import { announce, saveText } from './actions.ts';
import type { ReviewStore } from './reviews.ts';
import { heldBack, keptWaivers, toDecide, undecided, waiverFile } from './reviews.ts';
import type { Decision, Review } from './reviews.ts';

const decisionWords = ({ decision, expires }: Review): string =>
  ({ accept: '✓ accepted', dispute: '? disputed', waive: `~ waived until ${expires}` })[decision];

/** The decisions; rerenders when one changes. */
export function useReviews(store: ReviewStore): readonly Review[] {
  const [reviews, setReviews] = useState(store.all);
  useEffect(() => store.listen(() => setReviews(store.all)), [store]);
  return reviews;
}

const useReview = (store: ReviewStore, cause: string): Review | undefined =>
  useReviews(store).find((review) => review.cause === cause);

interface OfReview {
  readonly store: ReviewStore;
  readonly data: PageData;
}

interface ReviewFormProps extends OfReview {
  readonly cause: PageCause;
  /** Called after saving, where the form disappears. */
  readonly onKept?: () => void;
}

/** Blanks alone are no answer. */
const GIVEN = { required: true, pattern: '.*\\S.*' };

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
            <Button act={({ form }) => form && keep(form)}>Save</Button>
            {kept !== undefined && <Button act={() => store.set(cause.id, null)}>Undo</Button>}
            <a href="#review">All decisions</a>
          </div>
        </form>
      )}
    </details>
  );
}

type DecisionProps = Pick<OfReview, 'store'> & { readonly cause: string };

/** The decision about a cause, next to its message. */
export function DecisionMark({ store, cause }: DecisionProps): VNode | null {
  const kept = useReview(store, cause);
  return kept === undefined ? null : (
    <a class="chip decided" href="#review">
      {`${decisionWords(kept)} by ${kept.owner}`}
    </a>
  );
}

/** The link to the review, with the number of undecided findings. */
export function ReviewLink({ store, data }: OfReview): VNode {
  const open = undecided(data, useReviews(store)).length;
  return <a href="#review">{open === 0 ? 'Review' : `Review (${open})`}</a>;
}

const FILE = 'assay-waivers.json';
/** Findings listed; a hostile target may cause any number. */
const LISTED = 200;
/** Id of the heading that gets the focus when a finding leaves the list. */
const UNDECIDED = 'undecided';

function Causes({ store, data, causes }: OfReview & { causes: readonly PageCause[] }): VNode {
  const focus = (): void => document.getElementById(UNDECIDED)?.focus();
  return (
    <>
      <ol class="index">
        {causes.slice(0, LISTED).map((cause) => {
          const waiver = brokenWaiver(data.waivers, cause.requirements);
          return (
            <li key={cause.id}>
              <Badge outcome={cause.outcome} />{' '}
              {waiver !== undefined && [
                <strong class="chip failed">{waiverWords(waiver)}</strong>,
                ' ',
              ]}
              <a href={`#${anchor('f', cause.id)}`}>{message(cause.message, 200)}</a>{' '}
              <span class="note">{requirementLinks(cause.requirements, 3)}</span>
              <ReviewForm store={store} data={data} cause={cause} onKept={focus} />
            </li>
          );
        })}
      </ol>
      {more(causes.length - LISTED, 'in the summary')}
    </>
  );
}

/** The content of the file in one sentence, and what to add manually. */
function contentWords(data: PageData, reviews: readonly Review[], count: number): string {
  const held = heldBack(data, reviews);
  const kept = keptWaivers(data).length;
  const idle = data.waivers.filter(({ state }) => state === 'idle').length;
  const from = kept > 0 ? `: ${count - kept} decided here, ${kept} kept from this run` : '';
  const left =
    idle > 0
      ? ` ${plural(idle, 'waiver')} could not be checked in this run: copy ${idle === 1 ? 'it' : 'them'} from the current waiver file.`
      : '';
  const not =
    held.length > 0
      ? ` Not in the file until all of its findings are waived: ${some(held, 6)}.`
      : '';
  return `${plural(count, 'waiver')}${from}.${not}${left}`;
}

/** Open and made decisions, and the resulting waiver file. */
export function ReviewView({ store, data }: OfReview): VNode {
  const reviews = useReviews(store);
  const open = undecided(data, reviews);
  const decided = toDecide(data.causes).filter((cause) => !open.includes(cause));
  const { text: file, count } = waiverFile(data, reviews);
  return (
    <>
      <h2 tabIndex={-1}>Review</h2>
      <p>
        {`${open.length} of ${plural(toDecide(data.causes).length, 'cause')} undecided. `}
        Decisions are stored in this browser: to share them, export the{' '}
        <a href="#waiver-file">waiver file</a>.
      </p>
      <h3 id={UNDECIDED} tabIndex={-1}>{`Undecided: ${open.length}`}</h3>
      {open.length === 0 && <p>{data.causes.length === 0 ? 'No findings.' : 'None.'}</p>}
      <Causes store={store} data={data} causes={open} />
      {decided.length > 0 && <h3 id="decided">{`Decided: ${decided.length}`}</h3>}
      <Causes store={store} data={data} causes={decided} />
      <h3 id="waiver-file">Waiver file</h3>
      <p class="note">
        {contentWords(data, reviews, count)} Use it with{' '}
        <code>{`assay run --waivers ${FILE}`}</code>. A waiver fails the run when it has expired,
        when its requirement is no longer violated, or when the evidence differs.
      </p>
      <div class="bar-tools">
        <Button act={() => saveText(FILE, file)}>{`Download ${FILE}`}</Button>
        <CopyButton label={FILE} value={file} />
      </div>
      <pre class="json" tabIndex={0} role="region" aria-label="Waiver file">
        <Block text={file} />
      </pre>
    </>
  );
}
