import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROFILE_BOUNDS, PROFILES } from '#src/ask/profiles.ts';
import { ENDPOINT_PATHS } from '#src/contract/endpoints.ts';
import { listOperatorFaults } from '#src/reference/catalog.ts';
import { toolVersion } from '#src/run/version.ts';
import { jsonRecords } from '#src/text/json-records.ts';
import { sampleOperators } from '../kill/operator-sample.ts';
import type { ProofResult, ProofTask } from '../kill/task.ts';
import { writePeersPage } from '../peers/page.ts';
import { SCHEMATHESIS_VERSION } from '../peers/schemathesis.ts';
import { behindTexts } from '../shown/behind.ts';
import { curveOf, curveTable, POINTS, type Curve } from '../shown/curve.ts';
import { readCurveReport, type CommonSample, type CurveReport } from '../shown/report.ts';
import { curveSvg } from '../shown/svg.ts';
import { withCurve } from '../shown/words.ts';
import { askAll } from './asked.ts';
import { choosesOrder } from './half.ts';
import { lookAtAll, type LookTask } from './looks.ts';
import { peersAfter, type PeerAfter } from './peers-after.ts';

/** What must be reached on faults that the order was not made for: shares by budget, and the average. */
const LEAST: Readonly<Record<number, number>> = { 20: 0.5, 31: 0.65, 100: 0.95 };
const LEAST_APFD = 0.75;

/** What is measured, and where it goes. */
export interface CurveOptions {
  /** How many faults are drawn; all of the measuring half by `null`. */
  readonly count: number | null;
  /** How many of them the peers are shown. */
  readonly peers: number;
  readonly seed: number;
  /** Runs of peers at the same time. */
  readonly workers: number;
  /** Day that is written into the figures. */
  readonly date: string;
  /** Folder of `reports` and `docs` that figures, picture and words are written into; nothing is written by `null`. */
  readonly save: string | null;
}

/** Runs tasks of the proof. */
type RunAll = (tasks: readonly ProofTask[]) => Promise<readonly ProofResult[]>;

/** Makes what is told how far a look is. */
type Progress = () => (done: number, of: number) => void;

/**
 * `npm run prove -- --curve`: how many faults are shown after how many requests. Exit code 1 when it is too few, or not
 * more than a peer shows.
 */
export async function mainCurve(
  options: CurveOptions,
  progress: Progress,
  runAll: RunAll,
): Promise<number> {
  const { count, peers, seed, date, save } = options;
  const half = listOperatorFaults().filter(
    ({ id, level }) => level === 'must' && !choosesOrder(id),
  );
  // With one seed the smaller sample is the beginning of the larger one, so the peers meet faults of the sample.
  const drawn = sampleOperators(half, count ?? half.length, seed).map(({ id }) => id);
  const own = await ownAfter(drawn, progress(), runAll);
  const curves = own.map(({ tool, after, requests }) => curveOf(tool, after, requests));
  const never = drawn.filter((_, index) => own[0]?.after[index] === null);
  process.stdout.write(never.map((id) => `NEVER      ${id}\n`).join(''));
  process.stdout.write(`${drawn.length} faults that the order was not made for\n`);
  process.stdout.write(`${curveTable(curves)}\n`);
  const shared = drawn.slice(0, peers);
  const common =
    shared.length === 0
      ? null
      : inCommon(shared, [...own, ...(await peersAfter(shared, options, progress()))]);
  if (common !== null) {
    process.stdout.write(`${shared.length} of them, shown to all tools\n`);
    process.stdout.write(`${curveTable(common.curves)}\n`);
    process.stdout.write(common.troubles.map((line) => `NO RESULT  ${line}\n`).join(''));
  }
  if (save !== null && common !== null) {
    const written = await writeAll(save, {
      schemaVersion: 1,
      date,
      seed,
      versions: { assay: toolVersion(), Schemathesis: SCHEMATHESIS_VERSION, Node: process.version },
      drawnFrom: half.length,
      points: POINTS,
      curves,
      never,
      common,
    });
    process.stdout.write(written.map((file) => `written ${file}\n`).join(''));
  }
  const wanting = [
    ...curves.slice(0, 1).flatMap(wantingIn),
    ...behindTexts([curves, ...(common === null ? [] : [common.curves])]),
  ];
  process.stdout.write(wanting.map((line) => `TOO FEW    ${line}\n`).join(''));
  return wanting.length === 0 ? 0 : 1;
}

/** Assay, and a collection of one request an endpoint: after how many requests they show faults. */
async function ownAfter(
  faults: readonly string[],
  onProgress: (done: number, of: number) => void,
  runAll: RunAll,
): Promise<readonly PeerAfter[]> {
  const tasks = (['after', 'collection'] as const).flatMap((look) =>
    faults.map((fault): LookTask => ({ look, fault, level: 'must' })),
  );
  const looks = await lookAtAll(tasks, (done) => onProgress(done, tasks.length));
  const numbers = looks.map((look) => (typeof look === 'number' ? look : null));
  const { exchanges } = await askAll(1);
  const sent = exchanges.filter(({ role }) => role === 'valid').length;
  return [
    {
      tool: 'Assay',
      after: await withRuns(faults, numbers.slice(0, faults.length), sent, runAll),
      requests: sent,
      troubles: [],
    },
    {
      tool: 'one request an endpoint',
      after: numbers.slice(faults.length),
      requests: ENDPOINT_PATHS.length,
      troubles: [],
    },
  ];
}

/** What tools showed of the first faults of the sample, which all of them met. */
function inCommon(faults: readonly string[], tools: readonly PeerAfter[]): CommonSample {
  const same = tools.map((one) => ({ ...one, after: one.after.slice(0, faults.length) }));
  return {
    faults,
    after: Object.fromEntries(same.map(({ tool, after }) => [tool, after])),
    curves: same.map(({ tool, after, requests }) => curveOf(tool, after, requests)),
    troubles: same.flatMap(({ troubles }) => troubles),
  };
}

/** Writes figures, picture and all pages that show them; gives the files. */
async function writeAll(folder: string, report: CurveReport): Promise<readonly string[]> {
  const figures = path.join(folder, 'reports', 'curve.json');
  const picture = path.join(folder, 'docs', 'curve.svg');
  const readme = path.join(folder, 'README.md');
  for (const file of [figures, picture]) await mkdir(path.dirname(file), { recursive: true });
  await writeFile(figures, jsonRecords(readCurveReport(report)));
  await writeFile(picture, curveSvg(report));
  const written = [figures, picture];
  // Elsewhere than in the package there may be no comparison that the curve is a part of, and no README.
  const compared = await stat(path.join(folder, 'reports', 'peers.json')).catch(() => null);
  if (compared !== null) written.push(await writePeersPage(folder));
  const text = await readFile(readme, 'utf8').catch(() => null);
  if (text === null) return written;
  await writeFile(readme, withCurve(text, report));
  return [...written, readme];
}

/**
 * What a replay cannot show, a run may: it follows up what it is told, and what a limiter does differs from run to run.
 * A run of a profile shows a fault after all that the profile may send.
 */
async function withRuns(
  faults: readonly string[],
  after: readonly (number | null)[],
  sent: number,
  runAll: RunAll,
): Promise<readonly (number | null)[]> {
  const found = [...after];
  for (const profile of PROFILES) {
    const open = faults.flatMap((fault, index) =>
      found[index] === null ? [{ fault, index }] : [],
    );
    const results = await runAll(
      open.map(({ fault }) => ({
        name: `fault ${fault}, ${profile}`,
        faults: [fault],
        variants: [],
        profile,
        validKeys: profile === 'full' ? 2 : 1,
        seed: 1,
      })),
    );
    for (const [at, { index }] of open.entries()) {
      const most = profile === 'full' ? sent : PROFILE_BOUNDS[profile].total;
      if (results[at]?.exitCode === 1) found[index] = most;
    }
  }
  return found;
}

/** Where a curve stays below what has to be reached. */
function wantingIn({ shown, faults, apfd }: Curve): string[] {
  const wanting = POINTS.flatMap((point, index) => {
    const least = LEAST[point] ?? 0;
    const share = (shown[index] ?? 0) / faults;
    return share < least
      ? [`${(100 * share).toFixed(1)} % after ${point} requests, and not ${100 * least} %`]
      : [];
  });
  return apfd < LEAST_APFD ? [...wanting, `APFD ${apfd}, and not ${LEAST_APFD}`] : wanting;
}
