import type { ComponentChildren, VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { groupBy } from '../../../text/group-by.ts';
import { plural } from '../../../text/text.ts';
import { formatDuration, lengthWords } from '../../model/labels.ts';
import { exitWords } from '../../model/head.ts';
import type { Results, WaiverResult } from '../../model/results.ts';
import { byNeed, isBroken } from '../../model/waiver-words.ts';
import { text, type FactRow, type OfResults } from './parts.tsx';
import { clock, code, Facts, List, listed, RequirementLink, roleWords, Table } from './parts.tsx';

function waiverCells(waiver: WaiverResult): readonly ComponentChildren[] {
  const broken = isBroken(waiver);
  const icon = broken ? '✗' : waiver.state === 'applied' ? '~' : '–';
  const words = `${icon} ${waiver.state}`;
  const state = <strong class={broken ? 'failed' : 'waived'}>{words}</strong>;
  return [
    <RequirementLink id={waiver.id} />,
    [state, <br />, text(waiver.detail, 400)],
    text(waiver.owner, 120),
    text(waiver.reason, 400),
    text(waiver.ticket ?? '–', 200),
    waiver.expires,
  ];
}

function Waivers({ results: { waivers } }: OfResults): VNode | null {
  if (waivers === undefined) return null;
  return (
    <>
      <h3 id="waivers">Waivers</h3>
      <Table
        name="waivers"
        empty="The waiver file is empty."
        labelled
        columns={['requirement', 'state', 'owner', 'reason', 'ticket', 'expires']}
        items={byNeed(waivers)}
        row={waiverCells}
      />
    </>
  );
}

/** Labels and version headers shown: a results.json may contain any number. */
const MOST = 20;

/** Headers with product, version or build. */
const VERSION =
  /^(?:server|x-powered-by|x-(?:[\w-]+-)?(?:version|build|revision|release|commit|git-sha)(?:-(?:id|number|date|sha))?)$/;

/** Version headers of the target by name, each with its values and the number of responses, the most frequent first. */
export function versionHeaders(exchanges: readonly Exchange[]) {
  const said = exchanges
    .flatMap(({ response }) => Object.entries(response?.headers ?? {}))
    .filter(([name, value]) => VERSION.test(name) && value.trim() !== '');
  return [...groupBy(said, ([name]) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => {
      const values = [...groupBy(own, ([, value]) => value)];
      const counts = values.map(([value, { length }]) => [value, length] as const);
      return [name, counts.toSorted(([, a], [, b]) => b - a)] as const;
    });
}

/** The context in full, with labels and version headers of the target. */
export function contextRows(results: Results): readonly FactRow[] {
  const { commit, branch, job, ci, url = '', labels = {} } = results.context ?? {};
  const headers = versionHeaders(results.exchanges);
  const names = Object.entries(labels).map(([name, value]) => [`${text(name, 60)} `, code(value)]);
  const versions = headers.map(([name, values]) => [
    `${text(name, 60)} `,
    listed(
      values.map(([value, answers]) => [
        code(value),
        values.length > 1 && ` (${answers} responses)`,
      ]),
      3,
    ),
  ]);
  const address = (
    <a href={url} rel="noreferrer noopener external">
      {text(url, 200)}
    </a>
  );
  return [
    ['Commit', commit !== undefined && code(commit)],
    ['Branch', branch !== undefined && code(branch)],
    ['CI service', ci !== undefined && text(ci, 120)],
    ['Job', job !== undefined && text(job, 120)],
    // It may come from anyone: only a web address is kept.
    ['Job URL', /^https?:\/\/./i.test(url) && address],
    ['Labels', names.length > 0 && listed(names, MOST)],
    ['Target version', versions.length > 0 && listed(versions, MOST)],
  ];
}

const codes = (items: readonly string[]): ComponentChildren =>
  listed(items.slice(0, 20).map((one) => code(one)));

function settingRows({ settings, profile, seed }: Results): readonly FactRow[] {
  if (settings === undefined) return [];
  const { only, skip, maxRequests, path, keyHeader, limits, fixtures, forbidden } = settings;
  const names = Object.entries(fixtures).slice(0, 20);
  const window = `${plural(limits.requests, 'request')} in ${formatDuration(limits.windowMs)}`;
  return [
    ['Profile, seed', `${profile}, ${seed}`],
    [
      'Checks',
      only.length + skip.length > 0 && [
        only.length > 0 && ['only ', codes(only), ' '],
        skip.length > 0 && ['without ', codes(skip)],
      ],
    ],
    ['Maximum', maxRequests !== null && `${plural(maxRequests, 'request')} with valid keys`],
    ['Case', path !== null && code(path, 200)],
    ['Limits', `${window} per key, ${limits.monthlyQuota} a month`],
    ['Key header', code(keyHeader)],
    [
      'Fixtures',
      names.length > 0 && listed(names.map(([name, value]) => [`${name} `, code(String(value))])),
    ],
    ['Forbidden', forbidden.length > 0 && ['for the restricted key: ', codes(forbidden)]],
  ];
}

function runRows(results: Results): FactRow[] {
  const { target, exitCode, exchanges, startedAt, endedAt, spec, tool } = results;
  const redacted = exchanges.filter(({ key }) => key !== null).length;
  const { envelope } = target;
  const keys = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  return [
    ['Target', [code(target.baseUrl), target.reference && ' (embedded reference server)']],
    ['Assay', tool.version],
    ['Started', [`${clock(startedAt)} (`, <code>{startedAt}</code>, ')']],
    ['Ended', `${clock(endedAt)}, after ${lengthWords(results)}`],
    ['Specification', ['SHA-256 ', <code>{spec.sha256}</code>]],
    [
      'Envelope',
      envelope === null ? 'none' : ['only the member ', code(envelope), ' of each body is judged'],
    ],
    ['Exit code', exitWords(exitCode)],
    [
      'Keys',
      keys.length > 0 &&
        listed(keys.map(([role, prints]) => [`${roleWords(role)} `, code(prints.join(' '))])),
    ],
    [
      'Redacted',
      exchanges.length === 0
        ? 'nothing: no exchange is kept'
        : `the key header of ${plural(redacted, 'request')}; bodies may contain other data from the target`,
    ],
  ];
}

/** Facts, settings, notes and waivers of the run. */
export function Run({ results }: OfResults): VNode {
  const { notes } = results;
  const settings = settingRows(results);
  return (
    <>
      <Facts rows={[...runRows(results), ...contextRows(results)]} />
      {settings.length > 0 && [<h3 id="settings">Settings</h3>, <Facts rows={settings} />]}
      <h3 id="notes">Notes</h3>
      {notes.length === 0 ? <p>None.</p> : <List items={notes.map((note) => text(note))} />}
      <Waivers results={results} />
    </>
  );
}
