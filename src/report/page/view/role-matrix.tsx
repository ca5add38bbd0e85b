import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { OUTCOME_LABELS } from '../../model/labels.ts';
import {
  answerWords,
  matrixWords,
  refusalWords,
  roleMatrix,
  seenWords,
} from '../../analysis/role-matrix.ts';
import type { CellOutcome, RoleCell, Seen } from '../../analysis/role-matrix.ts';
import { Page } from './page.ts';
import { anchor, Key, listed, roleWords, text } from './parts.tsx';
import type { OfCauses } from './page.ts';

/** Further kinds of responses shown per cell. */
const OTHERS = 3;

const MEANINGS: Readonly<Record<CellOutcome, string>> = {
  passed: 'as expected',
  failed: 'not as expected',
  warned: 'not as expected (should)',
  waived: 'not as expected, waived',
  inconclusive: 'inconclusive',
  untested: 'not tested',
};

/** The link to the finding of a cell: its cause, or else its requirement. */
function hrefOf({ finding }: RoleCell, { causes }: Pick<OfCauses, 'causes'>): string | null {
  if (finding === null) return null;
  const ofRequirement = causes.filter(({ members }) =>
    members.some(({ requirement }) => requirement.id === finding.requirement),
  );
  const cause =
    ofRequirement.find(({ members }) =>
      members.some((one) => one.finding.exchange === finding.exchange),
    ) ?? ofRequirement[0];
  return `#${cause === undefined ? anchor('r', finding.requirement) : anchor('f', cause.id)}`;
}

/** A path with line breaks allowed between its parts. */
const breakable = (path: string): ComponentChildren =>
  path.split(/(?=\/)/).map((part, index) => (index === 0 ? part : [<wbr />, part]));

/** One kind of response, with a link to an exchange. */
function SeenLink({ seen }: { seen: Seen }): VNode {
  const { holds } = useContext(Page);
  const words = (
    <>
      {answerWords(seen)}
      {seen.count > 1 && <span class="times">{` ×${seen.count}`}</span>}
    </>
  );
  return holds(seen.exchange) ? (
    <a href={`#${anchor('x', seen.exchange)}`} title={`${seenWords(seen)}, e.g. ${seen.exchange}`}>
      {words}
    </a>
  ) : (
    <span>{words}</span>
  );
}

interface CellProps extends Pick<OfCauses, 'causes'> {
  readonly cell: RoleCell;
  /** The expectation in the column header; a cell only shows another one. */
  readonly usual: string | undefined;
}

function Cell({ cell, usual, causes }: CellProps): VNode {
  const { outcome, seen, access, why } = cell;
  const { icon } = OUTCOME_LABELS[outcome];
  const words = `${MEANINGS[outcome]}${why === null ? '' : `: ${text(why, 160)}`}; expected ${access.words}`;
  const [first, ...others] = seen;
  const href = hrefOf(cell, { causes });
  return (
    <td class={`cell ${outcome}`} title={words}>
      <span class="sign" aria-hidden="true">
        {icon}
      </span>{' '}
      <span class="sr">{`${words}. `}</span>
      {first !== undefined && <SeenLink seen={first} />}
      {access.short !== usual && <small>{`expected: ${access.short}`}</small>}
      {href !== null && (
        <small>
          <a class="to" href={href}>
            finding
          </a>
        </small>
      )}
      {others.length > 0 && (
        <small>
          {listed(
            others.map((one) => <SeenLink seen={one} />),
            OTHERS,
            (count) => `, +${count}`,
          )}
        </small>
      )}
    </td>
  );
}

/** Expected and actual access of every key role to every endpoint (§5). */
export function RoleMatrixView({ results, causes }: OfCauses): VNode {
  const matrix = roleMatrix(results);
  const cells = matrix.rows.flatMap((row) => row.cells);
  const outcomes = (Object.keys(MEANINGS) as CellOutcome[]).filter((outcome) =>
    cells.some((cell) => cell.outcome === outcome),
  );
  const open = matrix.columns.filter(({ barred }) => !barred).length;
  return (
    <>
      <h2>Access by key role</h2>
      <p class="note">
        {`${matrixWords(matrix)}. Column headers show the expected responses; cells show the actual ones, with links to exchanges.`}
      </p>
      <p>{`${refusalWords(matrix)}.`}</p>
      <Key
        label="Table legend"
        entries={outcomes.map((outcome) => [
          <span class={`cell ${outcome}`} aria-hidden="true">
            <span class="sign">{OUTCOME_LABELS[outcome].icon}</span>
          </span>,
          MEANINGS[outcome],
        ])}
      />
      <div class="scroll both" tabIndex={0} role="group" aria-label="Access by key role, table">
        <table class="access">
          <thead>
            <tr>
              <td />
              <th scope="colgroup" colSpan={open}>
                accepted
              </th>
              <th scope="colgroup" colSpan={matrix.columns.length - open}>
                refused
              </th>
            </tr>
            <tr>
              <th scope="col">endpoint</th>
              {matrix.columns.map(({ role, due }) => (
                <th scope="col">
                  {roleWords(role)}
                  <small>{due.join(' or ')}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.rows.map(({ endpoint, cells: own }) => (
              <tr>
                <th scope="row">
                  <code>{breakable(endpoint)}</code>
                </th>
                {own.map((cell, index) => (
                  <Cell cell={cell} usual={matrix.columns[index]?.due[0]} causes={causes} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
