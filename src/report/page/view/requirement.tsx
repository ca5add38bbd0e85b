import type { VNode } from 'preact';
import { findingWords } from '../../model/labels.ts';
import type { PageData, PageRequirement } from '../page-data.ts';
import { Badge, Command, exchangeLinks, FoundText, List, listed } from './parts.tsx';
import { message, more, statement } from './parts.tsx';

const FINDINGS = 60;
const CHECKS = 120;

/** The details of one requirement, below its row. */
export function Requirement({
  data,
  requirement,
}: {
  data: PageData;
  requirement: PageRequirement;
}): VNode {
  const { checks, findings, total } = requirement;
  const faults = requirement.proof.map((fault) => <code>{fault}</code>);
  const lines = findings.slice(0, FINDINGS).map((finding) => <FoundText finding={finding} />);
  return (
    <>
      {findings.length > 0 && (
        <h3>{findings.length === 1 ? 'Finding' : findingWords(findings.length, total)}</h3>
      )}
      <List name="found" items={lines} />
      {more(findings.length - FINDINGS)}
      <h3>Rerun</h3>
      <Command value={requirement.rerun} label="rerun" />
      {data.rerunNote !== null && <p class="note">{data.rerunNote}</p>}
      <h3>{`Checks (${checks.length})`}</h3>
      {checks.length === 0 && <p>No check covers this requirement.</p>}
      <List
        name="found"
        items={checks
          .slice(0, CHECKS)
          .map(({ outcome, title, reason, exchanges }) => [
            <Badge outcome={outcome} />,
            ` ${message(title)}`,
            reason !== null && <span class="note">{`: ${message(reason)}`}</span>,
            ' ',
            exchangeLinks(exchanges, 8),
          ])}
      />
      {more(checks.length - CHECKS)}
      {faults.length > 0 && [<h3>Proven able to fail by</h3>, <p>{listed(faults, 30)}</p>]}
      <h3>Source</h3>
      <List
        items={[
          ...requirement.clauses.map((clause) => ['Clause ', <code>{clause}</code>]),
          ...requirement.rulings.map(([one, ruling]) => [`Ruling ${one}: `, statement(ruling)]),
        ]}
      />
    </>
  );
}
