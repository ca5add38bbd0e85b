import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { countChanges } from '../../model/diff.ts';
import type { Diff } from '../../model/diff.ts';
import { CHANGE_WORDS, changeCount } from '../../model/diff-words.ts';
import { failingGroups } from '../../model/failing-text.ts';
import { readHistory, turnedSince } from '../../analysis/history.ts';
import { OUTCOME_LABELS, UNJUDGED, verdictTitle } from '../../model/labels.ts';
import { readLoad } from '../../model/load-view.ts';
import { openClauses } from '../../analysis/open-clauses.ts';
import type { Outcome, Results } from '../../model/results.ts';
import { refusalWords, roleMatrix } from '../../analysis/role-matrix.ts';
import { groupUnjudged } from '../../model/unjudged.ts';
import { countBroken, countWaived } from '../../model/waiver-words.ts';
import { Budget } from './budget.tsx';
import { CoverageMap } from './coverage.tsx';
import { DecisionMarks } from './decision.tsx';
import { Byline } from './facts.tsx';
import { exitWords } from './run.tsx';
import { loadAnchor } from '../load/load.tsx';
import type { OfResults } from './page.ts';
import { anchor, Badge, Bar, clock, List, listed, message } from './parts.tsx';
import { RequirementLink, text } from './parts.tsx';

/** What most sections about findings are made of. */
export interface OfCauses extends OfResults {
  readonly causes: readonly Cause[];
}

/** Ids named beside an exit code; the findings have the rest. */
const SHOWN = 8;

interface BoxProps {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Box({ name, title, children }: BoxProps): VNode {
  return (
    <section class={`box box-${name}`} aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{title}</h3>
      {children}
    </section>
  );
}

type Chip = readonly [name: string, words: string, place: string];

/** What keeps the verdict from being the last word. */
function chipsOf({ target, requirements, waivers }: Results): readonly Chip[] {
  const waived = requirements.filter(({ outcome }) => outcome === 'waived').length;
  const chips: Chip[] = [];
  for (const words of countBroken(waivers ?? [])) chips.push(['failed', `✗ ${words}`, '#waivers']);
  if (waivers === undefined && waived > 0)
    chips.push(['waived', `${waived} waived`, '#not-verified']);
  else if (waived > 0) chips.push(['waived', countWaived(waivers ?? []), '#waivers']);
  if (target.envelope !== null)
    chips.push(['warned', `judged inside of "${target.envelope}"`, '#run']);
  return chips;
}

/** How much of what must hold was looked at, as a bar: a verdict without it says too much or too little. */
function Verified({ results: { requirements } }: OfResults): VNode | null {
  const musts = requirements.filter(({ level }) => level === 'must');
  if (musts.length === 0) return null;
  const count = (...outcomes: readonly Outcome[]): number =>
    musts.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [verified, violated] = [count('passed'), count('failed')];
  const open = musts.length - verified - violated;
  const words = [
    `${verified} of ${musts.length} musts verified`,
    ...(violated > 0 ? [`${violated} violated`] : []),
    ...(open > 0 ? [`${open} not verified`] : []),
  ];
  return (
    <a class="verified" href="#coverage" title={words.join(', ')}>
      <Bar
        label={`${words.join(', ')}: coverage map`}
        parts={[
          ['passed', verified],
          ['failed', violated],
          ['open', open],
        ]}
      />
    </a>
  );
}

/** The verdict: word, sentence, how much was looked at, and why the exit code is what it is. */
function VerdictBanner({ results }: OfResults): VNode {
  const { verdict, exitCode } = results;
  const chips = chipsOf(results);
  const reasons = failingGroups(results);
  // A waiver may name a requirement that there is not: a link would lead nowhere.
  const known = new Set(results.requirements.map(({ id }) => id));
  return (
    <div class={`verdict ${verdict}`}>
      <h2 class="word">{verdictTitle(results)}</h2>
      <p class="sentence">{message(results.sentence)}</p>
      <Verified results={results} />
      {reasons.map(({ why, text: words, ids }) => (
        <p class="failing">
          {`Exit code ${exitCode}: ${words}: `}
          {listed(
            ids.map((id) =>
              known.has(id) ? <RequirementLink id={id} /> : <code>{text(id, 120)}</code>,
            ),
            // Findings have lists of their own further down; a waiver is named here or nowhere on this screen.
            why === 'waiver' ? ids.length : SHOWN,
          )}
        </p>
      ))}
      {reasons.length === 0 && exitCode !== 0 && <p class="failing">{exitWords(exitCode)}</p>}
      {chips.length > 0 && (
        <p class="chips">
          {chips.map(([name, words, place]) => (
            <>
              <a class={`chip ${name}`} href={place}>
                {words}
              </a>{' '}
            </>
          ))}
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
    const { icon, tone } = CHANGE_WORDS[kind];
    const words = `${icon} ${changeCount(kind, count)}`;
    const link = (
      <a class={tone} href={`#changes-${kind}`}>
        {words}
      </a>
    );
    return [link, ' ', listed(subjects, 3, () => ', …')];
  });
}

/** What is different from the earlier run, and the runs before it; says how to get it when there is none. */
function ChangesBox({ results }: OfResults): VNode {
  const { changes } = results;
  const history = readHistory(results);
  if (changes === undefined && history === undefined) {
    return (
      <Box name="since" title="Since the last run">
        <p class="note">
          There is no earlier run to compare with, so nothing is marked as new. Name one with{' '}
          <code>assay run --baseline results.json</code>.
        </p>
      </Box>
    );
  }
  const before = changes?.before.startedAt ?? history?.runs.at(-1)?.startedAt ?? '';
  return (
    <Box name="since" title={`Since ${clock(before)}`}>
      {changes === undefined ? <TurnedSince results={results} /> : <Compared diff={changes} />}
      {history !== undefined && history.runs.length > 0 && (
        <p>
          <a href="#history">{`History over ${plural(history.runs.length + 1, 'run')}`}</a>
        </p>
      )}
    </Box>
  );
}

/** What turned since the last run, each with the way to the history, when no baseline says more. */
function TurnedSince({ results }: OfResults): VNode {
  const lines = (turnedSince(results) ?? []).map(({ kind, ids }) => [
    <a class={CHANGE_WORDS[kind].tone} href="#history">
      {`${CHANGE_WORDS[kind].icon} ${changeCount(kind, ids.length)}`}
    </a>,
    ' ',
    listed(
      ids.map((id) => <RequirementLink id={id} />),
      3,
      () => ', …',
    ),
  ]);
  return lines.length === 0 ? (
    <p>No violation came or went.</p>
  ) : (
    <List name="plainlist" items={lines} />
  );
}

/** What the comparison with a baseline found. */
function Compared({ diff }: { diff: Diff }): VNode {
  const lines = changeLines(diff);
  return (
    <>
      {diff.context.slice(0, 3).map((one) => (
        <p class="note">{`${one.of} changed: ${one.name}`}</p>
      ))}
      {lines.length === 0 && <p>Nothing changed.</p>}
      <List name="plainlist" items={lines} />
      <p>
        <a href="#changes">All changes</a>
      </p>
    </>
  );
}

/** What to say when there is no finding: a run that judged nothing must not sound like a good one. */
export function nothingFound({ requirements }: Results): string {
  const judged = requirements.filter(({ outcome }) => !UNJUDGED.includes(outcome)).length;
  return judged === 0
    ? 'Nothing was judged, so nothing could be found.'
    : `No violation and no warning: ${plural(judged, 'requirement')} judged.`;
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
          <DecisionMarks cause={cause} results={results} />
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
  const { open, of } = openClauses(requirements);
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
      {open.length > 0 && (
        <p>
          <a href="#clauses">{`${open.length} of ${plural(of, 'clause')} not covered`}</a>
        </p>
      )}
    </Box>
  );
}

/** Whether bad keys are refused, and the way to what each role of key gets: what those who guard the door ask first. */
function KeysBox({ results }: OfResults): VNode {
  return (
    <Box name="keys" title="Keys">
      <p>
        {`${refusalWords(roleMatrix(results))}. `}
        <a href="#access">Access by role of key</a>
      </p>
    </Box>
  );
}

/** The first screen: verdict, facts, what was found and what was not looked at. */
export function FirstScreen({ results, causes }: OfCauses): VNode {
  return (
    <>
      <VerdictBanner results={results} />
      <Byline results={results} />
      <div class="first">
        <div>
          <Box name="found" title="What was found">
            <FindingsIndex results={results} causes={causes} />
          </Box>
          <Box name="budget" title="Budget">
            <Budget results={results} />
          </Box>
          <KeysBox results={results} />
        </div>
        <div>
          <ChangesBox results={results} />
          <GapsBox results={results} />
        </div>
      </div>
      <CoverageMap results={results} />
    </>
  );
}
