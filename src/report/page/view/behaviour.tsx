import type { ComponentChildren, VNode } from 'preact';
import { RULINGS } from '../../../spec/rulings.ts';
import { CONTRADICTIONS } from '../../../requirements/contradictions.ts';
import { plural } from '../../../text/text.ts';
import { contradictionsOf, isSeen, NOT_ASKED, seenWords } from '../../analysis/contradictions.ts';
import type { SeenContradiction, SeenForm } from '../../analysis/contradictions.ts';
import { groupReadings, sentencesFor } from '../../analysis/reading-groups.ts';
import type { OfResults } from './page.ts';
import { Command, exchangeLinks, Facts, LINKS, listed, more } from './parts.tsx';
import { RequirementLink, requirementLinks, statement, Table, text } from './parts.tsx';

/** A form of the text: what it says and where, how often it was seen, and on which exchanges. */
function formCell({ form, count, exchanges }: SeenForm, asked: boolean): ComponentChildren {
  const times = count === null ? 'seen' : `seen ${plural(count, 'time')}`;
  return [
    form.says,
    <small>{form.where}</small>,
    count === 0 ? (
      asked && <small>not seen</small>
    ) : (
      <p class="seen">
        <strong>{times}</strong>
        {exchanges.length > 0 && [': ', exchangeLinks(exchanges)]}
      </p>
    ),
  ];
}

/** A contradiction: both forms of the text, which of them was seen, how often and where. */
function contradiction(one: SeenContradiction): readonly ComponentChildren[] {
  const { about, seen, other, requirement, counted, also, ruling } = one;
  const words = seenWords(one);
  const asked = words !== NOT_ASKED;
  const judged = [counted, ...also].map((id) => <RequirementLink id={id} />);
  return [
    [
      statement(about),
      <small>{requirement === undefined ? counted : listed(judged)}</small>,
      ruling !== null && <small>{`judged by ruling ${ruling}`}</small>,
    ],
    formCell(seen[0], asked),
    formCell(seen[1], asked),
    [
      seen.every(isSeen) ? <strong class="chip warned">{words}</strong> : words,
      other !== null && other > 0 && <small>{`something else ${plural(other, 'time')}`}</small>,
    ],
  ];
}

/** Requirements about a contradiction that the table does not know: those of another version of Assay. */
function Unlisted({ results }: OfResults): VNode | null {
  const known = new Set<string>(CONTRADICTIONS.flatMap(({ counted, also }) => [counted, ...also]));
  const list = results.requirements.filter(
    ({ id, basis }) => basis === 'contradictory' && !known.has(id),
  );
  return list.length === 0 ? null : (
    <p>
      {'Other requirements about contradictions: '}
      {requirementLinks(
        list.map(({ id }) => id),
        LINKS,
      )}
    </p>
  );
}

function Contradictions({ results }: OfResults): VNode {
  const list = contradictionsOf(results);
  const rulings = [...new Set(list.flatMap(({ ruling }) => ruling ?? []))].toSorted(
    (a, b) => a - b,
  );
  return (
    <>
      <Table
        name="contradictions"
        columns={['about', 'one form of the text', 'the other form', 'seen in this run']}
        items={list}
        row={contradiction}
      />
      <Unlisted results={results} />
      <details>
        <summary>{`How they are judged: rulings ${rulings.join(', ')}`}</summary>
        <Facts rows={rulings.map((one) => [`Ruling ${one}`, statement(RULINGS[one] ?? '')])} />
      </details>
    </>
  );
}

/** Readings shown; a hostile file may hold any number. */
const READINGS = 150;

function Readings({ results }: OfResults): VNode {
  // Those that tell the forms of a contradiction stand above, counted.
  const told = new Set(CONTRADICTIONS.map(({ question }) => question));
  const all = results.readings.filter(({ question }) => !told.has(question));
  if (all.length === 0) return <p>Nothing was recorded.</p>;
  const readings = all.slice(0, READINGS);
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
          const subjects = `of ${text(about.join(', '), 600)}`;
          return [
            [text(question, 300), about.length > 0 && <small>{subjects}</small>],
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
      {more(all.length - READINGS)}
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
        <a href="#rulings">What each ruling decided</a>: rulings say how a clause is judged that can
        be read in more than one way.
      </p>
      <h3 id="contradictions">Where the specification contradicts itself</h3>
      <p class="note">
        Both forms of the text in our words, and how often the target showed each of them.
      </p>
      <Contradictions results={results} />
      <h3 id="readings">Where the specification is silent or leaves a choice</h3>
      <p class="note">What the target was seen to do. Nothing here counts against it.</p>
      <Readings results={results} />
    </>
  );
}
