import { fork } from 'node:child_process';
import type { ReferenceOptions } from '../reference/reference.ts';
import { resolveTarget } from '../target/file/resolve-target.ts';
import type { TargetFile } from '../target/target.ts';
import { usage } from './errors.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import { packageFile } from './package-root.ts';
import { SCENARIOS, type LoadSettings } from './scenarios.ts';

/** Options of the reference server that can be sent to another process. */
export type EmbeddedOptions = Omit<ReferenceOptions, 'clock' | 'world'>;

/**
 * Starts the reference server in another process, on a free loopback port.
 * @throws LoadError with its message if it does not start
 */
export async function startReferenceProcess(options: EmbeddedOptions) {
  const child = fork(packageFile('dist', 'src', 'load', 'reference-process.js'), [], {
    execArgv: [],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  type Message = { readonly target?: TargetFile; readonly error?: string };
  const message = await new Promise<Message>((resolve, reject) => {
    child.once('message', (value) => resolve(value as Message));
    child.once('error', reject);
    child.once('exit', (code) => resolve({ error: `it exited with ${String(code)}` }));
    child.send(options);
  });
  if (message.target === undefined) {
    throw usage(
      `The reference server did not start: ${message.error ?? 'no target'}`,
      '`assay serve --list` lists faults and variants.',
    );
  }
  return {
    target: resolveTarget({ env: {}, file: message.target }),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Window of the embedded server, ms. Short, so that a scenario takes seconds. */
const WINDOW_MS = 4000;
/** Remaining requests of its near-quota key: three and a half windows. */
const QUOTA_LEFT = 70;
/** Minimum number of keys. */
const KEYS = 12;
const LIMIT = 20;
/** Limit for `capacity`, never reached. */
const NO_LIMIT = 1_000_000;

/**
 * Options of the embedded server for a scenario: number of keys, length of the window.
 * @param wishes window in ms, and remaining requests of the near-quota key, each with a default
 */
export function embeddedOptions(
  scenario: ScenarioName,
  settings: LoadSettings,
  wishes: {
    readonly [Name in 'windowMs' | 'quotaLeft']?: number | undefined;
  } & { readonly [Name in 'faults' | 'variants']?: readonly string[] | undefined },
): EmbeddedOptions {
  const windowMs = Math.round(wishes.windowMs ?? WINDOW_MS);
  const limit = scenario === 'capacity' ? NO_LIMIT : LIMIT;
  const { shape, keys } = SCENARIOS[scenario];
  const offer = { limit, windowMs, keys: Number.POSITIVE_INFINITY, quotaLeft: null };
  return {
    limit,
    windowMs,
    faults: wishes.faults ?? [],
    variants: wishes.variants ?? [],
    keys: {
      valid: Math.max(KEYS, keys(shape(settings, offer), offer)),
      nearQuota: {
        key: 'reference-key-near-quota-71f2',
        remaining: Math.round(wishes.quotaLeft ?? QUOTA_LEFT),
      },
    },
  };
}
