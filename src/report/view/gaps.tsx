import type { VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { groupUnjudged } from '../unjudged.ts';
import type { OfResults } from './page.ts';
import { Badge, message, requirementLinks, Table } from './parts.tsx';

/** Ids listed for one reason; the matrix has all. */
const IDS = 24;
const GROUPS = 40;

/** What was not verified, by the setting that would change it. */
export function Gaps({ results }: OfResults): VNode {
  const groups = groupUnjudged(results.requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  return (
    <>
      <h3 id="not-verified">{`Not verified: ${plural(total, 'requirement')}`}</h3>
      {groups.length === 0 ? (
        <p>Every requirement was judged.</p>
      ) : (
        <Table
          name="gaps"
          columns={['outcome', 'what would change it', 'requirements']}
          head={-1}
          items={groups.slice(0, GROUPS)}
          row={({ outcome, setting, reasons, requirements }) => [
            <Badge outcome={outcome} />,
            [
              setting !== null && [<strong>{['set ', <code>{setting}</code>]}</strong>, <br />],
              reasons.slice(0, 4).map((reason, index) => [index > 0 && '; ', message(reason, 300)]),
            ],
            [
              <strong>{requirements.length}</strong>,
              ': ',
              requirementLinks(
                requirements.map(({ id }) => id),
                IDS,
              ),
            ],
          ]}
        />
      )}
      {groups.length > GROUPS && (
        <p class="note">{`${groups.length - GROUPS} more reasons are in the matrix.`}</p>
      )}
    </>
  );
}
