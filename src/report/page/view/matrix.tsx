import type { ComponentChildren, VNode } from 'preact';
import { sectionTitle } from '../../model/areas.ts';
import { bySection, UNJUDGED } from '../../model/labels.ts';
import type { PageData, PageRequirement } from '../page-data.ts';
import { OUTCOMES } from '../../model/results.ts';
import { anchor, exchangeLinks, LINKS, message, outcomeClass, outcomeWords } from './parts.tsx';
import { RequirementLink, statement, Table, text } from './parts.tsx';

/** Level, basis where it is not simply stated, and rulings. */
function origin({ level, basis, rulings }: PageRequirement): string {
  const numbers = rulings.map(([number]) => number);
  return [
    level,
    ...(basis === 'stated' ? [] : [basis]),
    ...(numbers.length === 0
      ? []
      : [`ruling${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')}`]),
  ].join(', ');
}

/** A reason that more requirements than this share stands in the list of what was not verified, once. */
const SHARED = 20;

/** How many requirements were not judged for the same reason, by reason. */
function reasonsOf(requirements: readonly PageRequirement[]): ReadonlyMap<string, number> {
  const shared = new Map<string, number>();
  for (const { reason, outcome } of requirements) {
    if (reason !== null && UNJUDGED.includes(outcome)) {
      shared.set(reason, (shared.get(reason) ?? 0) + 1);
    }
  }
  return shared;
}

/** How it stands and on how much, and what else there is to say. */
function remarks(requirement: PageRequirement, shared: ReadonlyMap<string, number>): string {
  const { reason, reading, words, checks, findings, history } = requirement;
  const others = (shared.get(reason ?? '') ?? 1) - 1;
  const isShared = UNJUDGED.includes(requirement.outcome) && others >= SHARED;
  const judged = checks.filter(({ outcome: one }) => !UNJUDGED.includes(one)).length;
  return [
    isShared
      ? `for the same reason as ${others} others, see what was not verified`
      : text(words, 300),
    ...(findings.length > 1 ? [`${findings.length} findings`] : []),
    ...(reading === null || reading === reason ? [] : [`reading: ${text(reading, 300)}`]),
    ...(judged > 0 && judged < checks.length
      ? [`${judged} of ${checks.length} checks had something to judge`]
      : []),
    ...(history?.words == null ? [] : [history.words]),
  ].join('; ');
}

function counts(requirements: readonly PageRequirement[]): string {
  return OUTCOMES.flatMap((outcome) => {
    const count = requirements.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [outcomeWords(outcome).replace(' ', ` ${count} `)];
  }).join(', ');
}

/** The defects that turned the check of a requirement red; what is left out stands in its own view. */
function proven({ proof, level }: PageRequirement): ComponentChildren {
  const [first, ...more] = proof;
  if (first === undefined) return level === 'observe' ? '–' : <b>not proven</b>;
  return `${text(first, 60)}${more.length > 0 ? ` +${more.length}` : ''}`;
}

function cells(
  requirement: PageRequirement,
  remark: string,
  withProof: boolean,
): readonly ComponentChildren[] {
  const { id, outcome, exchanges, title } = requirement;
  return [
    <td class={`outcome ${outcomeClass(outcome)}`}>{outcomeWords(outcome)}</td>,
    <RequirementLink id={id} />,
    [statement(title, 400), remark !== '' && <small>{message(remark)}</small>],
    <td class="note">{origin(requirement)}</td>,
    ...(withProof ? [<td class="note">{proven(requirement)}</td>] : []),
    exchangeLinks(exchanges, outcome === 'failed' ? LINKS : 2),
  ];
}

/** A section of the specification in the matrix. */
export interface MatrixPart {
  readonly section: string;
  readonly requirements: readonly PageRequirement[];
  /** Those of them that are shown. */
  readonly shown: readonly PageRequirement[];
  /** Folded parts have no rows: a document of a few thousand elements opens at once. */
  readonly open: boolean;
}

/** The whole matrix, unfolded. */
export function wholeMatrix(requirements: readonly PageRequirement[]): readonly MatrixPart[] {
  return bySection(requirements).map(([section, own]) => ({
    section,
    requirements: own,
    shown: own,
    open: true,
  }));
}

interface MatrixProps {
  readonly data: PageData;
  readonly parts: readonly MatrixPart[];
  readonly onToggle?: (section: string, open: boolean) => void;
  /** Id of the requirement that stands beside the matrix. */
  readonly chosen?: string | null;
  /** False where the address of a requirement leads to its own view: a browser would look for its row here first. */
  readonly addressed?: boolean;
  /** What chooses the rows, where a script runs. */
  readonly children?: ComponentChildren;
}

/** Every requirement by section of the specification, with its outcome and evidence, on passes too. */
export function Matrix(props: MatrixProps): VNode {
  const { data, parts, onToggle, chosen = null, addressed = true, children } = props;
  const { requirements, proof } = data;
  const shared = reasonsOf(requirements);
  const withProof = proof.given;
  const columns = [
    'outcome',
    'requirement',
    'statement and remarks',
    'level, ruling',
    ...(withProof ? ['proven able to fail by'] : []),
    'evidence',
  ];
  return (
    <>
      <h2>Requirements</h2>
      <p class="note">
        {`${requirements.length} testable statements taken from the clauses of the specification: how each came out and on which exchanges, passes included. ${proof.sentence}`}
      </p>
      {children}
      {parts.map(({ section, requirements: own, shown, open }) => (
        <details
          class="part"
          id={anchor('s', section)}
          key={section}
          open={open}
          hidden={shown.length === 0}
          onToggle={(event) => onToggle?.(section, event.currentTarget.open)}
        >
          <summary>
            <h3>{`§${section} ${sectionTitle(section)}`}</h3> <span>{counts(own)}</span>
          </summary>
          {open && (
            <Table
              name={`matrix requirements${withProof ? ' proven' : ''}`}
              columns={columns}
              head={1}
              items={shown}
              id={({ id }) => (addressed ? anchor('r', id) : undefined)}
              current={({ id }) => id === chosen}
              row={(one) => cells(one, remarks(one, shared), withProof)}
            />
          )}
        </details>
      ))}
    </>
  );
}
