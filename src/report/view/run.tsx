import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { exchangeLine } from '../evidence-text.ts';
import { formatDuration } from '../labels.ts';
import type { Results, WaiverResult } from '../results.ts';
import { clock, ExchangeLink, Fact, Listed, RequirementLink, Table, text } from './parts.tsx';

/** Waits shorter than this are not worth a line, ms. */
const WAIT_MS = 2_000;
const LINES = 200;

interface OfResults {
  readonly results: Results;
}

interface LogLine {
  readonly at: number;
  readonly words: string;
  readonly exchange: string | null;
}

/** What is worth telling of the course of a run, taken from its exchanges. */
function logLines(results: Results): readonly LogLine[] {
  const lines: LogLine[] = [];
  let last: number | null = null;
  for (const exchange of results.exchanges) {
    const { sentAt, receivedAt, attempt, error, response, id } = exchange;
    if (last !== null && sentAt - last >= WAIT_MS) {
      const words = `nothing sent for ${formatDuration(sentAt - last)}`;
      lines.push({ at: last, words, exchange: null });
    }
    last = receivedAt;
    const words = exchangeLine(exchange);
    if (attempt > 1) {
      lines.push({ at: sentAt, words: `attempt ${attempt}: ${words}`, exchange: id });
    }
    const status = response?.status ?? 0;
    if (error !== null || status === 429 || status >= 500) {
      lines.push({ at: receivedAt, words, exchange: id });
    }
  }
  return lines;
}

const WAIVER_ICONS: Readonly<Record<string, string>> = { applied: '~', idle: '–' };

function WaiverRow({ waiver, known }: { waiver: WaiverResult; known: boolean }): VNode {
  const icon = WAIVER_ICONS[waiver.state];
  return (
    <tr>
      <th scope="row">{known ? <RequirementLink id={waiver.id} /> : text(waiver.id, 120)}</th>
      <td>
        <strong class={icon === undefined ? 'failed' : 'waived'}>
          {`${icon ?? '✗'} ${waiver.state}`}
        </strong>
        <br />
        {text(waiver.detail, 400)}
      </td>
      <td>{text(waiver.owner, 120)}</td>
      <td>{text(waiver.reason, 400)}</td>
      <td>{text(waiver.ticket ?? '–', 200)}</td>
      <td>{waiver.expires}</td>
    </tr>
  );
}

function Waivers({ results: { waivers, requirements } }: OfResults): VNode | null {
  if (waivers === undefined) return null;
  return (
    <>
      <h3 id="waivers">Waivers</h3>
      {waivers.length === 0 ? (
        <p>The waiver file is empty.</p>
      ) : (
        <Table
          name="waivers"
          columns={['requirement', 'state', 'owner', 'reason', 'ticket', 'expires']}
        >
          {waivers.map((one) => (
            <WaiverRow waiver={one} known={requirements.some(({ id }) => id === one.id)} />
          ))}
        </Table>
      )}
    </>
  );
}

const EXIT_WORDS: Readonly<Record<number, string>> = {
  0: 'conforms, or no violation was found',
  1: 'a must is violated, or what --fail-on, a waiver file or a baseline names',
  2: 'usage or configuration',
  3: 'no verdict was reached',
  4: 'fault of Assay itself',
  5: 'load thresholds crossed',
  130: 'interrupted',
};

function codes(items: readonly string[]): VNode {
  return (
    <Listed
      items={items.slice(0, 20).map((one) => (
        <code>{text(one, 120)}</code>
      ))}
    />
  );
}

/** What was asked of the run, as far as it decides what is sent. No keys: only their fingerprints are on record. */
function Settings({ results: { settings, profile, seed, target } }: OfResults): VNode | null {
  if (settings === undefined) return null;
  const { only, skip, maxRequests, path, keyHeader, limits, fixtures, forbidden } = settings;
  const keys = Object.entries(target.keys).map(([role, prints]) => `${prints.length} ${role}`);
  const names = Object.entries(fixtures).slice(0, 20);
  const facts: readonly (readonly [name: string, content: ComponentChildren])[] = [
    ['Profile, seed', `${profile}, ${seed}`],
    [
      'Checks',
      only.length + skip.length > 0 && (
        <>
          {only.length > 0 && <>only {codes(only)} </>}
          {skip.length > 0 && <>without {codes(skip)}</>}
        </>
      ),
    ],
    ['At most', maxRequests !== null && `${plural(maxRequests, 'request')} with valid keys`],
    ['One case', path !== null && <code>{text(path, 200)}</code>],
    [
      'Limits',
      `${plural(limits.requests, 'request')} in ${formatDuration(limits.windowMs)} with one key, ${limits.monthlyQuota} a month`,
    ],
    [
      'Key header',
      <>
        <code>{text(keyHeader, 120)}</code>
        {keys.length > 0 && `, keys: ${keys.join(', ')}`}
      </>,
    ],
    [
      'Fixtures',
      names.length > 0 && (
        <Listed
          items={names.map(([name, value]) => (
            <>
              {name} <code>{text(String(value), 120)}</code>
            </>
          ))}
        />
      ),
    ],
    ['Forbidden', forbidden.length > 0 && <>to the restricted key: {codes(forbidden)}</>],
  ];
  return (
    <>
      <h3 id="settings">Settings</h3>
      <dl class="facts">
        {facts.map(([name, content]) => content !== false && <Fact name={name}>{content}</Fact>)}
      </dl>
    </>
  );
}

function Log({ results }: OfResults): VNode {
  const lines = logLines(results);
  return (
    <>
      <h3 id="log">Log</h3>
      <p class="note">
        {`Pauses of ${formatDuration(WAIT_MS)} and more, refusals by the limiter, server errors, requests without an answer and repetitions. `}
        <a href="#exchanges">All exchanges</a>
      </p>
      <ol class="log">
        <li>
          <time>{clock(results.startedAt)}</time> started
        </li>
        {lines.slice(0, LINES).map(({ at, words, exchange }) => (
          <li>
            <time>{clock(at)}</time> {text(words, 300)}{' '}
            {exchange !== null && <ExchangeLink id={exchange} />}
          </li>
        ))}
        {lines.length > LINES && <li>{`${lines.length - LINES} more lines are left out.`}</li>}
        <li>
          <time>{clock(results.endedAt)}</time>
          {` ended: ${results.verdict}`}
        </li>
      </ol>
    </>
  );
}

/** Settings, notes, waivers and the course of the run. */
export function Run({ results }: OfResults): VNode {
  const { target, exitCode, notes } = results;
  const redacted = results.exchanges.filter(({ key }) => key !== null).length;
  return (
    <>
      <h2>Run</h2>
      <dl class="facts">
        <Fact name="Started">
          {`${clock(results.startedAt)} (`}
          <code>{results.startedAt}</code>)
        </Fact>
        <Fact name="Ended">{clock(results.endedAt)}</Fact>
        <Fact name="Specification">
          SHA-256 <code>{results.spec.sha256}</code>
        </Fact>
        <Fact name="Envelope">
          {target.envelope === null ? (
            'none: bare bodies are judged'
          ) : (
            <>
              the member <code>{text(target.envelope)}</code> of every body is judged
            </>
          )}
        </Fact>
        <Fact name="Exit code">
          {`${exitCode}: ${EXIT_WORDS[exitCode] ?? 'not one of the documented codes'}`}
        </Fact>
        <Fact name="Redacted">
          {`the key header of ${plural(redacted, 'request')}, when it was recorded; bodies may hold other data of the target`}
        </Fact>
      </dl>
      <Settings results={results} />
      <h3 id="notes">Notes</h3>
      {notes.length === 0 ? (
        <p>None.</p>
      ) : (
        <ul>
          {notes.map((note) => (
            <li>{text(note)}</li>
          ))}
        </ul>
      )}
      <Waivers results={results} />
      <Log results={results} />
    </>
  );
}
