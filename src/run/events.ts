import type { Exchange } from '../spec/exchange.ts';
import type { ResultFinding, Results } from '../report/model/results.ts';
import type { Finding } from '../spec/finding.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { isLeftOut } from '../spec/cause.ts';
import type { Cost } from './cost.ts';
import type { RunListener, RunOptions } from './run.ts';
import { toolVersion } from './version.ts';

/** Version of `schemas/tool/events.json`; incremented when the meaning of a member changes. */
const VERSION = 1;

export type RunEventType =
  | 'plan'
  | 'request'
  | 'wait'
  | 'finding'
  | 'outcome'
  | 'verdict'
  | 'watch'
  | 'sampling'
  | 'report';

/** An event of a run. Its content is in the member named like its `type`; see `schemas/tool/events.json`. */
export type RunEvent = {
  readonly [Type in RunEventType]: { readonly type: Type; readonly at: string } & {
    readonly [Name in Type]: Readonly<Record<string, unknown>>;
  };
}[RunEventType];

/** An event with its content. */
export const eventOf = (type: RunEventType, content: Readonly<Record<string, unknown>>): RunEvent =>
  ({ type, at: new Date().toISOString(), [type]: content }) as unknown as RunEvent;

/** Turns listener calls of a run into events. Each finding is reported once. */
export class EventTeller {
  readonly #tell: (event: RunEvent) => void;
  readonly #selected = new Set<string>();
  readonly #found = new Set<string>();

  /** @param tell called with each event; an exception stops the run */
  constructor(tell: (event: RunEvent) => void) {
    this.#tell = tell;
  }

  /** @param cost planned cost; null when it was not counted */
  listener(run: RunOptions, cost: Cost | null): RunListener {
    return {
      onStart: ({ requirements }) => this.#say('plan', planOf(run, cost, requirements)),
      onEvent: (event) => {
        if (event.type === 'sent') {
          this.#say('request', requestOf(event.exchange));
          return;
        }
        const { role, untilMs, ms } = event;
        const passed = run.target.clock !== undefined;
        const until = new Date(untilMs).toISOString();
        this.#say('wait', { role, ms: Math.round(ms), until, passed });
      },
      onCheck: ({ meta, outcome }) => {
        const { requirement, check, findings = [] } = meta;
        if (isLeftOut(outcome)) return;
        this.#selected.add(requirement);
        for (const finding of findings) this.#finding(requirement, check, finding);
        const { kind, reason } = outcome;
        this.#say('outcome', { requirement, check, outcome: kind, reason });
      },
    };
  }

  /**
   * Reports the outcome of every requirement, and the verdict.
   * @param output report folder; null without reports
   */
  end(results: Results, output: string | null, files: readonly string[]): void {
    for (const { id: requirement, outcome, reason, findings } of results.requirements) {
      // Findings in exchanges of other checks are known only at the end.
      for (const finding of findings) this.#finding(requirement, null, finding);
      if (this.#selected.has(requirement) || findings.length > 0) {
        this.#say('outcome', { requirement, check: null, outcome, reason });
      }
    }
    const { verdict, exitCode, sentence, summary, requests } = results;
    this.#say('verdict', { verdict, exitCode, sentence, summary, requests, output, files });
  }

  /** Reports a finding in recorded traffic. */
  found(finding: Finding): void {
    this.#finding(finding.requirement, null, finding);
  }

  /** @param check null when it was found in exchanges of other checks */
  #finding(requirement: string, check: string | null, finding: Finding | ResultFinding): void {
    const { kind, message, expected, actual, pointer, exchange } = finding;
    const known = JSON.stringify([requirement, kind, pointer, exchange]);
    if (this.#found.has(known)) return;
    this.#found.add(known);
    const { level } = requirementOf(requirement as RequirementId);
    const found = { message, expected, actual, pointer, exchange };
    this.#say('finding', { requirement, level, check, ...found });
  }

  #say(type: RunEventType, content: Readonly<Record<string, unknown>>): void {
    this.#tell(eventOf(type, content));
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

/** A request and its response without bodies, which are in results.json under the same id. */
function requestOf(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { id, endpoint, role, key, attempt } = exchange;
  const { request, response, error, sentAt, receivedAt } = exchange;
  const { method, url } = request;
  const status = response?.status ?? null;
  const ms = Math.round(receivedAt - sentAt);
  return { id, method, url, endpoint, role, key, status, error: error?.kind ?? null, ms, attempt };
}
