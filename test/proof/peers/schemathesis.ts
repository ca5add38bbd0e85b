import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram } from './process.ts';
import { distinct } from './tool.ts';
import type { Raised, Tool, Verdict } from './tool.ts';

/** The version that the comparison is made with. */
export const SCHEMATHESIS_VERSION = '4.32.5';

const INSTALL_MINUTES = 5;

/**
 * The program `st`, from a virtual environment in the user's cache folder, made on first use.
 * @throws Error with the way out when Python or the package cannot be had
 */
export async function findSchemathesis(
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const folder = path.join(cacheFolder(process.env), `schemathesis-${SCHEMATHESIS_VERSION}`);
  const inside = process.platform === 'win32' ? ['Scripts', 'st.exe'] : ['bin', 'st'];
  const program = path.join(folder, ...inside);
  if (await exists(program)) return program;
  say(
    `Installing Schemathesis ${SCHEMATHESIS_VERSION} from PyPI into ${folder}; this happens once.`,
  );
  const options = { cwd: homedir(), timeoutMs: INSTALL_MINUTES * 60_000, signal };
  const marker = path.join(folder, 'complete');
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.dirname(folder), { recursive: true });
  const python = process.env['PYTHON'] ?? 'python3';
  for (const [command, args] of [
    [python, ['-m', 'venv', folder]],
    [
      path.join(folder, inside[0] ?? 'bin', 'python'),
      ['-m', 'pip', 'install', '--quiet', `schemathesis==${SCHEMATHESIS_VERSION}`],
    ],
  ] as const) {
    const { code, text } = await runProgram(command, args, options);
    if (code !== 0) {
      await rm(folder, { recursive: true, force: true });
      throw new Error(
        `Schemathesis cannot be installed: ${text.trim().split('\n').at(-1) ?? ''}\nIt needs Python 3.10 or newer (name one in PYTHON) and a way to PyPI.`,
      );
    }
  }
  await writeFile(`${marker}.new`, '');
  await rename(`${marker}.new`, marker);
  return program;

  async function exists(file: string): Promise<boolean> {
    const found = await Promise.all(
      [file, path.join(folder, 'complete')].map((one) =>
        stat(one).then(
          () => true,
          () => false,
        ),
      ),
    );
    return found.every(Boolean);
  }
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  const xdg = env['XDG_CACHE_HOME'];
  const base = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(homedir(), '.cache');
  return path.join(base, 'assay');
}

export interface SchemathesisOptions {
  readonly id: string;
  readonly title: string;
  readonly program: string;
  /** Path of the OpenAPI document. */
  readonly document: string;
  readonly documentTitle: string;
  /** Path of its settings; undefined for its defaults. */
  readonly config?: string;
  /** What limits its requests; nothing for its defaults. */
  readonly budget: readonly string[];
  /** Whether it records its events, so that the verdict says when failures were raised. */
  readonly recorded?: boolean;
}

const FIXED_OPTIONS =
  '--mode all --workers 1 --continue-on-failure --no-shrink --suppress-health-check all --generation-database none --no-color';

/** `st run` as its authors advise for comparisons: nothing ends at the first failure, nothing is spent on shrinking. */
export function schemathesisTool(options: SchemathesisOptions): Tool {
  const { program, document, config, budget, recorded = false } = options;
  const fixed = FIXED_OPTIONS.split(' ');
  const settings = config === undefined ? '' : '--config-file schemathesis.toml ';
  return {
    id: options.id,
    title: options.title,
    version: SCHEMATHESIS_VERSION,
    command: `st ${settings}run ${options.documentTitle} --url URL -H "X-API-KEY: KEY" --seed SEED ${[...budget, FIXED_OPTIONS].join(' ')} --baseline FAILURES.json --baseline-update`,
    open: true,
    random: true,
    async run(server, { seed, folder, signal, timeoutMs }) {
      const failures = path.join(folder, 'failures.json');
      const events = path.join(folder, 'events.ndjson');
      // Its own way of telling failures apart, and the only file that names them stably between runs.
      const ended = await runProgram(
        program,
        [
          ...(config === undefined ? [] : ['--config-file', config]),
          'run',
          document,
          '--url',
          server.baseUrl,
          '-H',
          `X-API-KEY: ${server.key}`,
          '--seed',
          String(seed),
          ...budget,
          ...fixed,
          '--baseline',
          failures,
          '--baseline-update',
          ...(recorded ? ['--report', 'ndjson', '--report-ndjson-path', events] : []),
        ],
        { cwd: folder, timeoutMs, signal },
      );
      if (ended.late) return { failures: [], trouble: `took more than ${timeoutMs / 1000} s` };
      const text = await readFile(failures, 'utf8').catch(() => undefined);
      if (ended.code === 0 && text === undefined) return { failures: [] };
      if (text === undefined || (ended.code !== 0 && ended.code !== 1)) {
        const last = ended.text.trim().split('\n').at(-1) ?? '';
        return { failures: [], trouble: `exit code ${String(ended.code)}: ${last}` };
      }
      const verdict = schemathesisVerdict(JSON.parse(text));
      if (!recorded) return verdict;
      return { ...verdict, raised: await raisedIn(linesOf(events), server.meteredUpTo) };
    },
  };
}

/** Failures as Schemathesis tells them apart: operation, check, kind of failure and its signature (often a status). */
export function schemathesisVerdict(baseline: unknown): Verdict {
  const entries =
    typeof baseline === 'object' && baseline !== null && 'entries' in baseline
      ? baseline.entries
      : undefined;
  if (!Array.isArray(entries))
    return { failures: [], trouble: 'its list of failures has no entries' };
  return {
    failures: distinct(
      entries.map((entry: Readonly<Record<string, unknown>>) =>
        ['operation', 'failure', 'signature']
          .map((name) => entry[name])
          .filter((part) => typeof part === 'string' && part !== '')
          .join(' '),
      ),
    ),
  };
}

const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });

interface ScenarioFinished {
  readonly recorder: {
    /** By test case; none where a scenario sent nothing. */
    readonly checks?: Readonly<
      Record<
        string,
        readonly {
          readonly failure_info?: {
            readonly failure: { readonly operation: string; readonly type: string };
          } | null;
        }[]
      >
    >;
  };
}

/**
 * When failures were raised, from the events that Schemathesis records (NDJSON, one a line). An event names the test
 * case of a failure, its request bears the same name, and so the server knows its place among all requests.
 */
export async function raisedIn(
  lines: AsyncIterable<string> | Iterable<string>,
  meteredUpTo: (testCase: string) => number | undefined,
): Promise<readonly Raised[]> {
  const raised: Raised[] = [];
  for await (const line of lines) {
    if (!line.startsWith('{"ScenarioFinished"')) continue;
    const { ScenarioFinished: event } = JSON.parse(line) as { ScenarioFinished: ScenarioFinished };
    for (const [testCase, checks] of Object.entries(event.recorder.checks ?? {})) {
      for (const { failure_info: info } of checks) {
        const after = meteredUpTo(testCase);
        // What cannot be placed is left out here; it stays among the failures of the verdict.
        if (info == null || after === undefined) continue;
        raised.push({ failure: `${info.failure.operation} ${info.failure.type}`, after });
      }
    }
  }
  return raised.toSorted((a, b) => a.after - b.after);
}
