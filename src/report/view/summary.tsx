import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { byArea } from '../areas.ts';
import type { Area } from '../areas.ts';
import type { Cause } from '../causes.ts';
import { countChanges } from '../diff.ts';
import type { Diff } from '../diff.ts';
import { CHANGE_WORDS, changeCount } from '../diff-words.ts';
import { failingGroups } from '../failing-text.ts';
import { LEVELS, OUTCOME_LABELS, UNJUDGED, verdictTitle } from '../labels.ts';
import { readLoad } from '../load-view.ts';
import type { Outcome, RequirementResult, Results } from '../results.ts';
import { groupUnjudged } from '../unjudged.ts';
import { FactsList } from './facts.tsx';
import { loadAnchor } from './load.tsx';
import type { OfResults } from './page.ts';
import { anchor, Badge, Bar, clock, List, listed, message } from './parts.tsx';
import { RequirementLink, text } from './parts.tsx';

/** What most sections about findings are made of. */
export interface OfCauses extends OfResults {
  readonly causes: readonly Cause[];
}

interface BoxProps {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Box({ name, title, children }: BoxProps): VNode {
  return (
    <section class="box" aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{title}</h3>
      {children}
    </section>
  );
}

type Chip = readonly [holds: boolean, name: string, words: string, place: string];

/** What keeps the verdict from being the last word. */
function chipsOf({ verdict, target, requirements, waivers }: Results): readonly Chip[] {
  const musts = requirements.filter(({ level }) => level === 'must');
  const unverified: readonly Outcome[] = ['untested', 'inconclusive', 'error'];
  const open = musts.filter(({ outcome }) => unverified.includes(outcome)).length;
  const waived = requirements.filter(({ outcome }) => outcome === 'waived').length;
  const some = `${open} of ${plural(musts.length, 'must')} not verified`;
  const inside = `judged inside of "${target.envelope ?? ''}"`;
  const list = waivers === undefined ? '#not-verified' : '#waivers';
  return [
    [verdict === 'conforms' && open > 0, 'untested', some, '#not-verified'],
    [waived > 0, 'waived', `${waived} waived`, list],
    [target.envelope !== null, 'warned', inside, '#run'],
  ];
}

/** The verdict: word, sentence, and what keeps it from being the last word. */
function VerdictBanner({ results }: OfResults): VNode {
  const { verdict, exitCode } = results;
  const chips = chipsOf(results).filter(([holds]) => holds);
  return (
    <div class={`verdict ${verdict}`}>
      <h2 class="word">{verdictTitle(results)}</h2>
      <p class="sentence">{message(results.sentence)}</p>
      {failingGroups(results).map(({ text: why, ids }) => (
        <p class="failing">
          {`Exit code ${exitCode}: ${why}: `}
          {ids.map((id) => [<RequirementLink id={id} />, ' '])}
        </p>
      ))}
      {(chips.length > 0 || exitCode !== 0) && (
        <p class="chips">
          {chips.map(([, name, words, place]) => (
            <>
              <a class={`chip ${name}`} href={place}>
                {words}
              </a>{' '}
            </>
          ))}
          {exitCode !== 0 && <span class="chip plain">{`exit code ${exitCode}`}</span>}
        </p>
      )}
    </div>
  );
}

/** Changes by kind, the first few of each by name. */
function changeLines(diff: Diff): readonly ComponentChildren[] {
  const counts = countChanges(diff).filter(([kind]) => kind !== 'still-violated');
  return counts.map(([kind, count]) => {
    const linked = kind !== 'behaviour' && kind !== 'shape' && kind !== 'removed';
    const subjects = diff.changes
      .filter((one) => one.kind === kind)
      .map(({ subject }) => (linked ? <RequirementLink id={subject} /> : text(subject, 80)));
    const words = `${CHANGE_WORDS[kind].icon} ${changeCount(kind, count)}`;
    return [<strong>{words}</strong>, ' ', listed(subjects, 3, () => ', …')];
  });
}

/** What is different from the earlier run; says how to get it when none was given. */
function ChangesBox({ results: { changes, history } }: OfResults): VNode {
  if (changes === undefined) {
    return (
      <Box name="since" title="Since the last run">
        <p class="note">
          No earlier run was given, so nothing here can be called new. Compare with{' '}
          <code>assay run --baseline results.json</code>.
        </p>
        {history !== undefined && (
          <p>
            <a href="#history">
              {`History over ${plural(history.runs.length + 1, 'run')} of this target`}
            </a>
          </p>
        )}
      </Box>
    );
  }
  const lines = changeLines(changes);
  return (
    <Box name="since" title={`Since ${clock(changes.before.startedAt)}`}>
      {changes.context.slice(0, 3).map((one) => (
        <p class="note">{`${one.of} changed: ${one.name}`}</p>
      ))}
      {lines.length === 0 && <p>Nothing came out in another way.</p>}
      <List name="plainlist" items={lines} />
      <p>
        <a href="#changes">All changes</a>
      </p>
    </Box>
  );
}

/** Columns of the areas: class, sign and name of what is counted, and the outcomes that count. */
const COUNTED: readonly (readonly [string, string, string, readonly Outcome[]])[] = [
  ['failed', '✗', 'failed', ['failed']],
  ['warned', '!', 'warned', ['warned']],
  ['passed', '✓', 'passed', ['passed']],
  ['observed', '○', 'observed', ['observed']],
  ['untested', '–', 'not verified', ['inconclusive', 'untested', 'waived', 'error']],
];

function areaRow([area, requirements]: readonly [Area, readonly RequirementResult[]]): VNode {
  const counts = COUNTED.map(([name, , words, outcomes]) => {
    const count = requirements.filter(({ outcome }) => outcomes.includes(outcome)).length;
    return { name, words, count };
  });
  const label = counts.map(({ count, words }) => `${count} ${words}`).join(', ');
  return (
    <tr>
      <th scope="row">
        <a href={`#${anchor('s', requirements[0]?.section ?? area.id)}`}>
          {`§${area.id} ${area.title}`}
        </a>
      </th>
      <td class="barcell">
        <Bar
          label={`§${area.id}: ${label}`}
          parts={counts.map(({ name, count }) => [name === 'untested' ? 'open' : name, count])}
        />
      </td>
      {counts.map(({ name, count }) => (
        <td class={count === 0 ? 'zero' : name}>{count}</td>
      ))}
    </tr>
  );
}

/** Requirements by area of the specification: a bar and its numbers. */
function AreasBox({ results: { requirements } }: OfResults): VNode {
  const levels = LEVELS.map((level) =>
    plural(requirements.filter((one) => one.level === level).length, level),
  );
  const signs = COUNTED.map(([, icon, words]) => `${icon} ${words}`);
  return (
    <Box name="areas" title="Requirements by section">
      <table class="areas">
        <thead>
          <tr>
            <th scope="col">section</th>
            <th scope="col" class="barcell">
              outcomes
            </th>
            {COUNTED.map(([name, icon, words]) => (
              <th scope="col" class={name}>
                {icon}
                <span class="sr">{` ${words}`}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{byArea(requirements).map(areaRow)}</tbody>
      </table>
      <p class="note">{`${levels.join(', ')}. ${signs.join(', ')}.`}</p>
    </Box>
  );
}

/** What to say when there is no finding: a run that judged nothing must not sound like a good one. */
export function nothingFound({ requirements }: Results): string {
  const judged = requirements.filter(({ outcome }) => !UNJUDGED.includes(outcome)).length;
  return judged === 0
    ? 'Nothing was judged, so nothing could be found.'
    : `Nothing was found against the target in the ${plural(judged, 'requirement')} that could be judged.`;
}

/** True when a violation of the cause was not there in the earlier run. */
export function isNew(cause: Cause, { changes }: Results): boolean {
  return (changes?.changes ?? []).some(
    ({ kind, subject }) =>
      kind === 'new-violation' && cause.requirements.some(({ id }) => id === subject),
  );
}

/** Load scenarios that found something, or that reached no verdict. */
function loadLines({ load }: Results): readonly VNode[] {
  return readLoad(load).results.flatMap(({ outcome, scenario, reason }, index) =>
    outcome === 'passed'
      ? []
      : [
          <li>
            <Badge outcome={outcome} />{' '}
            <a href={`#${loadAnchor(index)}`}>{`Load ${text(scenario, 60)}`}</a>
            {`: ${text(reason, 200)}`}
          </li>,
        ],
  );
}

/** The findings in one line each, so that the first screen says what is wrong. */
function FindingsIndex({ causes, results }: OfCauses): VNode {
  const load = loadLines(results);
  if (causes.length === 0 && load.length === 0) return <p>{nothingFound(results)}</p>;
  const shown = causes.slice(0, 12);
  const lines = (outcome: Cause['outcome']): readonly VNode[] =>
    shown
      .filter((cause) => cause.outcome === outcome)
      .map((cause) => (
        <li>
          <Badge outcome={outcome} />{' '}
          {isNew(cause, results) && [<strong class="chip new">new</strong>, ' ']}
          <a href={`#${anchor('f', cause.id)}`}>{message(cause.message, 160)}</a>{' '}
          <span class="note">
            {cause.example.requirement.id}
            {cause.endpoints.length > 1 && `, ${plural(cause.endpoints.length, 'endpoint')}`}
          </span>
        </li>
      ));
  // Violations under load stand with the violations, before what is only a warning.
  return (
    <>
      <ol class="index">{[...lines('failed'), ...load, ...lines('warned')]}</ol>
      {causes.length > shown.length && (
        <p>
          <a href="#findings">{`All ${causes.length} causes`}</a>
        </p>
      )}
    </>
  );
}

/** What was not verified, in one line for each setting that would change it. */
function GapsBox({ results: { requirements } }: OfResults): VNode {
  const groups = groupUnjudged(requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  const lines = groups.slice(0, 6).map(({ requirements: own, outcome, setting, reasons }) => {
    const plain = setting === null || setting.startsWith('--');
    return [
      <strong>{own.length}</strong>,
      ` ${OUTCOME_LABELS[outcome].word}: `,
      plain ? message(reasons[0] ?? '', 110) : ['needs ', <code>{setting}</code>],
    ];
  });
  return (
    <Box name="gaps" title={`Not verified: ${total} of ${requirements.length}`}>
      {total === 0 ? (
        <p>Every requirement was judged.</p>
      ) : (
        <>
          <List name="plainlist" items={lines} />
          <p>
            <a href="#not-verified">What was not verified, and what would change it</a>
          </p>
        </>
      )}
    </Box>
  );
}

/** The first screen: verdict, facts, what was found and what was not looked at. */
export function FirstScreen({ results, causes }: OfCauses): VNode {
  return (
    <>
      <VerdictBanner results={results} />
      <FactsList results={results} />
      <div class="first">
        <Box name="found" title="What was found">
          <FindingsIndex results={results} causes={causes} />
        </Box>
        <div>
          <ChangesBox results={results} />
          <GapsBox results={results} />
        </div>
      </div>
      <AreasBox results={results} />
    </>
  );
}
