import type { VNode } from 'preact';
import { plural } from '../../text/text.ts';
import type { Results } from '../results.ts';
import { groupUnjudged } from '../unjudged.ts';
import { Badge, message, RequirementLinks, Table } from './parts.tsx';

/** Ids listed for one reason; the matrix has all. */
const IDS = 24;
const GROUPS = 40;

/** What was not verified, by the setting that would change it. */
export function Gaps({ results }: { readonly results: Results }): VNode {
  const groups = groupUnjudged(results.requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  return (
    <>
      <h3 id="not-verified">{`Not verified: ${plural(total, 'requirement')}`}</h3>
      {groups.length === 0 ? (
        <p>Every requirement was judged.</p>
      ) : (
        <Table name="gaps" columns={['outcome', 'what would change it', 'requirements']}>
          {groups.slice(0, GROUPS).map(({ outcome, setting, reasons, requirements }) => (
            <tr>
              <td>
                <Badge outcome={outcome} />
              </td>
              <td>
                {setting !== null && (
                  <>
                    <strong>
                      set <code>{setting}</code>
                    </strong>
                    <br />
                  </>
                )}
                {reasons
                  .slice(0, 4)
                  .map((reason) => message(reason, 300))
                  .join('; ')}
              </td>
              <td>
                <strong>{requirements.length}</strong>
                {': '}
                <RequirementLinks ids={requirements.map(({ id }) => id)} limit={IDS} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {groups.length > GROUPS && (
        <p class="note">{`${groups.length - GROUPS} more reasons are in the matrix.`}</p>
      )}
    </>
  );
}
