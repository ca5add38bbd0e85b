import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownCertificate } from '../target/client-certificate.ts';
import type { ClientCertificate, Target } from '../target/target.ts';
import { runFailed, type LoadError } from './errors.ts';
import { quietEnv, type K6 } from './find-k6.ts';
import { runK6 } from './k6-process.ts';
import { linesOf, parseSummary, readRows } from './observations.ts';
import type { LoadPlan, Row, RunSummary } from './plan.ts';
import { scriptOf } from './scenarios.ts';

/** Recording of a k6 run, checked to be from this run. */
export interface Recording {
  readonly rows: readonly Row[];
  readonly summary: RunSummary;
  readonly startedAt: number;
  readonly endedAt: number;
  /** True if the run was stopped: the recording is partial, and the counts of k6 may be ahead of the rows. */
  readonly interrupted: boolean;
}

export interface RunScenarioOptions {
  readonly plan: LoadPlan;
  /** Keys by their index in the plan. */
  readonly keys: readonly string[];
  readonly k6: K6;
  readonly http: Pick<Target['http'], 'caFile' | 'clientCertificate' | 'proxy'>;
  readonly signal?: AbortSignal;
  /** More arguments of k6, such as an execution segment. */
  readonly extra?: readonly string[];
}

/** Time beyond its own limits before k6 is killed, ms. */
const PATIENCE_MS = 120_000;

/** The arguments of k6, without keys. */
export function k6Arguments(
  files: { readonly console: string; readonly secrets: string; readonly script: string },
  extra: readonly string[] = [],
): string[] {
  return [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--log-format=raw',
    `--console-output=${files.console}`,
    `--secret-source=file=${files.secrets}`,
    ...extra,
    files.script,
  ];
}

/** One `name=value` per line, for k6's secret source. */
export function secretsText(keys: readonly string[]): string {
  return keys.map((key, index) => `key${index}=${key}\n`).join('');
}

/**
 * Runs a scenario in k6 and reads its recording. k6 exits with 0 after exceptions in iterations and without a summary,
 * so the summary must exist and have the id of this run.
 * @throws LoadError `ASSAY_LOAD_RUN` if k6 failed or the recording is incomplete
 */
export async function runScenario(options: RunScenarioOptions): Promise<Recording> {
  const { plan, keys, k6, signal } = options;
  const { windows, durationMs } = plan.shape;
  const { caFile, clientCertificate, proxy } = options.http;
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-load-'));
  const file = (name: string): string => path.join(folder, name);
  const startedAt = Date.now();
  try {
    await writeFile(file('plan.json'), JSON.stringify(plan), { mode: 0o600 });
    await writeFile(file('secrets'), secretsText(keys), { mode: 0o600 });
    // k6 creates no file without a recording.
    await writeFile(file('rows.ndjson'), '', { mode: 0o600 });
    if (clientCertificate !== null) {
      const text = JSON.stringify(plainCertificate(clientCertificate));
      await writeFile(file('certificate.json'), text, { mode: 0o600 });
    }
    const script = scriptOf(plan.scenario);
    const { code, output } = await runK6(
      k6.path,
      k6Arguments(
        { console: file('rows.ndjson'), secrets: file('secrets'), script },
        options.extra,
      ),
      {
        ...quietEnv(),
        ASSAY_PLAN: file('plan.json'),
        ASSAY_SUMMARY: file('summary.json'),
        ...(clientCertificate !== null && { ASSAY_CERTIFICATE: file('certificate.json') }),
        ...(caFile !== null && { SSL_CERT_FILE: caFile }),
        ...(proxy !== null && { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }),
      },
      (windows + 4) * plan.windowMs * 1.2 + durationMs + PATIENCE_MS,
      signal,
    );
    const interrupted = signal?.aborted === true;
    if (code !== 0 && !interrupted) throw failure(`k6 exited with ${code}.`, output);
    const text = await readFile(file('summary.json'), 'utf8').catch(() => {
      if (!interrupted) throw failure('k6 wrote no summary.', output);
      const message = 'The run was interrupted before k6 sent anything.';
      throw runFailed(message, 'Run the scenario again.');
    });
    const summary = parseSummary(text, plan.runId);
    const rows = await readRows(linesOf(file('rows.ndjson')), plan.runId);
    // Interrupted iterations also end in an exception.
    if (summary.harnessErrors > 0 && !interrupted) {
      throw failure(`${summary.harnessErrors} script iterations ended in an exception.`, output);
    }
    return { rows, summary, startedAt, endedAt: Date.now(), interrupted };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A certificate for k6, which only supports some encryptions of private keys. */
function plainCertificate(chosen: ClientCertificate): { cert: string; key: string } {
  const { cert, key, passphrase } = ownCertificate(chosen);
  const plain = createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  return { cert, key: plain.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function failure(message: string, output: string): LoadError {
  const lines = output.trim().split('\n').slice(-15).join('\n');
  return runFailed(
    message,
    lines === '' ? 'k6 printed nothing.' : `The last lines of k6's output:\n${lines}`,
  );
}
