// Runs the suites against the reference server with faults and variants, and checks the files that each run wrote.
// Takes `{ tasks: [{ faults, variants }], folder }` as its argument; prints one JSON line a task. A program for a kept
// process: a run starts Vitest and cannot be started from inside of it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderHar } from '../../dist/src/report/formats/har.js';
import { renderJson } from '../../dist/src/report/write.js';
import { check } from '../../dist/src/run/check/check.js';
import { startEmbedded } from '../../dist/src/run/embedded.js';
import { run } from '../../dist/src/run/run.js';
import { MAX_FINDINGS } from '../../dist/src/judge/judgement.js';

/** A Wednesday afternoon on which an ETF row is unsettled, with a holiday in the month before. */
const NOW = Date.UTC(2026, 8, 9, 15);
const EVERYTHING = { only: [], skip: [], failOn: ['must'] };

const { tasks, folder } = JSON.parse(process.argv[2] ?? '{}');

const findingsOf = ({ findings }) =>
  findings.map(({ message, expected, actual, pointer, exchange }) =>
    JSON.stringify([message, expected, actual, pointer, exchange]),
  );
const idsWith = ({ requirements }, ...outcomes) =>
  requirements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);

/** Findings that only one of two results has. */
function differences(ran, checked) {
  const other = new Map(checked.requirements.map((one) => [one.id, new Set(findingsOf(one))]));
  return ran.requirements.flatMap((one) => {
    const [mine, theirs] = [new Set(findingsOf(one)), other.get(one.id) ?? new Set()];
    // Each of them keeps a bounded number of findings, and a run has those of its checks besides.
    const full = theirs.size >= MAX_FINDINGS ? new Set() : mine;
    return [
      ...[...full]
        .filter((text) => !theirs.has(text))
        .map((text) => `${one.id} only in the run: ${text}`),
      ...[...theirs]
        .filter((text) => !mine.has(text))
        .map((text) => `${one.id} only in the check: ${text}`),
    ];
  });
}

/**
 * The traffic of a run as a browser would have recorded it: raw keys, lower case, nothing of Assay in it. The time is that
 * of the server, whose clock was set and moved: nobody's browser is months away from a server that sends no Date.
 */
function asForeign(har, choose) {
  const { log } = JSON.parse(har);
  const keys = new Map();
  const keyOf = (fingerprint) => {
    if (!keys.has(fingerprint)) keys.set(fingerprint, `browser-key-${keys.size}-5d0c9e7a`);
    return keys.get(fingerprint);
  };
  const entries = log.entries
    .filter((_, index) => choose(index))
    .map(({ _assay: mark, ...entry }) => ({
      ...entry,
      startedDateTime: new Date(Date.parse(entry.startedDateTime) + mark.skewMs).toISOString(),
      time: Math.max(1, entry.time),
      request: {
        ...entry.request,
        headers: entry.request.headers.map(({ name, value }) => ({
          name: name.toLowerCase(),
          value: name.toLowerCase() === 'x-api-key' ? keyOf(mark.key) : value,
        })),
      },
    }));
  return { log: { version: '1.2', creator: { name: 'WebInspector', version: '1' }, entries } };
}

/** Parts of the traffic that a recorder may have seen, and an order that its file may have. */
const VIEWS = {
  'all of it': { choose: () => true, order: (entries) => entries },
  'every second, backwards': {
    choose: (index) => index % 2 === 0,
    order: (entries) => entries.toReversed(),
  },
  'every third': { choose: (index) => index % 3 === 1, order: (entries) => entries },
};

for (const { faults, variants } of tasks) {
  const embedded = await startEmbedded({ faults, variants, validKeys: 6, seed: 1, now: NOW });
  try {
    const { target } = embedded;
    const ran = await run({
      ...EVERYTHING,
      target,
      reference: true,
      profile: 'standard',
      seed: 1,
      maxRequests: null,
    });
    const har = renderHar(ran);
    const [harFile, jsonFile, foreignFile] = ['exchanges.har', 'results.json', 'foreign.har'].map(
      (name) => path.join(folder, name),
    );
    writeFileSync(harFile, har);
    writeFileSync(jsonFile, renderJson(ran));
    const { results } = await check({ ...EVERYTHING, files: [harFile] });
    const again = await check({ ...EVERYTHING, files: [jsonFile] });
    const failing = idsWith(ran, 'failed', 'warned');
    const alarms = [];
    for (const [view, { choose, order }] of Object.entries(VIEWS)) {
      const { log } = asForeign(har, choose);
      writeFileSync(foreignFile, JSON.stringify({ log: { ...log, entries: order(log.entries) } }));
      // What the user of a wrapping target would say; nothing else of the target is told.
      const { limits, envelope, auth, fixtures } = target;
      const told = {
        baseUrl: target.baseUrl,
        keys: { valid: [] },
        limits,
        envelope,
        auth,
        fixtures,
      };
      const { results: seen } = await check({ ...EVERYTHING, files: [foreignFile], target: told });
      alarms.push(
        ...idsWith(seen, 'failed', 'warned')
          .filter((id) => !failing.includes(id))
          .map((id) => {
            const { findings } = seen.requirements.find((one) => one.id === id);
            return `${view}: ${id}: ${findings[0]?.message}`;
          }),
      );
    }
    const line = {
      task: [...faults, ...variants].join('+'),
      failing,
      verdicts: [ran.verdict, results.verdict, again.results.verdict],
      verified: [idsWith(ran, 'passed').length, idsWith(results, 'passed').length],
      differences: [...differences(ran, results), ...differences(ran, again.results)],
      alarms,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  } finally {
    await embedded.close();
  }
}
