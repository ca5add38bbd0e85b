import { plural } from '../../text/text.ts';
import { byArea } from '../areas.ts';
import type { Cause } from '../causes.ts';
import { failingGroups } from '../failing-text.ts';
import { countChanges } from '../diff.ts';
import { CHANGE_WORDS, changeCount } from '../diff-words.ts';
import { LEVELS, OUTCOME_LABELS, UNJUDGED, verdictTitle } from '../labels.ts';
import { readLoad } from '../load-view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { RequirementResult, Results } from '../results.ts';
import { groupUnjudged } from '../unjudged.ts';
import { loadAnchor } from './load.ts';
import { anchor, badge, bar, clock, message, requirementLink, separated, text } from './parts.ts';

/** The verdict: word, sentence, and what keeps it from being the last word. */
export function verdictBanner(results: Results): Markup {
  const musts = results.requirements.filter(({ level }) => level === 'must');
  const open = musts.filter(({ outcome }) =>
    ['untested', 'inconclusive', 'error'].includes(outcome),
  ).length;
  const waived = results.requirements.filter(({ outcome }) => outcome === 'waived').length;
  const chips = [
    ...(results.verdict === 'conforms' && open > 0
      ? [
          html`<a class="chip untested" href="#not-verified"
            >${open} of ${plural(musts.length, 'must')} not verified</a
          >`,
        ]
      : []),
    ...(waived > 0
      ? [
          html`<a
            class="chip waived"
            href="#${results.waivers === undefined ? 'not-verified' : 'waivers'}"
            >${waived} waived</a
          >`,
        ]
      : []),
    ...(results.target.envelope === null
      ? []
      : [
          html`<a class="chip warned" href="#run"
            >judged inside of "${results.target.envelope}"</a
          >`,
        ]),
    ...(results.exitCode === 0
      ? []
      : [html`<span class="chip plain">exit code ${results.exitCode}</span>`]),
  ];
  return html`<div class="verdict ${results.verdict}">
    <h2 class="word">${verdictTitle(results)}</h2>
    <p class="sentence">${message(results.sentence)}</p>
    ${failingGroups(results).map(
      ({ text: why, ids }) =>
        html`<p class="failing">
          Exit code ${results.exitCode}: ${why}: ${ids.map((id) => html`${requirementLink(id)} `)}
        </p>`,
    )}
    ${chips.length > 0 && html`<p class="chips">${chips.map((chip) => html`${chip} `)}</p>`}
  </div>`;
}

/** What is different from the earlier run; says how to get it when none was given. */
export function changesBox(results: Results): Markup {
  const { changes } = results;
  if (changes === undefined) {
    return html`<section class="box" aria-labelledby="since-title">
      <h3 id="since-title">Since the last run</h3>
      <p class="note">
        No earlier run was given, so nothing here can be called new. Compare with
        <code>assay run --baseline results.json</code>.
      </p>
      ${
        results.history !== undefined &&
        html`<p>
          <a href="#history"
            >History over ${plural(results.history.runs.length + 1, 'run')} of this target</a
          >
        </p>`
      }
    </section>`;
  }
  const counts = countChanges(changes).filter(([kind]) => kind !== 'still-violated');
  return html`<section class="box" aria-labelledby="since-title">
    <h3 id="since-title">Since ${clock(changes.before.startedAt)}</h3>
    ${changes.context
      .slice(0, 3)
      .map((one) => html`<p class="note">${one.of} changed: ${one.name}</p> `)}
    ${
      counts.length === 0
        ? html`<p>Nothing came out in another way.</p>`
        : html`<ul class="plainlist">
            ${counts.map(([kind, count]) => {
              const shown = changes.changes.filter((one) => one.kind === kind).slice(0, 3);
              return html`<li>
                <strong>${CHANGE_WORDS[kind].icon} ${changeCount(kind, count)}</strong>
                ${separated(
                  shown.map((one) =>
                    kind === 'behaviour' || kind === 'shape' || kind === 'removed'
                      ? html`${text(one.subject, 80)}`
                      : requirementLink(one.subject),
                  ),
                )}${count > shown.length && ', …'}
              </li> `;
            })}
          </ul>`
    }
    <p><a href="#changes">All changes</a></p>
  </section>`;
}

interface AreaCounts {
  readonly failed: number;
  readonly warned: number;
  readonly passed: number;
  readonly observed: number;
  readonly open: number;
}

function countArea(requirements: readonly RequirementResult[]): AreaCounts {
  const of = (...outcomes: readonly string[]): number =>
    requirements.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    failed: of('failed'),
    warned: of('warned'),
    passed: of('passed'),
    observed: of('observed'),
    open: of('inconclusive', 'untested', 'waived', 'error'),
  };
}

/** Requirements by area of the specification: a bar and its numbers. */
export function areasBox(results: Results): Markup {
  return html`<section class="box" aria-labelledby="areas-title">
    <h3 id="areas-title">Requirements by section</h3>
    <table class="areas">
      <thead>
        <tr>
          <th scope="col">section</th>
          <th scope="col" class="barcell">outcomes</th>
          <th scope="col" class="failed">✗<span class="sr"> failed</span></th>
          <th scope="col" class="warned">!<span class="sr"> warned</span></th>
          <th scope="col" class="passed">✓<span class="sr"> passed</span></th>
          <th scope="col" class="observed">○<span class="sr"> observed</span></th>
          <th scope="col" class="untested">–<span class="sr"> not verified</span></th>
        </tr>
      </thead>
      <tbody>
        ${byArea(results.requirements).map(([area, requirements]) => {
          const counts = countArea(requirements);
          const label = `§${area.id}: ${counts.failed} failed, ${counts.warned} warned, ${counts.passed} passed, ${counts.observed} observed, ${counts.open} not verified`;
          const cell = (count: number, name: string): Markup =>
            html`<td class="${count === 0 ? 'zero' : name}">${count}</td>`;
          return html`<tr>
            <th scope="row">
              <a href="#${anchor('s', requirements[0]?.section ?? area.id)}"
                >§${area.id} ${area.title}</a
              >
            </th>
            <td class="barcell">
              ${bar(label, [
                { name: 'failed', count: counts.failed },
                { name: 'warned', count: counts.warned },
                { name: 'passed', count: counts.passed },
                { name: 'observed', count: counts.observed },
                { name: 'open', count: counts.open },
              ])}
            </td>
            ${cell(counts.failed, 'failed')}${cell(counts.warned, 'warned')}${cell(counts.passed, 'passed')}${cell(counts.observed, 'observed')}${cell(counts.open, 'untested')}
          </tr> `;
        })}
      </tbody>
    </table>
    <p class="note">
      ${separated(
        LEVELS.map((level) => {
          const list = results.requirements.filter((one) => one.level === level);
          return html`${plural(list.length, level)}`;
        }),
      )}.
      ✗ failed, ! warned, ✓ passed, ○ observed, – not verified.
    </p>
  </section>`;
}

/** The findings in one line each, so that the first screen says what is wrong. */
export function findingsIndex(causes: readonly Cause[], results: Results): Markup {
  const load = loadIndex(results);
  if (causes.length === 0 && load.length === 0) {
    return html`<p>${nothingFound(results)}</p>`;
  }
  const shown = causes.slice(0, 12);
  const line = (cause: Cause): Markup =>
    html`<li>
      ${badge(cause.outcome)}${isNew(cause, results) && html` <strong class="chip new">new</strong>`}
      <a href="#${anchor('f', cause.id)}">${message(cause.message, 160)}</a>
      <span class="note"
        >${cause.example.requirement.id}${
          cause.endpoints.length > 1 && `, ${plural(cause.endpoints.length, 'endpoint')}`
        }</span
      >
    </li> `;
  // Violations under load stand with the violations, before what is only a warning.
  return html`<ol class="index">
      ${shown.filter(({ outcome }) => outcome === 'failed').map(line)} ${load}
      ${shown.filter(({ outcome }) => outcome !== 'failed').map(line)}
    </ol>
    ${causes.length > shown.length && html`<p><a href="#findings">All ${causes.length} causes</a></p>`}`;
}

/** What to say when there is no finding: a run that judged nothing must not sound like a good one. */
export function nothingFound({ requirements }: Results): string {
  const judged = requirements.filter(({ outcome }) => !UNJUDGED.includes(outcome)).length;
  return judged === 0
    ? 'Nothing was judged, so nothing could be found.'
    : `Nothing was found against the target in the ${plural(judged, 'requirement')} that could be judged.`;
}

/** Load scenarios that found something, or that reached no verdict. */
function loadIndex({ load }: Results): readonly Markup[] {
  return readLoad(load).results.flatMap((one, index) =>
    one.outcome === 'passed'
      ? []
      : [
          html`<li>
            ${badge(one.outcome)}
            <a href="#${loadAnchor(index)}">Load ${text(one.scenario, 60)}</a>:
            ${text(one.reason, 200)}
          </li> `,
        ],
  );
}

/** True when a violation of the cause was not there in the earlier run. */
export function isNew(cause: Cause, { changes }: Results): boolean {
  if (changes === undefined) return false;
  const fresh = new Set(
    changes.changes.filter(({ kind }) => kind === 'new-violation').map(({ subject }) => subject),
  );
  return cause.requirements.some(({ id }) => fresh.has(id));
}

/** What was not verified, in one line for each setting that would change it. */
export function gapsBox(results: Results): Markup {
  const groups = groupUnjudged(results.requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  return html`<section class="box" aria-labelledby="gaps-title">
    <h3 id="gaps-title">Not verified: ${total} of ${results.requirements.length}</h3>
    ${
      total === 0
        ? html`<p>Every requirement was judged.</p>`
        : html`<ul class="plainlist">
              ${groups.slice(0, 6).map(
                (group) =>
                  html`<li>
                    <strong>${group.requirements.length}</strong>
                    ${OUTCOME_LABELS[group.outcome].word}:
                    ${group.setting === null || group.setting.startsWith('--') ? message(group.reasons[0] ?? '', 110) : html`needs <code>${group.setting}</code>`}
                  </li> `,
              )}
            </ul>
            <p><a href="#not-verified">What was not verified, and what would change it</a></p>`
    }
  </section>`;
}
