import type { ComponentChildren, VNode } from 'preact';
import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { RULINGS } from '../../contract/rulings.ts';
import { plural } from '../../text/text.ts';
import { groupReadings, sentencesFor } from '../reading-groups.ts';
import type { RequirementResult, Results } from '../results.ts';
import type { OfResults } from './page.ts';
import { Badge, Command, exchangeLinks, Facts, listed, message, more } from './parts.tsx';
import { RequirementLink, statement, Table, text } from './parts.tsx';

function rulingsOf({ id }: RequirementResult): readonly number[] {
  return isRequirementId(id) ? (requirementOf(id).rulings ?? []) : [];
}

/** Forms that are named in one cell; a hostile file may hold any number. */
const FORMS = 12;

/** How often each form was seen, where a target mixes them: `Form of error codes: six digits ×12`. */
function formsOf({ reading }: RequirementResult, { readings }: Results): readonly string[] {
  return readings.flatMap(({ question, forms = [] }) =>
    forms.flatMap(({ answer, count }) => {
      const words = `${question}: ${answer}`;
      return reading?.includes(words) === true ? [`${text(words, 200)} ×${count}`] : [];
    }),
  );
}

function contradiction(
  requirement: RequirementResult,
  results: Results,
): readonly ComponentChildren[] {
  const { id, title, reading, findings, reason, outcome, exchanges } = requirement;
  const seen = reading ?? findings[0]?.message ?? reason;
  const rulings = rulingsOf(requirement);
  const forms = formsOf(requirement, results);
  const judged = `judged by ${rulings.length > 1 ? 'rulings' : 'ruling'} ${rulings.join(', ')}`;
  return [
    <Badge outcome={outcome} />,
    <RequirementLink id={id} />,
    [statement(title), rulings.length > 0 && <small>{judged}</small>],
    [
      forms.length > 0
        ? listed(forms, FORMS)
        : message(seen ?? (outcome === 'passed' ? 'what the ruling asks for' : 'nothing'), 300),
      exchanges.length > 0 && <small>{`on ${plural(exchanges.length, 'exchange')}`}</small>,
    ],
    exchangeLinks(exchanges.slice(0, 2)),
  ];
}

function Contradictions({ results }: OfResults): VNode {
  const list = results.requirements.filter(({ basis }) => basis === 'contradictory');
  if (list.length === 0) return <p>None of the requirements of this run.</p>;
  const rulings = [...new Set(list.flatMap(rulingsOf))].toSorted((a, b) => a - b);
  return (
    <>
      <Table
        name="matrix contradictions"
        columns={['outcome', 'requirement', 'statement', 'seen', 'evidence']}
        head={1}
        items={list}
        row={(one) => contradiction(one, results)}
      />
      <Facts rows={rulings.map((one) => [`Ruling ${one}`, statement(RULINGS[one] ?? '')])} />
    </>
  );
}

/** Readings shown; a hostile file may hold any number. */
const READINGS = 150;

function Readings({ results }: OfResults): VNode {
  if (results.readings.length === 0) return <p>Nothing was recorded.</p>;
  const readings = results.readings.slice(0, READINGS);
  const changed = new Map(
    (results.changes?.changes ?? [])
      .filter(({ kind }) => kind === 'behaviour')
      .map((one) => [one.subject, one.before]),
  );
  return (
    <>
      <Table
        name="readings"
        columns={['question', 'what the target does', 'evidence']}
        items={groupReadings(readings, changed)}
        row={({ question, about, reading, exchanges }) => {
          const before = changed.get(question);
          const all = `of ${text(about.join(', '), 600)}`;
          return [
            [text(question, 300), about.length > 0 && <small>{all}</small>],
            [
              reading.mixed && [<strong class="chip warned">! mixed</strong>, ' '],
              before !== undefined && [
                <strong class="chip new">{`~ was ${text(before, 200)}`}</strong>,
                ' ',
              ],
              text(reading.answer, 600),
            ],
            exchangeLinks(exchanges),
          ];
        }}
      />
      {more(results.readings.length - READINGS)}
      <details>
        <summary>As sentences for the specification</summary>
        <Command label="sentences for the specification" value={sentencesFor(readings)} />
      </details>
    </>
  );
}

/** Where the specification contradicts itself or is silent, and what the target does there. */
export function Behaviour({ results }: OfResults): VNode {
  return (
    <>
      <h2>Behaviour</h2>
      <p>
        How clauses that can be read in more than one way are judged, and{' '}
        <a href="#rulings">what each ruling decided</a>, stands with the legend.
      </p>
      <h3 id="contradictions">Where the specification contradicts itself</h3>
      <Contradictions results={results} />
      <h3 id="readings">Where the specification is silent or leaves a choice</h3>
      <p class="note">What the target was seen to do. Nothing here counts against it.</p>
      <Readings results={results} />
    </>
  );
}
