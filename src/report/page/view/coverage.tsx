import type { VNode } from 'preact';
import { byArea, LEVELS } from '../../model/labels.ts';
import { ICONS, OUTCOMES, type RequirementResult } from '../../model/results.ts';
import { isJudged } from '../../model/status.ts';
import { settingOf } from '../../model/unjudged.ts';
import { anchor, List, Table, text, type OfResults } from './parts.tsx';

function wordsOf(requirement: RequirementResult): string {
  const { id, level, outcome, reason } = requirement;
  const setting = settingOf(requirement);
  const why =
    setting === null ? (outcome === 'untested' ? (reason ?? '') : '') : `needs ${setting}`;
  return `${id} (${level}): ${outcome}${why === '' ? '' : `, ${text(why, 60)}`}`;
}

const Square = (requirement: RequirementResult): VNode => (
  <a
    class={`sq ${requirement.outcome}`}
    href={`#${anchor('r', requirement.id)}`}
    title={wordsOf(requirement)}
  >
    <span aria-hidden="true">{ICONS[requirement.outcome]}</span>
  </a>
);

/** A row of the map: the squares are in a group per level. */
function rowOf([section, title, own]: ReturnType<typeof byArea>[number]) {
  const groups = LEVELS.map((level) => own.filter((one) => one.level === level));
  const [musts = []] = groups;
  return [
    <a href={`#${anchor('s', own[0]?.section ?? section)}`}>{`§${section} ${title}`}</a>,
    <td class="squares">
      {groups.map((those) => those.length > 0 && <span class="level">{those.map(Square)}</span>)}
    </td>,
    musts.length > 0 && `${musts.filter(isJudged).length} of ${musts.length}`,
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
      <List
        name="key"
        label="Legend"
        items={seen.map((outcome) => [
          <span class={`sq ${outcome}`} aria-hidden="true">
            {ICONS[outcome]}
          </span>,
          ` ${outcome}`,
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
