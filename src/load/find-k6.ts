import { execFile } from 'node:child_process';
import { access, constants, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../fs/make-folder.ts';
import { LoadError } from './errors.ts';

const run = promisify(execFile);

/** The version that the scripts are tested with, and that is built if none is found. */
export const K6_VERSION = 'v2.2.0';
const K6_MODULE = 'go.k6.io/k6/v2';
/** Oldest Go version that builds it. */
const GO_VERSION = '1.25.0';
const BUILD_MINUTES = 15;

export interface K6 {
  readonly path: string;
  /** Such as `v2.2.0`. */
  readonly version: string;
  /** Where it was found. */
  readonly source: '--k6' | 'ASSAY_K6' | 'PATH' | 'cache' | 'built';
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface FindOptions {
  /** `--k6 PATH` */
  readonly k6?: string | undefined;
  /** False forbids building (`--no-install`). */
  readonly install: boolean;
  readonly env?: Environment;
  /** Called when a k6 is skipped, and before and after a build. */
  readonly say?: (line: string) => void;
}

const WAYS = [
  'set --k6 PATH or ASSAY_K6=PATH to k6 version 2',
  'put k6 version 2 on the PATH',
  `install Go ${GO_VERSION} or newer: Assay then builds ${K6_VERSION} once (unless --no-install is set)`,
];
const MISSING_HINT = `To get it, either:\n${WAYS.map((way) => `  - ${way}`).join('\n')}`;
const NOT_FOUND = 'k6 version 2 was not found';

const missing = (message: string, cause?: unknown): LoadError =>
  new LoadError('ASSAY_K6_MISSING', message, MISSING_HINT, { cause });

/**
 * Finds k6: from the flag, the environment, the PATH or the cache; otherwise builds it with Go.
 * @throws LoadError `ASSAY_K6_MISSING` or `ASSAY_K6_VERSION`
 */
export async function findK6(options: FindOptions): Promise<K6> {
  const env = options.env ?? process.env;
  return (await installedK6(options)) ?? build(cachePath(env), options, env);
}

/**
 * Finds k6 like {@link findK6}, without building it. Another version is an error if it was named, and is skipped on the
 * PATH, where it may serve another purpose.
 * @returns null if there is none
 * @throws LoadError `ASSAY_K6_MISSING` or `ASSAY_K6_VERSION`
 */
export async function installedK6(options: Omit<FindOptions, 'install'>): Promise<K6 | null> {
  const env = options.env ?? process.env;
  const named = options.k6 ?? env['ASSAY_K6'];
  if (named !== undefined) {
    const source = options.k6 === undefined ? 'ASSAY_K6' : '--k6';
    if (await isExecutable(named)) return checked(named, source);
    const why =
      named.trim() === '' ? 'is empty' : `names ${named}, which is not an executable program`;
    throw missing(`${source} ${why}.`);
  }
  for (const file of await programsOnPath('k6', env)) {
    try {
      return await checked(file, 'PATH');
    } catch (error) {
      if (!(error instanceof LoadError)) throw error;
      options.say?.(`Skipped: ${error.message}`);
    }
  }
  const cached = cachePath(env);
  return (await isExecutable(cached)) ? checked(cached, 'cache') : null;
}

/** Path of a k6 built by Assay. */
export function cachePath(env: Environment): string {
  const xdg = env['XDG_CACHE_HOME'];
  const base =
    xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(env['HOME'] ?? homedir(), '.cache');
  return path.join(base, 'assay', 'k6', K6_VERSION, process.platform === 'win32' ? 'k6.exe' : 'k6');
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

async function programsOnPath(name: string, env: Environment): Promise<readonly string[]> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const files = (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name + suffix));
  const found = await Promise.all(files.map(isExecutable));
  return files.filter((_, index) => found[index]);
}

/** The scripts depend on the major version only. */
async function checked(file: string, source: K6['source']): Promise<K6> {
  let version = 'of unknown version';
  try {
    const { stdout } = await run(file, ['version', '--json'], { timeout: 30_000, env: quietEnv() });
    const told = JSON.parse(stdout) as { version?: unknown } | null;
    if (typeof told?.version === 'string') version = told.version;
  } catch (cause) {
    const message = `${file} does not support \`version --json\`, so it is not k6 version 2.`;
    throw new LoadError('ASSAY_K6_VERSION', message, MISSING_HINT, { cause });
  }
  if (version.startsWith('v2.')) return { path: file, version, source };
  throw new LoadError(
    'ASSAY_K6_VERSION',
    `${file} (from ${source}) is k6 ${version}; the scenarios need version 2.`,
    MISSING_HINT,
  );
}

/**
 * The environment of every k6, without the caller's settings: a `K6_VUS` of another project would replace the scenarios
 * with only a warning.
 */
export function quietEnv(): Record<string, string> {
  const env: Record<string, string> = {
    // Collects garbage half as often: users are small, and requests create a lot of it.
    GOGC: '200',
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
  };
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'SYSTEMROOT', 'TEMP']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

async function build(goal: string, options: FindOptions, env: Environment): Promise<K6> {
  const [go] = await programsOnPath('go', env);
  if (go === undefined)
    throw missing(`${NOT_FOUND}, and Go, which could build it, is not installed.`);
  if (!options.install) throw missing(`${NOT_FOUND}, and --no-install prevents building it.`);
  options.say?.(
    `${NOT_FOUND}: building ${K6_VERSION} with Go in ${path.dirname(goal)}. This happens once and takes 2 to 5 minutes.`,
  );
  const began = Date.now();
  // Next to the goal, so that a rename suffices and no incomplete program is ever run.
  const folder = `${goal}.${process.pid}`;
  try {
    makeFolder(folder);
    // A module that requires the pinned version: `go install module@version` would resolve other versions too.
    await writeFile(
      path.join(folder, 'go.mod'),
      `module assay.invalid/k6\n\ngo ${GO_VERSION}\n\nrequire ${K6_MODULE} ${K6_VERSION}\n`,
    );
    const made = path.join(folder, path.basename(goal));
    await run(go, ['build', '-trimpath', '-o', made, K6_MODULE], {
      cwd: folder,
      timeout: BUILD_MINUTES * 60_000,
      maxBuffer: 16 * 1024 * 1024,
      env: {
        ...process.env,
        CGO_ENABLED: '0',
        GOTOOLCHAIN: 'local',
        GOFLAGS: '-mod=mod',
        GOWORK: 'off',
      },
    });
    await rename(made, goal);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const last = text.trim().split('\n').at(-1) ?? text;
    throw missing(`${NOT_FOUND}, and building it with ${go} failed: ${last}`, cause);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  options.say?.(`Built k6 ${K6_VERSION} (${Math.round((Date.now() - began) / 1000)} s).`);
  return checked(goal, 'built');
}
