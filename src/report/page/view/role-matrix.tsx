import type { ComponentChildren, VNode } from 'preact';
import { groupBy } from '../../../text/group-by.ts';
import { ICONS } from '../../model/results.ts';
import { answerWords, isAccepted, refusalWords } from '../../analysis/role-matrix.ts';
import { roleMatrix, seenWords } from '../../analysis/role-matrix.ts';
import type { CellOutcome, RoleCell } from '../../analysis/role-matrix.ts';
import { anchor, ExchangeLink, List, listed, roleWords, Table, text } from './parts.tsx';
import type { OfCauses } from './parts.tsx';

/** Those of a cell with a finding are appended to what happened. */
const MEANINGS: Readonly<Record<CellOutcome, string>> = {
  passed: 'as expected',
  failed: '',
  warned: ' (should)',
  waived: ', waived',
  observed: 'another permitted error',
  inconclusive: 'inconclusive',
  untested: 'not tested',
};

/** The sign and the meaning of a cell: a key let in by mistake, one refused by mistake and a wrong refusal differ. */
function legendOf(cell: RoleCell): readonly [sign: string, meaning: string] {
  const icon = ICONS[cell.outcome];
  const meaning = MEANINGS[cell.outcome];
  if (cell.finding === null) return [icon, meaning];
  if (isAccepted(cell)) return [icon, `let in${meaning}`];
  return cell.access.allowed
    ? [icon, `not served${meaning}`]
    : ['≠', `refused with the wrong error${meaning}`];
}

/** The link to the finding of a cell: its cause, or else its requirement. */
function hrefOf({ finding }: RoleCell, causes: OfCauses['causes']): string | null {
  if (finding === null) return null;
  const { requirement: id, exchange } = finding;
  const cause = causes.find(({ members }) =>
    members.some((one) => one.requirement.id === id && one.finding.exchange === exchange),
  );
  return `#${cause === undefined ? anchor('r', id) : anchor('f', cause.id)}`;
}

/** A path with line breaks allowed between its parts. */
const breakable = (path: string): ComponentChildren =>
  path.split(/(?=\/)/).map((part, index) => (index === 0 ? part : [<wbr />, part]));

/** @param usual the expectation in the column header; a cell only shows another one */
function cellOf(cell: RoleCell, usual: string | undefined, causes: OfCauses['causes']): VNode {
  const { outcome, seen, access, why } = cell;
  const [sign, meaning] = legendOf(cell);
  const words = `${meaning}${why === null ? '' : `: ${text(why, 160)}`}; expected ${access.words}`;
  const [first, ...others] = seen.map((one) => (
    <ExchangeLink id={one.exchange} title={`${seenWords(one)}, e.g. ${one.exchange}`}>
      {one.count > 1 ? seenWords(one) : answerWords(one)}
    </ExchangeLink>
  ));
  const href = hrefOf(cell, causes);
  return (
    <td class={`cell ${outcome}`} title={words}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>{' '}
      <span class="sr">{`${words}. `}</span>
      {first}
      {access.short !== usual && <small>{`expected: ${access.short}`}</small>}
      {href !== null && (
        <small>
          <a href={href}>finding</a>
        </small>
      )}
      {others.length > 0 && <small>{listed(others, 3, (count) => `, +${count}`)}</small>}
    </td>
  );
}

/** Expected and actual access of every key role to every endpoint (§5). */
export function RoleMatrixView({ results, causes }: OfCauses): VNode {
  const matrix = roleMatrix(results);
  const cells = matrix.rows.flatMap((row) => row.cells);
  const rank = ({ outcome }: RoleCell): number => Object.keys(MEANINGS).indexOf(outcome);
  const sorted = cells.toSorted((a, b) => rank(a) - rank(b));
  const kinds = [...groupBy(sorted, (cell) => legendOf(cell)[1]).values()];
  const roles = matrix.columns.map(({ role, due }) => [
    roleWords(role),
    <small>{due.join(' or ')}</small>,
  ]);
  return (
    <>
      <p class="note">
        Column headers show the expected responses; cells show the actual ones, with links to
        exchanges.
      </p>
      <p>{`${refusalWords(matrix)}.`}</p>
      <List
        name="key"
        label="Table legend"
        items={kinds.map((own) => [
          <span class={`cell ${own[0].outcome}`} aria-hidden="true">
            <span class="sign">{legendOf(own[0])[0]}</span>
          </span>,
          ` ${own.length} ${legendOf(own[0])[1]}`,
        ])}
      />
      <div class="scroll" tabIndex={0} role="group" aria-label="Access by key role, table">
        <Table
          name="access"
          columns={['endpoint', ...roles]}
          items={matrix.rows}
          row={({ endpoint, cells: own }) => [
            <code>{breakable(endpoint)}</code>,
            ...own.map((cell, index) => cellOf(cell, matrix.columns[index]?.due[0], causes)),
          ]}
        />
      </div>
    </>
  );
}
