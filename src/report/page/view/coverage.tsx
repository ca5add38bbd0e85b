import type { ComponentChildren, VNode } from 'preact';
import { byArea, type Area } from '../../model/areas.ts';
import { LEVELS, OUTCOME_LABELS } from '../../model/labels.ts';
import { OUTCOMES, type RequirementResult } from '../../model/results.ts';
import { isJudged } from '../../model/status.ts';
import { settingOf } from '../../model/unjudged.ts';
import type { OfResults } from './page.ts';
import { anchor, Key, outcomeClass, Table, text } from './parts.tsx';

/** The tooltip of a square. */
function wordsOf(requirement: RequirementResult): string {
  const { id, level, outcome, reason } = requirement;
  const setting = settingOf(requirement);
  const why =
    setting === null ? (outcome === 'untested' ? (reason ?? '') : '') : `needs ${setting}`;
  const { word } = OUTCOME_LABELS[outcome];
  return `${id} (${level}): ${word}${why === '' ? '' : `, ${text(why, 60)}`}`;
}

const Square = ({ requirement }: { requirement: RequirementResult }): VNode => (
  <a
    class={`sq ${outcomeClass(requirement.outcome)}`}
    href={`#${anchor('r', requirement.id)}`}
    title={wordsOf(requirement)}
  >
    <span aria-hidden="true">{OUTCOME_LABELS[requirement.outcome].icon}</span>
  </a>
);

/** The squares of an area, a group per level. */
function Squares({ own }: { own: readonly RequirementResult[] }): VNode {
  const groups = LEVELS.map((level) => own.filter((one) => one.level === level));
  return (
    <td class="squares">
      {groups
        .filter(({ length }) => length > 0)
        .map((those) => (
          <span class="level">
            {those.map((one) => (
              <Square requirement={one} />
            ))}
          </span>
        ))}
    </td>
  );
}

function rowOf([area, own]: readonly [
  Area,
  readonly RequirementResult[],
]): readonly ComponentChildren[] {
  const musts = own.filter(({ level }) => level === 'must');
  const href = `#${anchor('s', own[0]?.section ?? area.id)}`;
  const judged = `${musts.filter(isJudged).length} of ${musts.length}`;
  return [
    <a href={href}>{`§${area.id} ${area.title}`}</a>,
    Squares({ own }),
    musts.length > 0 && judged,
  ];
}

/** The coverage map: a square for each requirement, by section and level. */
export function CoverageMap({ results: { requirements } }: OfResults): VNode {
  const seen = OUTCOMES.filter((outcome) => requirements.some((one) => one.outcome === outcome));
  const [must, should, observe] = LEVELS.map(
    (level) => requirements.filter((one) => one.level === level).length,
  );
  return (
    <section class="box" id="coverage" aria-labelledby="coverage-title">
      <h3 id="coverage-title">Coverage</h3>
      <p class="note">{`One square per requirement. Each row lists musts first (${must} in total), then shoulds (${should}), then observations (${observe}).`}</p>
      <Key
        label="Legend"
        entries={seen.map((outcome) => [
          <span class={`sq ${outcomeClass(outcome)}`} aria-hidden="true">
            {OUTCOME_LABELS[outcome].icon}
          </span>,
          OUTCOME_LABELS[outcome].word,
        ])}
      />
      <Table
        name="coverage map"
        columns={['section', 'must, should, observe', 'musts judged']}
        items={byArea(requirements)}
        row={rowOf}
      />
    </section>
  );
}
