import type { ComponentChildren, VNode } from 'preact';
import { sectionTitle, bySection, findingWords, UNJUDGED } from '../../model/labels.ts';
import type { PageData, PageRequirement } from '../page-data.ts';
import { anchor, Badge, Command, exchangeLinks, FoundText, LINKS, List, listed } from './parts.tsx';
import { message, outcomeCounts, outcomeWords, RequirementLink } from './parts.tsx';
import { statement, Table, text } from './parts.tsx';

/** Level, basis unless stated, and rulings. */
function origin({ level, basis, rulings }: PageRequirement): string {
  const numbers = rulings.map(([number]) => number).join(', ');
  const name = rulings.length > 1 ? 'rulings' : 'ruling';
  const parts = [level, basis !== 'stated' && basis, numbers !== '' && `${name} ${numbers}`];
  return parts.filter((part) => part !== false).join(', ');
}

function remarks(requirement: PageRequirement): string {
  const { reason, reading, words, checks, findings, total, history } = requirement;
  const judged = checks.filter(({ outcome: one }) => !UNJUDGED.includes(one)).length;
  const isPart = judged > 0 && judged < checks.length;
  const parts = [
    text(words, 300),
    findings.length > 1 && findingWords(findings.length, total),
    reading !== null && reading !== reason && `reading: ${text(reading, 300)}`,
    isPart && `${judged} of ${checks.length} checks had something to judge`,
    history,
  ];
  return parts.filter((part) => typeof part === 'string').join('; ');
}

/** The first defect that makes the check fail, and how many more there are. */
function proven({ proof, level }: PageRequirement, isGiven: boolean): ComponentChildren {
  const [first, ...others] = proof;
  if (first === undefined) return level === 'observe' || !isGiven ? '–' : <b>not proven</b>;
  return `${text(first, 60)}${others.length > 0 ? ` +${others.length}` : ''}`;
}

function cells(requirement: PageRequirement, { proof }: PageData): readonly ComponentChildren[] {
  const { id, outcome, exchanges, title } = requirement;
  const remark = remarks(requirement);
  return [
    <td class={`outcome ${outcome}`}>{outcomeWords(outcome)}</td>,
    <RequirementLink id={id} />,
    [statement(title, 400), remark !== '' && <small>{message(remark)}</small>],
    <td class="note">{origin(requirement)}</td>,
    <td class="note">{proven(requirement, proof.given)}</td>,
    exchangeLinks(exchanges, outcome === 'failed' ? LINKS : 2),
  ];
}

/** Every requirement by section, with outcome and evidence. */
export function Matrix({ data }: { readonly data: PageData }): VNode {
  const { requirements, proof } = data;
  return (
    <>
      <p class="note">
        {`${requirements.length} requirements with outcomes and evidence. ${proof.sentence}`}
      </p>
      <div data-search="requirements" />
      {bySection(requirements).map(([section, own]) => (
        <details class="part" id={anchor('s', section)}>
          <summary>
            <h3>{`§${section} ${sectionTitle(section)}`}</h3> <span>{outcomeCounts(own)}</span>
          </summary>
          <Table
            name="requirements"
            columns={[
              'outcome',
              'requirement',
              'statement and remarks',
              'level, ruling',
              'proven able to fail by',
              'evidence',
            ]}
            head={1}
            items={own}
            id={({ id }) => anchor('r', id)}
            row={(one) => cells(one, data)}
          />
        </details>
      ))}
    </>
  );
}

/** The details of one requirement, below its row. */
export function Requirement(props: { data: PageData; requirement: PageRequirement }): VNode {
  const { data, requirement } = props;
  const { checks, findings, total } = requirement;
  const faults = requirement.proof.map((fault) => <code>{fault}</code>);
  const lines = findings.map((finding) => <FoundText finding={finding} />);
  return (
    <>
      {findings.length > 0 && (
        <h3>{findings.length === 1 ? 'Finding' : findingWords(findings.length, total)}</h3>
      )}
      <List name="found" items={lines} limit={60} />
      <h3>Rerun</h3>
      <Command value={requirement.rerun} label="rerun" />
      {requirement.quotaNote !== null && <p class="note">{requirement.quotaNote}</p>}
      {data.rerunNote !== null && <p class="note">{data.rerunNote}</p>}
      <h3>{`Checks (${checks.length})`}</h3>
      {checks.length === 0 && <p>No check covers this requirement.</p>}
      <List
        name="found"
        limit={120}
        items={checks.map(({ outcome, title, reason, exchanges }) => [
          <Badge outcome={outcome} />,
          ` ${message(title)}`,
          reason !== null && <span class="note">{`: ${message(reason)}`}</span>,
          ' ',
          exchangeLinks(exchanges, 8),
        ])}
      />
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
