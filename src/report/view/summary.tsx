import type { VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { byArea } from '../areas.ts';
import type { Cause } from '../causes.ts';
import { countChanges } from '../diff.ts';
import { CHANGE_WORDS, changeCount } from '../diff-words.ts';
import { failingGroups } from '../failing-text.ts';
import { LEVELS, OUTCOME_LABELS, UNJUDGED, verdictTitle } from '../labels.ts';
import { readLoad } from '../load-view.ts';
import type { Outcome, RequirementResult, Results } from '../results.ts';
import { groupUnjudged } from '../unjudged.ts';
import { FactsList } from './facts.tsx';
import { loadAnchor } from './load.tsx';
import { anchor, Badge, Bar, clock, Listed, message, RequirementLink, text } from './parts.tsx';

interface OfResults {
  readonly results: Results;
}

/** The verdict: word, sentence, and what keeps it from being the last word. */
function VerdictBanner({ results }: OfResults): VNode {
  const { verdict, exitCode, target, requirements } = results;
  const musts = requirements.filter(({ level }) => level === 'must');
  const open = musts.filter(({ outcome }) =>
    ['untested', 'inconclusive', 'error'].includes(outcome),
  ).length;
  const waived = requirements.filter(({ outcome }) => outcome === 'waived').length;
  const chips = [
    verdict === 'conforms' && open > 0 && (
      <a class="chip untested" href="#not-verified">
        {`${open} of ${plural(musts.length, 'must')} not verified`}
      </a>
    ),
    waived > 0 && (
      <a
        class="chip waived"
        href={results.waivers === undefined ? '#not-verified' : '#waivers'}
      >{`${waived} waived`}</a>
    ),
    target.envelope !== null && (
      <a class="chip warned" href="#run">{`judged inside of "${target.envelope}"`}</a>
    ),
    exitCode !== 0 && <span class="chip plain">{`exit code ${exitCode}`}</span>,
  ].filter((chip) => chip !== false);
  return (
    <div class={`verdict ${verdict}`}>
      <h2 class="word">{verdictTitle(results)}</h2>
      <p class="sentence">{message(results.sentence)}</p>
      {failingGroups(results).map(({ text: why, ids }) => (
        <p class="failing">
          {`Exit code ${exitCode}: ${why}: `}
          {ids.map((id) => (
            <>
              <RequirementLink id={id} />{' '}
            </>
          ))}
        </p>
      ))}
      {chips.length > 0 && <p class="chips">{chips.flatMap((chip) => [chip, ' '])}</p>}
    </div>
  );
}

/** What is different from the earlier run; says how to get it when none was given. */
function ChangesBox({ results: { changes, history } }: OfResults): VNode {
  if (changes === undefined) {
    return (
      <section class="box" aria-labelledby="since-title">
        <h3 id="since-title">Since the last run</h3>
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
      </section>
    );
  }
  const counts = countChanges(changes).filter(([kind]) => kind !== 'still-violated');
  return (
    <section class="box" aria-labelledby="since-title">
      <h3 id="since-title">{`Since ${clock(changes.before.startedAt)}`}</h3>
      {changes.context.slice(0, 3).map((one) => (
        <p class="note">{`${one.of} changed: ${one.name}`}</p>
      ))}
      {counts.length === 0 ? (
        <p>Nothing came out in another way.</p>
      ) : (
        <ul class="plainlist">
          {counts.map(([kind, count]) => {
            const shown = changes.changes.filter((one) => one.kind === kind).slice(0, 3);
            const linked = kind !== 'behaviour' && kind !== 'shape' && kind !== 'removed';
            return (
              <li>
                <strong>{`${CHANGE_WORDS[kind].icon} ${changeCount(kind, count)}`}</strong>{' '}
                <Listed
                  items={shown.map(({ subject }) =>
                    linked ? <RequirementLink id={subject} /> : text(subject, 80),
                  )}
                />
                {count > shown.length && ', …'}
              </li>
            );
          })}
        </ul>
      )}
      <p>
        <a href="#changes">All changes</a>
      </p>
    </section>
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

function AreaRow({
  title,
  requirements,
}: {
  readonly title: string;
  readonly requirements: readonly RequirementResult[];
}): VNode {
  const counts = COUNTED.map(([name, , words, outcomes]) => ({
    name,
    words,
    count: requirements.filter(({ outcome }) => outcomes.includes(outcome)).length,
  }));
  const [id] = title.split(' ');
  return (
    <tr>
      <th scope="row">
        <a href={`#${anchor('s', requirements[0]?.section ?? '')}`}>{title}</a>
      </th>
      <td class="barcell">
        <Bar
          label={`${id}: ${counts.map(({ count, words }) => `${count} ${words}`).join(', ')}`}
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
  return (
    <section class="box" aria-labelledby="areas-title">
      <h3 id="areas-title">Requirements by section</h3>
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
        <tbody>
          {byArea(requirements).map(([area, own]) => (
            <AreaRow title={`§${area.id} ${area.title}`} requirements={own} />
          ))}
        </tbody>
      </table>
      <p class="note">
        <Listed
          items={LEVELS.map((level) =>
            plural(requirements.filter((one) => one.level === level).length, level),
          )}
        />
        {`. ${COUNTED.map(([, icon, words]) => `${icon} ${words}`).join(', ')}.`}
      </p>
    </section>
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

/** The findings in one line each, so that the first screen says what is wrong. */
function FindingsIndex({
  causes,
  results,
}: OfResults & { readonly causes: readonly Cause[] }): VNode {
  const load = readLoad(results.load).results.flatMap((one, index) =>
    one.outcome === 'passed'
      ? []
      : [
          <li>
            <Badge outcome={one.outcome} />{' '}
            <a href={`#${loadAnchor(index)}`}>{`Load ${text(one.scenario, 60)}`}</a>
            {`: ${text(one.reason, 200)}`}
          </li>,
        ],
  );
  if (causes.length === 0 && load.length === 0) return <p>{nothingFound(results)}</p>;
  const shown = causes.slice(0, 12);
  const line = (cause: Cause): VNode => (
    <li>
      <Badge outcome={cause.outcome} />{' '}
      {isNew(cause, results) && <strong class="chip new">new</strong>}{' '}
      <a href={`#${anchor('f', cause.id)}`}>{message(cause.message, 160)}</a>{' '}
      <span class="note">
        {cause.example.requirement.id}
        {cause.endpoints.length > 1 && `, ${plural(cause.endpoints.length, 'endpoint')}`}
      </span>
    </li>
  );
  // Violations under load stand with the violations, before what is only a warning.
  return (
    <>
      <ol class="index">
        {shown.filter(({ outcome }) => outcome === 'failed').map(line)}
        {load}
        {shown.filter(({ outcome }) => outcome !== 'failed').map(line)}
      </ol>
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
  return (
    <section class="box" aria-labelledby="gaps-title">
      <h3 id="gaps-title">{`Not verified: ${total} of ${requirements.length}`}</h3>
      {total === 0 ? (
        <p>Every requirement was judged.</p>
      ) : (
        <>
          <ul class="plainlist">
            {groups.slice(0, 6).map(({ requirements: own, outcome, setting, reasons }) => (
              <li>
                <strong>{own.length}</strong>
                {` ${OUTCOME_LABELS[outcome].word}: `}
                {setting === null || setting.startsWith('--') ? (
                  message(reasons[0] ?? '', 110)
                ) : (
                  <>
                    needs <code>{setting}</code>
                  </>
                )}
              </li>
            ))}
          </ul>
          <p>
            <a href="#not-verified">What was not verified, and what would change it</a>
          </p>
        </>
      )}
    </section>
  );
}

/** The first screen: verdict, facts, what was found and what was not looked at. */
export function FirstScreen(props: OfResults & { readonly causes: readonly Cause[] }): VNode {
  const { results } = props;
  return (
    <>
      <VerdictBanner results={results} />
      <FactsList results={results} />
      <div class="first">
        <section class="box" aria-labelledby="found-title">
          <h3 id="found-title">What was found</h3>
          <FindingsIndex {...props} />
        </section>
        <div>
          <ChangesBox results={results} />
          <GapsBox results={results} />
        </div>
      </div>
      <AreasBox results={results} />
    </>
  );
}
