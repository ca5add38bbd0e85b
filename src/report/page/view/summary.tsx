import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import type { Cause } from '../../analysis/causes.ts';
import { exchangeLine } from '../../analysis/evidence-text.ts';
import { isBreach } from '../../analysis/harm.ts';
import { readHistory, turnedSince } from '../../analysis/history.ts';
import { openClauses } from '../../analysis/open-clauses.ts';
import { doctorCommand, rerunCommand, resumeCommand } from '../../analysis/rerun.ts';
import { refusalWords, roleMatrix } from '../../analysis/role-matrix.ts';
import { changesByKind } from '../../model/diff.ts';
import type { Diff } from '../../model/diff.ts';
import { CHANGE_WORDS, changeCount } from '../../model/diff-words.ts';
import { headOf } from '../../model/head.ts';
import type { Head, HeadLine } from '../../model/head.ts';
import { OUTCOME_LABELS } from '../../model/labels.ts';
import { readLoad } from '../../model/load-view.ts';
import type { Results } from '../../model/results.ts';
import { tallyOf, waivedWords } from '../../model/standing.ts';
import { groupUnjudged, mustWords } from '../../model/unjudged.ts';
import { countBroken } from '../../model/waiver-words.ts';
import { loadAnchor, LoadScenarios } from '../load/load.tsx';
import { Budget } from './budget.tsx';
import { CoverageMap } from './coverage.tsx';
import { DecisionMarks } from './decision.tsx';
import { Byline } from './facts.tsx';
import type { OfResults } from './page.ts';
import { anchor, Badge, Bar, clock, Command, ExchangeLink, List, listed } from './parts.tsx';
import { message, RequirementLink, text } from './parts.tsx';

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

/** How much of what must hold was looked at, as a bar: a verdict without it says too much or too little. */
function Verified({ results: { requirements } }: OfResults): VNode | null {
  const { musts, verified, open, waived, unjudged } = tallyOf(requirements);
  if (musts === 0) return null;
  const words = [
    `${verified} of ${musts} musts verified`,
    ...(open > 0 ? [`${open} violated`] : []),
    ...(waived > 0 ? [`${waived} violated and waived`] : []),
    ...(unjudged > 0 ? [`${unjudged} not verified`] : []),
  ].join(', ');
  return (
    <a class="verified" href="#coverage" title={words}>
      <Bar
        label={`${words}: coverage map`}
        parts={[
          ['passed', verified],
          ['failed', open],
          ['waived', waived],
          ['open', unjudged],
        ]}
      />
    </a>
  );
}

/** What keeps the verdict from being the last word, or is done with it. */
function Chips({ results: { waivers = [], target } }: OfResults): VNode | null {
  const chips: (readonly [name: string, words: string, place: string])[] = countBroken(waivers).map(
    (words) => ['failed', `✗ ${words}`, '#waivers'],
  );
  if (target.envelope !== null)
    chips.push(['warned', `judged inside of "${target.envelope}"`, '#run']);
  if (chips.length === 0) return null;
  return (
    <p class="chips">
      {chips.map(([name, words, place]) => [
        <a class={`chip ${name}`} href={place}>
          {words}
        </a>,
        ' ',
      ])}
    </p>
  );
}

/** The colours of a verdict, by what it means for a reader. */
const TONES: Readonly<Record<Head['tone'], string>> = {
  passed: 'conforms',
  plain: 'no-violation',
  warned: 'incomplete',
  failed: 'violates',
};

/** The verdict: word, sentence, how much was looked at, why the exit code is what it is, and what is waived by whom. */
function VerdictBanner({ results, head }: OfResults & { head: Head }): VNode {
  const { title, tone, sentence, lines, kind } = head;
  // A waiver may name a requirement that there is not: a link would lead nowhere.
  const known = new Set(results.requirements.map(({ id }) => id));
  const named = (id: string): VNode =>
    known.has(id) ? <RequirementLink id={id} /> : <code>{text(id, 120)}</code>;
  const shown = ({ about, text: words, ids }: HeadLine): VNode => (
    <p class={about === 'waived' ? 'failing set-aside' : 'failing'}>
      {about === 'waived' && results.waivers !== undefined ? (
        <a class="chip waived" href="#waivers">
          {text(words)}
        </a>
      ) : (
        text(words)
      )}
      {ids.length > 0 && ': '}
      {/* Findings have lists of their own; what is set aside is named here or nowhere on this screen. */}
      {listed(ids.map(named), about === 'exit' ? SHOWN : ids.length)}
    </p>
  );
  return (
    <div class={`verdict ${TONES[tone]}`}>
      <h2 class="word">{text(title)}</h2>
      <p class="sentence">{message(sentence)}</p>
      {kind === 'suite' && <Verified results={results} />}
      {lines.filter(({ about }) => about !== 'waived').map(shown)}
      <Chips results={results} />
      {lines.filter(({ about }) => about === 'waived').map(shown)}
    </div>
  );
}

/** Changes by kind, the first few of each by name. */
function changeLines(diff: Diff): readonly ComponentChildren[] {
  const kinds = changesByKind(diff).filter(([kind]) => kind !== 'still-violated');
  return kinds.map(([kind, changes]) => {
    const linked = kind !== 'behaviour' && kind !== 'shape' && kind !== 'removed';
    const subjects = changes.map(({ subject }) =>
      linked ? <RequirementLink id={subject} /> : text(subject, 80),
    );
    const { icon, tone } = CHANGE_WORDS[kind];
    const words = `${icon} ${changeCount(kind, changes)}`;
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
  const lines = (turnedSince(results) ?? []).map(({ kind, changed }) => [
    <a class={CHANGE_WORDS[kind].tone} href="#history">
      {`${CHANGE_WORDS[kind].icon} ${changeCount(kind, changed)}`}
    </a>,
    ' ',
    listed(
      changed.map(({ id }) => <RequirementLink id={id} />),
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

/** Causes of one screen. Keys that were let in without right are on it, however many there are. */
const FIRST = 12;

/** The findings in one line each, so that the first screen says what is wrong. */
function FindingsIndex({ causes, results, head }: OfCauses & { head: Head }): VNode {
  const load = loadLines(results);
  const shown = causes.filter(({ harm }, index) => index < FIRST || isBreach(harm));
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
            {outcome === 'waived' && `, ${waivedWords(cause.example.requirement, results)}`}
          </span>
        </li>
      ));
  const open = causes.some(({ outcome }) => outcome !== 'waived');
  // Violations under load stand with the violations, before what is only a warning.
  return (
    <>
      {!open && load.length === 0 && <p>{head.nothing}</p>}
      <ol class="index">{[...lines('failed'), ...load, ...lines('warned'), ...lines('waived')]}</ol>
      {causes.length > shown.length && (
        <p>
          <a href="#findings">{`All ${causes.length} causes`}</a>
        </p>
      )}
    </>
  );
}

/** What was not verified, in one line for each setting that would change it. */
function GapsBox({ results }: OfResults): VNode {
  const { requirements } = results;
  const groups = groupUnjudged(requirements);
  const total = groups.reduce((sum, group) => sum + group.requirements.length, 0);
  const { open, of } = openClauses(requirements);
  const lines = groups.slice(0, 6).map((group) => {
    const { requirements: own, outcome, setting, reasons } = group;
    const plain = setting === null || setting.startsWith('--');
    return [
      <strong>{own.length}</strong>,
      ` ${OUTCOME_LABELS[outcome].word}${mustWords(group)}: `,
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

/** Answers shown where none was one of the service. */
const ANSWERS = 3;

/** What there was in place of an answer of the service, and how to go on: nothing else helps a reader here. */
function GoOn({ results, head }: OfResults & { head: Head }): VNode {
  const isCut = head.kind === 'interrupted';
  const answers = results.exchanges
    .slice(0, ANSWERS)
    .map((one) => [
      <ExchangeLink id={one.id} />,
      ' ',
      <code>{text(exchangeLine(one), 200)}</code>,
      <small>{text(one.response?.text ?? '', 160)}</small>,
    ]);
  return (
    <Box name="go-on" title="How to go on">
      <p>
        {isCut
          ? 'Take the run up again: what is known is not asked again. FOLDER is the one that this report lies in.'
          : 'See what is reachable and which keys work, then run again:'}
      </p>
      <Command
        label="the command that goes on"
        value={isCut ? resumeCommand(results) : doctorCommand(results)}
      />
      {!isCut && <Command label="the command that runs again" value={rerunCommand(results)} />}
      {!isCut && answers.length > 0 && <p>What answered:</p>}
      {!isCut && <List name="plainlist" items={answers} />}
    </Box>
  );
}

/** The first screen: verdict, facts, and what the kind of the run makes worth reading first. */
export function FirstScreen({ results, causes }: OfCauses): VNode {
  const head = headOf(results);
  const above = [<VerdictBanner results={results} head={head} />, <Byline results={results} />];
  if (head.kind === 'load') return <>{[...above, <LoadScenarios results={results} />]}</>;
  if (head.kind !== 'suite') return <>{[...above, <GoOn results={results} head={head} />]}</>;
  return (
    <>
      {above}
      <div class="first">
        <div>
          <Box name="found" title="What was found">
            <FindingsIndex results={results} causes={causes} head={head} />
          </Box>
          <KeysBox results={results} />
          <Box name="budget" title="Budget">
            <Budget results={results} />
          </Box>
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
