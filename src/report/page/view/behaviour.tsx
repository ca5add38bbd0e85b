import type { ComponentChildren, VNode } from 'preact';
import { CONTRADICTIONS } from '../../../requirements/contradictions.ts';
import { plural } from '../../../text/text.ts';
import { contradictionsOf, isSeen, NOT_ASKED, seenWords } from '../../analysis/contradictions.ts';
import type { SeenContradiction, SeenForm } from '../../analysis/contradictions.ts';
import type { OfResults } from './parts.tsx';
import { exchangeLinks, Fold, requirementLinks, statement, Table, text } from './parts.tsx';

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

function contradiction(one: SeenContradiction): readonly ComponentChildren[] {
  const { about, seen, other, counted, also, ruling } = one;
  const words = seenWords(one);
  const asked = words !== NOT_ASKED;
  return [
    [
      statement(about),
      <small>{requirementLinks([counted, ...also], 9)}</small>,
      ruling !== null && <small>{`ruling ${ruling}`}</small>,
    ],
    formCell(seen[0], asked),
    formCell(seen[1], asked),
    [
      seen.every(isSeen) ? <strong class="chip warned">{words}</strong> : words,
      other !== null && other > 0 && <small>{`neither ${plural(other, 'time')}`}</small>,
    ],
  ];
}

/** What the target does where the specification contradicts itself or is silent. */
export function Behaviour({ results }: OfResults): VNode {
  // Readings about contradictions are in the first table.
  const told = new Set(CONTRADICTIONS.map(({ question }) => question));
  return (
    <>
      <p>
        <a href="#rulings">What each ruling decided</a>: rulings say how ambiguous clauses are
        judged.
      </p>
      <h3 id="contradictions">Where the specification contradicts itself</h3>
      <Table
        name="contradictions"
        labelled
        columns={['subject', 'first form', 'second form', 'seen in this run']}
        items={contradictionsOf(results)}
        row={contradiction}
      />
      <h3 id="readings">Where the specification is silent or leaves a choice</h3>
      <p class="note">Nothing here counts against the target.</p>
      <Fold title="Readings" name="rest">
        <Table
          name="readings"
          empty="None recorded."
          columns={['question', 'target', 'evidence']}
          items={results.readings.filter(({ question }) => !told.has(question))}
          limit={150}
          row={({ question, answer, mixed, exchanges }) => [
            text(question, 300),
            [mixed && [<strong class="chip warned">! mixed</strong>, ' '], text(answer, 600)],
            exchangeLinks(exchanges),
          ]}
        />
      </Fold>
    </>
  );
}
