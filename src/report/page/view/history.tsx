import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { historyWords } from '../../analysis/history.ts';
import { OUTCOME_LABELS } from '../../model/labels.ts';
import type { Outcome } from '../../model/results.ts';
import type { OfResults } from './page.ts';
import { clock, outcomeClass, RequirementLink, Table } from './parts.tsx';

const ROWS = 120;

/** Outcomes over time as a row of icons, the oldest first. */
function OutcomeRow({ outcomes }: { outcomes: readonly (Outcome | null)[] }): VNode {
  const words = outcomes.map((one) => (one === null ? 'not in the run' : OUTCOME_LABELS[one].word));
  return (
    <span class="row" role="img" aria-label={words.join(', ')}>
      {outcomes.map((one) =>
        one === null ? <i>·</i> : <i class={outcomeClass(one)}>{OUTCOME_LABELS[one].icon}</i>,
      )}
    </span>
  );
}

/** Outcomes of requirements over earlier runs in the same folder. */
export function HistorySection({ results }: OfResults): VNode | null {
  const { history } = results;
  if (history === undefined) return null;
  const { runs, outcomes } = history;
  const rows = results.requirements.flatMap(({ id, outcome }) => {
    const past = outcomes[id];
    return past === undefined ? [] : [{ id, outcome, past }];
  });
  return (
    <>
      <h3 id="history">{`History over ${plural(runs.length + 1, 'run')}`}</h3>
      <p class="note">
        {`Runs against this target in the same folder since ${clock(runs[0]?.startedAt ?? results.startedAt)}, oldest first and this run last. Requirements that were never violated are omitted.`}
      </p>
      {rows.length === 0 ? (
        <p>No requirement was violated.</p>
      ) : (
        <Table
          name="matrix history"
          columns={['requirement', 'outcomes', 'summary']}
          items={rows}
          limit={ROWS}
          row={({ id, outcome, past }) => [
            <RequirementLink id={id} />,
            <OutcomeRow outcomes={[...past, outcome]} />,
            historyWords(past, outcome) ?? 'judged in one run only',
          ]}
        />
      )}
    </>
  );
}
