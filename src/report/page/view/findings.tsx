import { brokenWaiver, waiverWords } from '../../model/waiver-words.ts';
import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { countFindings, warningsAmong, type Cause } from '../../analysis/causes.ts';
import { commandsOf, quotaNote, rerunNote } from '../../analysis/rerun.ts';
import { Control } from '../control.tsx';
import { exchangeLine, locationWords } from '../../analysis/evidence-text.ts';
import { markOf, newWords, wordsById } from '../../analysis/history.ts';
import type { PageData } from '../page-data.ts';
import { headOf } from '../../model/head.ts';
import type { Results } from '../../model/results.ts';
import { adviceFor } from '../../analysis/seen.ts';
import { waivedWords } from '../../model/status.ts';
import { ScenarioLink } from '../load/load.tsx';
import { FailingLines, failingExcerpt } from '../evidence/failing-lines.tsx';
import { ExchangeDetails, exchangesOf } from '../evidence/exchange.tsx';
import type { OfCauses, OfResults } from './parts.tsx';
import { anchor, Badge, Command, ExchangeLink, Fold, FoundText, List, listed } from './parts.tsx';
import { message, more, RequirementLink, requirementLinks, statement, text } from './parts.tsx';

const idsOf = ({ requirements }: Cause): readonly string[] => requirements.map(({ id }) => id);

interface OfCause extends OfResults {
  readonly cause: Cause;
}

function newMark(cause: Cause, results: Results): ComponentChildren {
  const mark = markOf(cause, results);
  const tone = mark === 'new' ? 'failed' : 'plain';
  const what = newWords(cause);
  return (
    mark !== null && [
      <strong class={`chip ${tone}`}>
        {mark}
        {what !== '' && `: ${text(what, 300)}`}
      </strong>,
      ' ',
    ]
  );
}

/** Causes shown in full; the rest is a list. */
const FULL = 25;
/** Causes shown on narrow screens before they are unfolded. */
const FIRST = 3;
const LISTED = 150;

/** The causes that are shown in full. */
export const shownInFull = (causes: readonly Cause[]): readonly Cause[] => causes.slice(0, FULL);

function extent(cause: Cause): string {
  const { requirements, endpoints } = cause;
  return [
    countFindings([cause]),
    ...(requirements.length > 1 ? [`${requirements.length} requirements`] : []),
    ...(endpoints.length > 1 ? [`${endpoints.length} endpoints`] : []),
  ].join(', ');
}

function More({ cause }: { cause: Cause }): VNode | null {
  const { members, endpoints, example } = cause;
  const others = idsOf(cause).filter((id) => id !== example.requirement.id);
  if (members.length === 1) return null;
  const paths = endpoints.map((path) => <code>{text(path, 120)}</code>);
  const lines = members.map(({ requirement, finding }) => [
    <RequirementLink id={requirement.id} />,
    ' ',
    <FoundText finding={finding} />,
  ]);
  return (
    <Fold title={`All: ${extent(cause)}`}>
      {endpoints.length > 1 && <p>{['Endpoints: ', listed(paths, 12)]}</p>}
      {others.length > 0 && <p>{['Also against ', requirementLinks(others, 12)]}</p>}
      <List items={lines} limit={10} where="listed with their requirements" />
    </Fold>
  );
}

interface CardProps extends OfCause {
  readonly number: number;
  readonly history: ReadonlyMap<string, string>;
  readonly full: readonly Cause[];
  readonly data: Pick<PageData, 'exchanges'>;
}

/** Why a finding matters, its usual causes and what to do; folded on narrow screens. */
function Why({ cause, results }: OfCause): VNode | null {
  const { why, usually } = adviceFor(cause.example, cause.exchange, results);
  const usual = usually.flatMap((one) => [statement(one), ' ']);
  const lines = [
    ['Why it matters', why === null ? null : statement(why)],
    ['Usual causes', usual.length === 0 ? null : usual],
    ['What to do', cause.advice],
  ] as const;
  const said = lines.filter(([, words]) => words !== null);
  if (said.length === 0) return null;
  const names = said.map(([name], index) => (index === 0 ? name : name.toLowerCase()));
  return (
    <Fold title={names.join(', ')} name="why">
      {said.map(([name, words]) => (
        <p class="advice">
          <b>{name}</b> {words}
        </p>
      ))}
    </Fold>
  );
}

/** What can be copied from a finding; the script adds the buttons, an issue and the address. */
function CopyMenu({ cause, results }: OfCause): VNode {
  const note = quotaNote(results, cause.example.requirement.id);
  return (
    <details class="copy" data-copy={cause.id}>
      <summary>Copy</summary>
      {note !== null && <p class="note">{note}</p>}
      {commandsOf(results, cause).map(([label, command]) => [
        <p>{label}</p>,
        <Command label={label} value={command} />,
      ])}
      <p data-more>
        <a href={`#${anchor('f', cause.id)}`}>Link to this finding</a>
      </p>
    </details>
  );
}

function Card(props: CardProps): VNode {
  const { cause, number, results, history, full, data } = props;
  const { exchange, example } = cause;
  const { finding, requirement } = example;
  const told = cause.requirements
    .map((one) => history.get(one.id))
    .find((one) => one !== undefined);
  const at = locationWords(finding);
  const excerpt = exchange === null ? null : failingExcerpt(example, exchange);
  const scenarios = cause.scenarios.map((index) => (
    <ScenarioLink load={results.load} index={index} />
  ));
  return (
    <article
      id={anchor('f', cause.id)}
      class={`card finding ${cause.outcome}`}
      data-cause={cause.id}
    >
      <div class="head">
        <h4>
          <span class="number">{number}</span> {message(cause.message)}
        </h4>{' '}
        <Badge outcome={cause.outcome} />{' '}
        {cause.outcome === 'waived' && [
          <span class="chip waived">{text(waivedWords(requirement, results), 160)}</span>,
          ' ',
        ]}
        <DecisionMarks cause={cause} results={results} /> {newMark(cause, results)}
        {told !== undefined && <span class="chip plain">{told}</span>}{' '}
        {cause.members.length > 1 && <span class="note">{extent(cause)}</span>}
      </div>
      <div class={excerpt === null ? 'case' : 'case placed'}>
        <div>
          <p class="claim">
            <RequirementLink id={requirement.id} />
            {` (§${requirement.section}, ${requirement.level}): `}
            {statement(requirement.title)}
          </p>
          <Why cause={cause} results={results} />
          <div class="compare">
            <p class="expected">
              <b>Expected</b> <code>{text(finding.expected)}</code>
            </p>
            <p class="actual">
              <b>Actual</b> <code>{text(finding.actual)}</code>
            </p>
          </div>
        </div>
        {excerpt !== null && exchange !== null && (
          <FailingLines id={exchange.id} excerpt={excerpt} />
        )}
      </div>
      <div class="folds">
        {(at !== '' || exchange !== null) && (
          <p class="at">
            {exchange !== null && ['In ', <ExchangeLink id={exchange.id} />, ' ']}
            {at !== '' && [exchange === null ? 'At ' : 'at ', <code>{text(at, 300)}</code>]}
          </p>
        )}
        {/* An exchange is written once, with the first finding that it shows. */}
        {exchange !== null &&
          (exchangesOf(full).get(exchange.id) === cause ? (
            <ExchangeDetails exchange={exchange} causes={full} />
          ) : (
            <p>
              <code>{exchangeLine(exchange)}</code>, shown above
            </p>
          ))}
        {scenarios.length > 0 && <p>{['In ', listed(scenarios)]}</p>}
        {exchange !== null && <Control data={data} id={exchange.id} />}
        <More cause={cause} />
        <div data-review={cause.id} />
        <CopyMenu cause={cause} results={results} />
      </div>
    </article>
  );
}

/** Findings by cause, violations first. */
export function Findings({ causes, results, data }: OfCauses & Pick<CardProps, 'data'>): VNode {
  const own = { results, data, full: shownInFull(causes), history: wordsById(results) };
  // Recorded traffic has no checks to rerun.
  const note = results.profile === 'recorded' ? null : rerunNote(results);
  const rest = causes.slice(FULL);
  const of = (outcome: Cause['outcome']): number =>
    causes.filter((cause) => cause.outcome === outcome).length;
  const among = warningsAmong(causes);
  const cards = own.full.map((cause, index) => <Card {...own} cause={cause} number={index + 1} />);
  return (
    <>
      <h3 id="findings">
        {`Findings by cause: ${plural(of('failed'), 'violation')}${among}, ${plural(of('warned'), among === '' ? 'warning' : 'other warning')}${of('waived') > 0 ? `, ${of('waived')} waived` : ''}`}
      </h3>
      {causes.length === 0 ? (
        <p>{headOf(results).nothing}</p>
      ) : (
        note !== null && <p class="note">{note}</p>
      )}
      {cards.slice(0, FIRST)}
      {cards.length > FIRST && (
        <Fold title={`${cards.length - FIRST} more`} name="rest">
          {cards.slice(FIRST)}
        </Fold>
      )}
      {rest.length > 0 && (
        <Fold title={`${rest.length} more`}>
          <ol class="index">
            {rest.slice(0, LISTED).map((cause) => (
              <li id={anchor('f', cause.id)}>
                <CauseLine
                  cause={cause}
                  results={results}
                  href={`#${anchor('r', cause.example.requirement.id)}`}
                />
              </li>
            ))}
          </ol>
          {more(rest.length - LISTED, 'in Requirements')}
        </Fold>
      )}
    </>
  );
}

/** A cause in one line. */
export function CauseLine({ cause, results, href }: OfCause & { href: string }): VNode {
  const { outcome, example, endpoints, scenarios } = cause;
  return (
    <>
      <Badge outcome={outcome} /> {newMark(cause, results)}
      <DecisionMarks cause={cause} results={results} />
      <a href={href}>{message(cause.message, 160)}</a>{' '}
      <span class="note">
        {example.requirement.id}
        {endpoints.length > 1 && `, ${plural(endpoints.length, 'endpoint')}`}
        {scenarios.map((index) => [', ', <ScenarioLink load={results.load} index={index} />])}
      </span>
    </>
  );
}

/** The broken waiver of a finding, and a placeholder in which the script shows the decision of the reader. */
function DecisionMarks({ cause, results: { waivers = [] } }: OfCause): VNode {
  const waiver = brokenWaiver(waivers, idsOf(cause));
  return (
    <>
      {waiver !== undefined && [
        <a class="chip failed" href="#waivers">
          {waiverWords(waiver)}
        </a>,
        ' ',
      ]}
      <span data-decision={cause.id} />
    </>
  );
}
