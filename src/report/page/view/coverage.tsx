import type { VNode } from 'preact';
import { byArea, type Area } from '../../model/areas.ts';
import { LEVELS, OUTCOME_LABELS } from '../../model/labels.ts';
import { OUTCOMES, type RequirementResult } from '../../model/results.ts';
import { isJudged } from '../../model/status.ts';
import { settingOf } from '../../model/unjudged.ts';
import type { OfResults } from './page.ts';
import { anchor, Key, outcomeClass, text } from './parts.tsx';

/** The tooltip of a square. */
function wordsOf(requirement: RequirementResult): string {
  const { id, level, outcome, reason } = requirement;
  const setting = settingOf(requirement);
  const why =
    setting === null ? (outcome === 'untested' ? (reason ?? '') : '') : `needs ${setting}`;
  const { word } = OUTCOME_LABELS[outcome];
  return `${id} (${level}): ${word}${why === '' ? '' : `, ${text(why, 60)}`}`;
}

function Square({ requirement }: { requirement: RequirementResult }): VNode {
  const { id, outcome } = requirement;
  return (
    <a
      class={`sq ${outcomeClass(outcome)}`}
      href={`#${anchor('r', id)}`}
      title={wordsOf(requirement)}
    >
      <span aria-hidden="true">{OUTCOME_LABELS[outcome].icon}</span>
    </a>
  );
}

/** True for a judged must. */
const judged = (one: RequirementResult): boolean => one.level === 'must' && isJudged(one);

function Row({ area, own }: { area: Area; own: readonly RequirementResult[] }): VNode {
  const musts = own.filter(({ level }) => level === 'must');
  const sections = new Set(own.map(({ section }) => section));
  const [first = area.id] = sections;
  return (
    <tr>
      <th scope="row">
        <a href={`#${anchor('s', first)}`}>{`§${area.id} ${area.title}`}</a>
      </th>
      <td class="squares">
        {LEVELS.map((level) => {
          const those = own.filter((one) => one.level === level);
          return (
            those.length > 0 && (
              <span class={`level ${level}`}>
                {those.map((one) => (
                  <Square requirement={one} />
                ))}
              </span>
            )
          );
        })}
      </td>
      <td class="num">{musts.length > 0 && `${musts.filter(judged).length} of ${musts.length}`}</td>
    </tr>
  );
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
      <table class="coverage">
        <thead>
          <tr>
            <th scope="col">section</th>
            <th scope="col">must, should, observe</th>
            <th scope="col" class="num">
              musts judged
            </th>
          </tr>
        </thead>
        <tbody>
          {byArea(requirements).map(([area, own]) => (
            <Row area={area} own={own} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
