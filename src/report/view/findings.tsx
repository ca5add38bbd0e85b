import type { VNode } from 'preact';
import { curlLine } from '../../text/curl.ts';
import { plural } from '../../text/text.ts';
import type { Cause } from '../causes.ts';
import { ageWords } from '../diff-words.ts';
import { exchangeLine } from '../evidence-text.ts';
import { wordsById } from '../history.ts';
import { rerunCommand, rerunNote } from '../rerun.ts';
import type { Results } from '../results.ts';
import { ExchangeDetails } from './written-exchange.tsx';
import type { Shown } from './written-exchange.tsx';
import type { OfResults } from './page.ts';
import { anchor, Badge, Command, ExchangeLink, Facts, FoundText, List } from './parts.tsx';
import { listed, message, more, RequirementLink, requirementLinks } from './parts.tsx';
import { statement, text } from './parts.tsx';
import { isNew, nothingFound } from './summary.tsx';
import type { OfCauses } from './summary.tsx';

/** Causes shown in full; more would hide each other. The rest is a list. */
const FULL = 25;
const LISTED = 150;
/** Single findings of one cause. */
const MEMBERS = 10;

/** The causes that are shown in full. */
export function shownInFull(causes: readonly Cause[]): readonly Cause[] {
  return causes.slice(0, FULL);
}

function age(cause: Cause, results: Results): VNode | null {
  if (isNew(cause, results)) return <strong class="chip new">new</strong>;
  const since = cause.requirements.map((one) => one.since).find((one) => one !== undefined);
  const words = ageWords(since, results.startedAt);
  return words === '' ? null : <span class="chip plain">{words}</span>;
}

function extent(cause: Cause): string {
  return [
    plural(cause.members.length, 'finding'),
    plural(cause.requirements.length, 'requirement'),
    ...(cause.endpoints.length > 0 ? [plural(cause.endpoints.length, 'endpoint')] : []),
  ].join(', ');
}

function Members({ members }: Pick<Cause, 'members'>): VNode | null {
  if (members.length === 1) return null;
  const lines = members
    .slice(0, MEMBERS)
    .map(({ requirement, finding }) => [
      <RequirementLink id={requirement.id} />,
      ' ',
      <FoundText finding={finding} />,
    ]);
  return (
    <details>
      <summary>{`All ${members.length} findings of this cause`}</summary>
      <List items={lines} />
      {more(members.length - MEMBERS, 'with their requirements')}
    </details>
  );
}

interface CardProps extends OfResults {
  readonly cause: Cause;
  readonly number: number;
  readonly history: ReadonlyMap<string, string>;
  readonly shown: Shown | undefined;
}

function Card({ cause, number, results, history, shown }: CardProps): VNode {
  const { finding, requirement } = cause.example;
  const { exchange, endpoints } = cause;
  const told = cause.requirements
    .map((one) => history.get(one.id))
    .find((one) => one !== undefined);
  const pointer = finding.pointer === '' ? 'the whole body' : finding.pointer;
  const { id } = requirement;
  const commands: readonly (readonly [label: string, command: string | null])[] = [
    ['Send it again', exchange === null ? null : curlLine(exchange)],
    ['Judge it again', rerunCommand(results, { id })],
    [
      'Judge this case alone',
      finding.replay == null ? null : rerunCommand(results, { id, path: finding.replay }),
    ],
  ];
  const others = cause.requirements.map((one) => one.id).filter((one) => one !== id);
  const paths = endpoints.map((path) => <code>{text(path, 120)}</code>);
  return (
    <article id={anchor('f', cause.id)} class={`finding ${cause.outcome}`} data-cause={cause.id}>
      <h4>
        <span class="number">{number}</span> {message(cause.message)}
      </h4>
      <p class="meta">
        <Badge outcome={cause.outcome} /> {age(cause, results)}{' '}
        <span class="note">{extent(cause)}</span>{' '}
        {told !== undefined && <span class="chip plain">{told}</span>}
      </p>
      <p class="claim">
        <RequirementLink id={requirement.id} />
        {` (§${requirement.section}, ${requirement.level}): `}
        {statement(requirement.title)}
      </p>
      <div class="compare">
        <p class="expected">
          <b>Expected</b> <code>{text(finding.expected)}</code>
        </p>
        <p class="actual">
          <b>Actual</b> <code>{text(finding.actual)}</code>
        </p>
      </div>
      {(pointer !== null || exchange !== null) && (
        <p>
          {pointer !== null && ['At ', <code>{text(pointer, 300)}</code>, ' ']}
          {exchange !== null && ['in ', <ExchangeLink id={exchange.id} />, ' ']}
          {exchange !== null && <code>{exchangeLine(exchange)}</code>}
        </p>
      )}
      {endpoints.length > 1 && (
        <p>
          {'Endpoints: '}
          {listed(paths, 12)}
        </p>
      )}
      {others.length > 0 && (
        <p>
          {'Also against '}
          {requirementLinks(others, 12)}
        </p>
      )}
      {cause.advice !== null && <p class="advice">{cause.advice}</p>}
      <Facts
        name="commands"
        rows={commands.map(([label, value]) => [
          label,
          value !== null && <Command label={label} value={value} />,
        ])}
      />
      {exchange !== null &&
        (shown?.cause === cause ? (
          <ExchangeDetails exchange={exchange} body={shown.body} />
        ) : (
          <p>
            Exchange <ExchangeLink id={exchange.id} /> is shown in full above.
          </p>
        ))}
      <Members members={cause.members} />
      <div data-review={cause.id} />
    </article>
  );
}

interface FindingsProps extends OfCauses {
  /** Exchanges that stand in full with their first cause. */
  readonly shown: ReadonlyMap<string, Shown>;
}

/** Findings by cause, violations first: each one can be decided from what stands here. */
export function Findings({ causes, results, shown }: FindingsProps): VNode {
  const history = wordsById(results);
  const note = rerunNote(results);
  const rest = causes.slice(FULL);
  const of = (outcome: Cause['outcome']): number =>
    causes.filter((cause) => cause.outcome === outcome).length;
  return (
    <>
      <h3 id="findings">
        {`Findings: ${plural(of('failed'), 'violation')}, ${plural(of('warned'), 'warning')} by cause`}
      </h3>
      {causes.length === 0 ? (
        <p>{nothingFound(results)}</p>
      ) : (
        note !== null && <p class="note">{`In the commands below: ${note}`}</p>
      )}
      {shownInFull(causes).map((cause, index) => (
        <Card
          cause={cause}
          number={index + 1}
          results={results}
          history={history}
          shown={shown.get(cause.exchange?.id ?? '')}
        />
      ))}
      {rest.length > 0 && (
        <>
          <h4>{`${rest.length} more, in short`}</h4>
          <ul class="index">
            {rest.slice(0, LISTED).map((cause) => (
              <li id={anchor('f', cause.id)}>
                <Badge outcome={cause.outcome} />{' '}
                <RequirementLink id={cause.example.requirement.id} /> {message(cause.message, 200)}{' '}
                <span class="note">{`(${extent(cause)})`}</span>
              </li>
            ))}
          </ul>
          {rest.length > LISTED && (
            <p class="note">
              {`${rest.length - LISTED} more are with their requirements in `}
              <a href="#requirements">the matrix</a>.
            </p>
          )}
        </>
      )}
    </>
  );
}
