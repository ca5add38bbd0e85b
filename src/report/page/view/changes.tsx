import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { rankOf } from '../../analysis/causes.ts';
import { changedSince, changeWords, historyWords } from '../../analysis/history.ts';
import { unverifiedOf, wasViolated } from '../../analysis/history.ts';
import { baselineWords } from '../../analysis/rerun.ts';
import { changesByKind, type Change, type ChangeKind, type Diff } from '../../model/diff.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS } from '../../model/diff-words.ts';
import { groupChanges, type ChangeGroup } from '../../model/diff-words.ts';
import { outcomeOf } from '../../model/status.ts';
import { RequirementLink, Table, type OfCauses, type OfResults } from './parts.tsx';
import { Badge, clock, code, exchangeLinks, Fold, listed, message } from './parts.tsx';

const ROWS = 100;

/** Requirements shown per group; the rest is folded. */
const NAMED = 6;

function subjectsOf({ changes }: ChangeGroup): ComponentChildren {
  const links = changes.map(({ subject }) => <RequirementLink id={subject} />);
  if (links.length === 1) return links;
  const rest = links.slice(NAMED);
  return [
    <strong>{`${changes.length} for the same reason${changes[0]?.level == null ? '' : ` (${changes[0].level})`}: `}</strong>,
    listed(links.slice(0, NAMED)),
    rest.length > 0 && <Fold title={`and ${rest.length} more`}>{listed(rest)}</Fold>,
  ];
}

interface OfKind<One> extends OfResults {
  readonly kind: ChangeKind;
  readonly changes: readonly One[];
}

function KindHeading({ kind, changes, results }: OfKind<Pick<Change, 'subject' | 'level'>>): VNode {
  const { icon, tone } = CHANGE_WORDS[kind];
  return (
    <h3 id={`changes-${kind}`}>
      <span class={tone}>{icon}</span> {changeWords(kind, changes, results)}
    </h3>
  );
}

function ChangesOfKind({ causes, ...own }: OfKind<Change> & OfCauses): VNode {
  const { kind, changes, results } = own;
  return (
    <>
      <KindHeading {...own} />
      <Table
        name="changes"
        labelled
        columns={['what', 'before', 'now', 'likely caused by', 'evidence']}
        items={groupChanges(changes, rankOf(causes))}
        limit={ROWS}
        row={(group) => {
          const { example } = group;
          const hasAge = group.changes.length === 1 && kind !== 'new-violation';
          const words = hasAge ? ageWords(example.since, results.startedAt) : '';
          return [
            subjectsOf(group),
            message(example.before, 300),
            [message(example.after, 600), words !== '' && <small>{words}</small>],
            BECAUSE_WORDS[example.because],
            exchangeLinks(example.exchanges, example.exchanges.length),
          ];
        }}
      />
    </>
  );
}

function Compared({ diff, ...own }: OfCauses & { diff: Diff }): VNode {
  const { startedAt, tool, verdict } = diff.before;
  return (
    <>
      <p>{`Compared with the run of ${clock(startedAt)} (Assay ${tool}, verdict ${verdict}).`}</p>
      <Table
        name="context"
        labelled
        empty="Target, specification, Assay, settings and requested identifiers are the same in both runs."
        caption="The runs differ in more than their results, which may explain some changes:"
        columns={['kind', 'what', 'before', 'now']}
        items={diff.context}
        row={(one) => [one.of, one.name, code(one.before, 300), code(one.after, 300)]}
      />
      {diff.changes.length === 0 && <p>Nothing changed.</p>}
      {changesByKind(diff).map(([kind, ofKind]) => (
        <ChangesOfKind kind={kind} changes={ofKind} {...own} />
      ))}
    </>
  );
}

function HistorySection({ results }: OfResults): VNode | null {
  const { history } = results;
  if (history === undefined) return null;
  const { runs, outcomes } = history;
  const rows = results.requirements.flatMap((one) => {
    const { id } = one;
    const outcome = outcomeOf(one);
    const past = outcomes[id];
    return past && wasViolated(past, outcome) ? [{ id, outcome, past }] : [];
  });
  return (
    <>
      <h3 id="history">{`History over ${plural(runs.length + 1, 'run')}`}</h3>
      <p class="note">
        {`Runs against this target in the same folder since ${clock(runs[0]?.startedAt ?? results.startedAt)}. Requirements that were never violated are omitted.`}
      </p>
      <Table
        name="history"
        empty="No requirement was violated."
        columns={['requirement', 'outcome', 'summary']}
        items={rows}
        limit={ROWS}
        row={({ id, outcome, past }) => [
          <RequirementLink id={id} />,
          <Badge outcome={outcome} />,
          historyWords(past, outcome) ?? 'judged in one run only',
        ]}
      />
    </>
  );
}

/** Requirements of one kind; of what is no longer verified, which are which. */
function Subjects(props: OfKind<Pick<Change, 'subject' | 'level'>>): VNode {
  const { kind, changes, results } = props;
  const parts =
    kind === 'newly-unverified'
      ? Object.entries(unverifiedOf(changes, results))
      : [['', changes] as const];
  const shown = parts.filter(([, own]) => own.length > 0);
  return (
    <>
      <KindHeading {...props} />
      {shown.map(([words, own]) => (
        <p class="ids">
          {shown.length > 1 && `${own.length} ${words}: `}
          {listed(own.map(({ subject }) => <RequirementLink id={subject} />))}
        </p>
      ))}
    </>
  );
}

/** Changes since the earlier run by kind, or since the last run in the folder; or how to compare when there is none. */
export function Changes({ results, causes }: OfCauses): VNode {
  const rank = rankOf(causes);
  const last = results.history?.runs.at(-1);
  return (
    <>
      {results.changes === undefined ? (
        <>
          <p>
            {last === undefined
              ? 'No earlier run. '
              : `Outcomes compared with the last run in the same folder, of ${clock(last.startedAt)}. `}
            To compare {last === undefined ? 'runs' : 'everything'}, use{' '}
            <code>{baselineWords(results)}</code>, or <code>assay diff A.json B.json</code> for
            finished runs.
          </p>
          {changedSince(results, rank).map(([kind, changes]) => (
            <Subjects kind={kind} changes={changes} results={results} />
          ))}
        </>
      ) : (
        <Compared diff={results.changes} results={results} causes={causes} />
      )}
      <HistorySection results={results} />
    </>
  );
}
