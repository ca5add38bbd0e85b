import type { VNode } from 'preact';
import { isRequirementId, requirementOf } from '../../contract/requirements.ts';
import { RULINGS } from '../../contract/rulings.ts';
import { oneLine } from '../../text/text.ts';
import type { ReadingResult, RequirementResult, Results } from '../results.ts';
import {
  Badge,
  Command,
  ExchangeLinks,
  Fact,
  message,
  More,
  RequirementLink,
  Statement,
  Table,
  text,
} from './parts.tsx';

/** A sentence that would close the gap, made of the question and what was seen. */
function suggestedSentence({ question, answer }: ReadingResult): string {
  const topic = question.trim().replace(/[.?]$/, '');
  return `${topic}: ${answer.trim().replace(/[.]$/, '')}.`;
}

function rulingsOf({ id }: RequirementResult): readonly number[] {
  return isRequirementId(id) ? (requirementOf(id).rulings ?? []) : [];
}

function Contradiction({ requirement }: { readonly requirement: RequirementResult }): VNode {
  const { reading, findings, reason, outcome } = requirement;
  const seen = reading ?? findings[0]?.message ?? reason;
  const rulings = rulingsOf(requirement);
  return (
    <tr>
      <td>
        <Badge outcome={outcome} />
      </td>
      <th scope="row">
        <RequirementLink id={requirement.id} />
      </th>
      <td>
        <Statement value={requirement.title} />
        {rulings.length > 0 && (
          <small>{`judged by ${rulings.length > 1 ? 'rulings' : 'ruling'} ${rulings.join(', ')}`}</small>
        )}
      </td>
      <td>
        {seen !== null
          ? message(seen, 300)
          : outcome === 'passed'
            ? 'what the ruling asks for'
            : 'nothing'}
      </td>
      <td>
        <ExchangeLinks ids={requirement.exchanges.slice(0, 2)} />
      </td>
    </tr>
  );
}

function Contradictions({ results }: { readonly results: Results }): VNode {
  const list = results.requirements.filter(({ basis }) => basis === 'contradictory');
  if (list.length === 0) return <p>None of the requirements of this run.</p>;
  const rulings = [...new Set(list.flatMap(rulingsOf))].toSorted((a, b) => a - b);
  return (
    <>
      <Table
        name="matrix contradictions"
        columns={['outcome', 'requirement', 'statement', 'seen', 'evidence']}
      >
        {list.map((one) => (
          <Contradiction requirement={one} />
        ))}
      </Table>
      <dl class="facts">
        {rulings.map((number) => (
          <Fact name={`Ruling ${number}`}>
            <Statement value={RULINGS[number] ?? ''} />
          </Fact>
        ))}
      </dl>
    </>
  );
}

/** Questions that only differ in what they are about, with one answer to all of them. */
interface AnswerGroup {
  readonly question: string;
  readonly about: readonly string[];
  readonly reading: ReadingResult;
  readonly exchanges: readonly string[];
}

/** Fewer of a kind are easier to read one by one. */
const ALIKE = 3;

/**
 * Readings, those of one kind with the same answer put together: `Fields that the specification does not name of …:
 * none` is one line, not fourteen.
 */
function grouped(
  readings: readonly ReadingResult[],
  apart: ReadonlyMap<string, string>,
): readonly AnswerGroup[] {
  const keyOf = ({ question, answer, mixed }: ReadingResult): string | null => {
    const kind = / of [\w./{} -]+$/.exec(question);
    if (mixed || apart.has(question) || kind === null) return null;
    return JSON.stringify([question.slice(0, kind.index), answer]);
  };
  const sizes = new Map<string, number>();
  for (const reading of readings) {
    const key = keyOf(reading);
    if (key !== null) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, AnswerGroup>();
  for (const reading of readings) {
    const key = keyOf(reading);
    const { question, exchanges } = reading;
    if (key === null || (sizes.get(key) ?? 0) < ALIKE) {
      groups.set(JSON.stringify(question), { question, about: [], reading, exchanges });
      continue;
    }
    const kind = question.slice(0, question.lastIndexOf(' of '));
    const group = groups.get(key);
    groups.set(key, {
      question: kind,
      about: [...(group?.about ?? []), question.slice(kind.length + 4)],
      reading,
      exchanges: [...(group?.exchanges ?? []), ...exchanges.slice(0, 1)],
    });
  }
  return [...groups.values()];
}

/** A sentence a line for each answer that is not mixed. */
function sentencesFor(readings: readonly ReadingResult[]): string {
  const lines = readings
    .filter(({ mixed }) => !mixed)
    .map((one) => `- ${oneLine(suggestedSentence(one), 700)}`);
  return lines.length === 0 ? 'Every answer is mixed.' : lines.join('\n');
}

/** Readings shown; a hostile file may hold any number. */
const READINGS = 150;

function Readings({ results }: { readonly results: Results }): VNode {
  if (results.readings.length === 0) return <p>Nothing was recorded.</p>;
  const readings = results.readings.slice(0, READINGS);
  const changed = new Map(
    (results.changes?.changes ?? [])
      .filter(({ kind }) => kind === 'behaviour')
      .map((one) => [one.subject, one.before]),
  );
  return (
    <>
      <Table name="readings" columns={['question', 'what the target does', 'evidence']}>
        {grouped(readings, changed).map(({ question, about, reading, exchanges }) => {
          const before = changed.get(question);
          return (
            <tr>
              <th scope="row">
                {text(question, 300)}
                {about.length > 0 && <small>{`of ${text(about.join(', '), 600)}`}</small>}
              </th>
              <td>
                {reading.mixed && <strong class="chip warned">! mixed</strong>}
                {before !== undefined && (
                  <strong class="chip new">{`~ was ${text(before, 200)}`}</strong>
                )}{' '}
                {text(reading.answer, 600)}
              </td>
              <td>
                <ExchangeLinks ids={exchanges} />
              </td>
            </tr>
          );
        })}
      </Table>
      <More count={results.readings.length - READINGS} />
      <details>
        <summary>As sentences for the specification</summary>
        <Command label="sentences for the specification" value={sentencesFor(readings)} />
      </details>
    </>
  );
}

/** Where the specification contradicts itself or is silent, and what the target does there. */
export function Behaviour({ results }: { readonly results: Results }): VNode {
  return (
    <>
      <h2>Behaviour</h2>
      <h3 id="contradictions">Where the specification contradicts itself</h3>
      <Contradictions results={results} />
      <h3 id="readings">Where the specification is silent or leaves a choice</h3>
      <p class="note">What the target was seen to do. Nothing here counts against it.</p>
      <Readings results={results} />
    </>
  );
}
