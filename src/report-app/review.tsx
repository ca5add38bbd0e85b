import type { VNode } from 'preact';
import type { PageCause, PageData } from '../report/page/page-data.ts';
import { Block } from '../report/page/view/hidden.ts';
import { anchor, Badge, CopyButton, message, more } from '../report/page/view/parts.tsx';
import { requirementLinks } from '../report/page/view/parts.tsx';
import { brokenWaiver, waiverWords } from '../report/model/waiver-words.ts';
import { plural, some } from '../text/text.ts';
import { saveText } from './actions.ts';
import { ReviewForm, useReviews } from './review-form.tsx';
import type { ReviewStore } from './review-store.ts';
import { heldBack, keptWaivers, toDecide, undecided, waiverFile } from './waiver-file.ts';
import type { Review } from './waiver-file.ts';

const FILE = 'assay-waivers.json';
/** Findings listed; a hostile target may cause any number. */
const LISTED = 200;
/** Id of the heading that gets the focus when a finding leaves the list. */
const UNDECIDED = 'undecided';

interface OfReview {
  readonly store: ReviewStore;
  readonly data: PageData;
}

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
        <button type="button" onClick={() => saveText(FILE, file)}>
          {`Download ${FILE}`}
        </button>
        <CopyButton label={FILE} value={file} />
      </div>
      <pre class="json" tabIndex={0} role="region" aria-label="Waiver file">
        <Block text={file} />
      </pre>
    </>
  );
}
