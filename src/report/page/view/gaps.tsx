import type { VNode } from 'preact';
import { UNTESTABLE } from '../../../requirements/clauses.ts';
import { groupBy } from '../../../text/group-by.ts';
import { plural } from '../../../text/text.ts';
import { sectionTitle } from '../../model/labels.ts';
import { kindOf } from '../../model/status.ts';
import { mustWords, openClauses, sectionOf } from '../../model/unjudged.ts';
import { gapsOf } from '../../analysis/outline.ts';
import { Badge, Command, Facts, Fold, List, listed, message, requirementLinks } from './parts.tsx';
import { Table, type OfResults } from './parts.tsx';

const IDS = 24;

/** Clauses without a judged requirement by section, and clauses that no request can test. */
function Clauses({ results: { requirements } }: OfResults): VNode {
  const { open, of } = openClauses(requirements);
  const lines = [...groupBy(open, sectionOf)].map(([section, own]) => [
    <strong>{`§${section} ${sectionTitle(section)}`}</strong>,
    `, ${own.length}: `,
    listed(
      own.map((clause) => <code>{clause.slice(section.length + 1)}</code>),
      IDS,
    ),
  ]);
  return (
    <>
      <h4 id="clauses">{`Clauses not covered: ${open.length} of ${of}`}</h4>
      {open.length === 0 && <p class="note">Every testable clause was judged.</p>}
      <List items={lines} />
      <Fold title={`${plural(Object.keys(UNTESTABLE).length, 'clause')} that no request can test`}>
        <Facts rows={Object.entries(UNTESTABLE)} />
      </Fold>
    </>
  );
}

/** What was not verified, by the setting to change. Load runs have only the requirements of their scenarios. */
export function Gaps({ results }: OfResults): VNode | null {
  const groups = gapsOf(results);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  const isLoad = kindOf(results) === 'load';
  if (isLoad && total === 0) return null;
  return (
    <>
      <h3 id="not-verified">{`Not verified: ${plural(total, 'requirement')}`}</h3>
      <Fold title="Reasons and next steps" name="rest">
        <Table
          name="gaps"
          empty="Every requirement was judged."
          columns={['outcome', 'reason and next step', 'requirements']}
          head={-1}
          items={groups}
          limit={40}
          row={({ outcome, setting, reasons, requirements, next }) => [
            <Badge outcome={outcome} />,
            [
              setting !== null && [<strong>{['set ', <code>{setting}</code>]}</strong>, <br />],
              message(reasons.slice(0, 4).join('; ')),
              <p>{next.words}</p>,
              next.command !== null && (
                <Command label={`next step: ${requirements[0]?.id ?? ''}`} value={next.command} />
              ),
            ],
            [
              <strong>{requirements.length}</strong>,
              `${mustWords({ requirements })}: `,
              requirementLinks(requirements, IDS),
            ],
          ]}
        />
      </Fold>
      {!isLoad && <Clauses results={results} />}
    </>
  );
}
