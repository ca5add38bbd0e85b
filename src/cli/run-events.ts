import { closeSync, openSync, writeSync } from 'node:fs';
import type { Exchange } from '../contract/exchange.ts';
import type { Finding } from '../contract/finding.ts';
import type { Level } from '../contract/levels.ts';
import type { Results } from '../report/results.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { reasonOf } from '../http/journal-writer.ts';
import { isLeftOut } from '../run/assemble.ts';
import type { Cost } from '../run/cost.ts';
import type { RunListener, RunOptions } from '../run/run.ts';
import { toolVersion } from '../run/version.ts';
import { UsageError } from './errors.ts';
import { guardedText } from './guarded-console.ts';

/** Stands for standard output, as in other tools. */
export const STDOUT = '-';

/** Version of `schemas/events.json`; it rises when a member changes its meaning. */
const VERSION = 1;

type Found = Pick<Finding, 'message' | 'expected' | 'actual' | 'pointer'> & {
  readonly exchange: string | null;
};

/** What a finding is about. */
interface About {
  readonly requirement: string;
  readonly level: Level;
  /** Null when no check of the requirement found it. */
  readonly check: string | null;
}

/** Writes what happens in a run, one JSON object a line (`schemas/events.json`). */
export interface RunEvents {
  /** @param cost what the plan of the run says; null when nobody counted */
  listener(run: RunOptions, cost: Cost | null): RunListener;
  /** What became of every requirement, and the verdict. */
  end(results: Results, output: string, files: readonly string[]): void;
  close(): void;
}

/**
 * Opens what events are written to; null when nobody asked for them.
 * @throws UsageError when the file cannot be written
 */
export function openEvents(file: string | undefined): RunEvents | null {
  return file === undefined ? null : new EventLines(file);
}

class EventLines implements RunEvents {
  readonly #file: string;
  #descriptor: number | null = null;
  #selected: ReadonlySet<string> = new Set();
  readonly #found = new Set<string>();

  constructor(file: string) {
    this.#file = file;
    if (file === STDOUT) return;
    try {
      this.#descriptor = openSync(file, 'w');
    } catch (error) {
      throw new UsageError(
        `--events ${file}: the file cannot be written: ${reasonOf(error)}. Nothing was sent.`,
        'Name a file that can be written, or - for standard output.',
      );
    }
  }

  listener(run: RunOptions, cost: Cost | null): RunListener {
    const selected = new Set<string>();
    this.#selected = selected;
    return {
      onStart: ({ requirements }) => {
        this.#write('plan', planOf(run, cost, requirements));
      },
      onEvent: (event) => {
        if (event.type === 'sent') {
          this.#write('request', requestOf(event.exchange));
          return;
        }
        const { role, untilMs, ms } = event;
        const passed = run.target.clock !== undefined;
        const until = new Date(untilMs).toISOString();
        this.#write('wait', { role, ms: Math.round(ms), until, passed });
      },
      onCheck: ({ meta, outcome }) => {
        const { requirement, check, findings = [] } = meta;
        if (isLeftOut(outcome)) return;
        selected.add(requirement);
        const { level } = requirementOf(requirement);
        for (const finding of findings) this.#finding({ requirement, level, check }, finding);
        const { kind, reason } = outcome;
        this.#write('outcome', { requirement, check, outcome: kind, reason });
      },
    };
  }

  end(results: Results, output: string, files: readonly string[]): void {
    for (const { id, level, outcome, reason, findings } of results.requirements) {
      // What is found in answers that other checks asked for is known at the end only.
      for (const finding of findings) {
        this.#finding({ requirement: id, level, check: null }, finding);
      }
      if (this.#selected.has(id) || findings.length > 0) {
        this.#write('outcome', { requirement: id, check: null, outcome, reason });
      }
    }
    const { verdict, exitCode, sentence, summary, requests } = results;
    this.#write('verdict', { verdict, exitCode, sentence, summary, requests, output, files });
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #finding({ requirement, ...about }: About, finding: Found): void {
    const { message, expected, actual, pointer, exchange } = finding;
    const known = JSON.stringify([requirement, message, pointer, exchange]);
    if (this.#found.has(known)) return;
    this.#found.add(known);
    this.#write('finding', {
      requirement,
      ...about,
      message,
      expected,
      actual,
      pointer,
      exchange,
    });
  }

  #write(type: string, content: Readonly<Record<string, unknown>>): void {
    const line = `${guardedText(JSON.stringify({ type, at: new Date().toISOString(), [type]: content }))}\n`;
    if (this.#file === STDOUT) {
      process.stdout.write(line);
      return;
    }
    if (this.#descriptor === null) return;
    try {
      writeSync(this.#descriptor, line);
    } catch (error) {
      // The run is worth more than the account of it: its results say everything once more.
      this.close();
      process.stderr.write(
        `assay: warning: ${this.#file} cannot be written any more: ${reasonOf(error)}. The run goes on without it.\n`,
      );
    }
  }
}

function planOf(
  { target, reference, profile, seed, only, skip, known, recording }: RunOptions,
  cost: Cost | null,
  requirements: number,
): Readonly<Record<string, unknown>> {
  return {
    version: VERSION,
    tool: { name: 'assay', version: toolVersion() },
    target: { baseUrl: target.baseUrl, reference },
    profile,
    seed,
    only,
    skip,
    requirements,
    requests: cost?.requests ?? null,
    windows: cost?.windows ?? null,
    waitMs: cost === null ? null : target.clock === undefined ? cost.waitMs : 0,
    validKeys: target.keys.valid.length,
    resumed: known?.mode === 'resume',
    recording: recording ?? null,
  };
}

/** A request and its answer, without the texts: those are in results.json, under the same id. */
function requestOf(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { id, endpoint, role, key, request, response, error, attempt, sentAt, receivedAt } =
    exchange;
  return {
    id,
    method: request.method,
    url: request.url,
    endpoint,
    role,
    key,
    status: response?.status ?? null,
    error: error?.kind ?? null,
    ms: receivedAt - sentAt,
    attempt,
  };
}

/** A listener that tells several, in their order. */
export function tellAll(listeners: readonly RunListener[]): RunListener {
  return {
    onStart: (run) => listeners.forEach((one) => one.onStart?.(run)),
    onCheck: (record, done) => listeners.forEach((one) => one.onCheck?.(record, done)),
    onEvent: (event) => listeners.forEach((one) => one.onEvent?.(event)),
    onEnd: (end) => listeners.forEach((one) => one.onEnd?.(end)),
  };
}
