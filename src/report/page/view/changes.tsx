import type { VNode } from 'preact';
import { changesByKind } from '../../model/diff.ts';
import type { Change, ChangeKind, Diff } from '../../model/diff.ts';
import { groupChanges, type ChangeGroup } from '../../model/diff-groups.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS, changeCount } from '../../model/diff-words.ts';
import { wordsById } from '../../analysis/history.ts';
import type { Results } from '../../model/results.ts';
import { HistorySection } from './history.tsx';
import type { OfResults } from './page.ts';
import { clock, exchangeLinks, message, RequirementLink, Table, text } from './parts.tsx';

const ROWS = 100;

function Context({ diff }: { diff: Diff }): VNode {
  if (diff.context.length === 0) {
    return (
      <p>
        Target, specification, Assay, settings and data are the same in both runs: all changes come
        from the implementation.
      </p>
    );
  }
  return (
    <Table
      name="context"
      labelled
      caption="The runs differ in more than their results, which may explain some changes:"
      columns={['kind', 'what', 'before', 'now']}
      items={diff.context}
      row={(one) => [
        one.of,
        one.name,
        <code>{text(one.before, 300)}</code>,
        <code>{text(one.after, 300)}</code>,
      ]}
    />
  );
}

/** Requirements shown per group; the rest is folded. */
const NAMED = 6;

function subjectsOf({ changes }: ChangeGroup, results: Results): VNode {
  const links = changes.map((change, index) => (
    <>
      {index > 0 && ', '}
      {subjectOf(change, results)}
    </>
  ));
  if (links.length === 1) return <>{links}</>;
  const rest = links.slice(NAMED);
  return (
    <>
      <strong>{`${changes.length} ${changes[0]?.level ?? ''} for the same reason: `}</strong>
      {links.slice(0, NAMED)}
      {rest.length > 0 && (
        <details>
          <summary>{`and ${rest.length} more`}</summary>
          {rest}
        </details>
      )}
    </>
  );
}

function subjectOf({ subject }: Change, { requirements }: Results): VNode {
  const known = requirements.some(({ id }) => id === subject);
  return known ? <RequirementLink id={subject} /> : <code>{text(subject, 200)}</code>;
}

interface KindProps extends OfResults {
  readonly kind: ChangeKind;
  readonly changes: readonly Change[];
}

function ChangesOfKind({ kind, changes, results }: KindProps): VNode {
  const { icon, tone } = CHANGE_WORDS[kind];
  const history = wordsById(results);
  const told = ({ since, subject }: Change): string => {
    // A new violation has no age.
    const age = kind === 'new-violation' ? '' : ageWords(since, results.startedAt);
    return [age, history.get(subject) ?? ''].filter((one) => one !== '').join('; ');
  };
  return (
    <>
      <h3 id={`changes-${kind}`}>
        <span class={tone}>{icon}</span> {changeCount(kind, changes)}
      </h3>
      <Table
        name="matrix changes"
        labelled
        columns={['what', 'before', 'now', 'likely caused by', 'evidence']}
        items={groupChanges(changes)}
        limit={ROWS}
        row={(group) => {
          const { example, before } = group;
          const words = group.changes.length === 1 ? told(example) : '';
          return [
            subjectsOf(group, results),
            before === null ? <i>varies</i> : message(before, 300),
            [message(example.after, 600), words !== '' && <small>{words}</small>],
            BECAUSE_WORDS[example.because],
            exchangeLinks(example.exchanges, example.exchanges.length),
          ];
        }}
      />
    </>
  );
}

function Compared({ diff, results }: OfResults & { diff: Diff }): VNode {
  const { before, changes } = diff;
  return (
    <>
      <p>
        {`Compared with the run of ${clock(before.startedAt)} (Assay ${before.tool}, verdict ${before.verdict}).`}
      </p>
      <Context diff={diff} />
      {changes.length === 0 && <p>Nothing changed.</p>}
      {changesByKind(diff).map(([kind, own]) => (
        <ChangesOfKind kind={kind} changes={own} results={results} />
      ))}
    </>
  );
}

/** Changes since the earlier run by kind, or how to compare when there is none. */
export function Changes({ results }: OfResults): VNode {
  return (
    <>
      <h2>Changes</h2>
      {results.changes === undefined ? (
        <p>
          No earlier run was given. To compare, use <code>assay run --baseline results.json</code>,
          or <code>assay diff A.json B.json</code> for finished runs.
        </p>
      ) : (
        <Compared diff={results.changes} results={results} />
      )}
      <HistorySection results={results} />
    </>
  );
}
