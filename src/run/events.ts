import type { Exchange } from '../spec/exchange.ts';
import type { ResultFinding, Results } from '../report/model/results.ts';
import type { Finding } from '../spec/finding.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { isLeftOut } from '../spec/cause.ts';
import type { Cost } from './cost.ts';
import type { RunListener, RunOptions } from './run.ts';
import { toolVersion } from './version.ts';

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

/**
 * Turns listener calls of a run into events. Each finding is reported once.
 * @param tell called with each event; an exception stops the run
 */
export function eventTeller(tell: (event: RunEvent) => void) {
  const selected = new Set<string>();
  const told = new Set<string>();
  const say = (...event: Parameters<typeof eventOf>): void => tell(eventOf(...event));
  /** @param check null when it was found in exchanges of other checks */
  const find = (requirement: string, check: string | null, finding: Finding | ResultFinding) => {
    const { kind, message, expected, actual, pointer, exchange } = finding;
    const known = JSON.stringify([requirement, kind, pointer, exchange]);
    if (told.has(known)) return;
    told.add(known);
    const { level } = requirementOf(requirement as RequirementId);
    say('finding', { requirement, level, check, message, expected, actual, pointer, exchange });
  };
  return {
    /** @param cost planned cost; null when it was not counted */
    listener: (run: RunOptions, cost: Cost | null): RunListener => ({
      onStart: ({ requirements }) => say('plan', planOf(run, cost, requirements)),
      onEvent: (event) => {
        if (event.type === 'sent') {
          say('request', requestOf(event.exchange));
          return;
        }
        const { role, untilMs, ms } = event;
        const passed = run.target.clock !== undefined;
        say('wait', { role, ms: Math.round(ms), until: new Date(untilMs).toISOString(), passed });
      },
      onCheck: ({ meta, outcome }) => {
        const { requirement, check, findings = [] } = meta;
        if (isLeftOut(outcome)) return;
        selected.add(requirement);
        for (const finding of findings)
          if (finding.requirement === requirement) find(requirement, check, finding);
        const { kind, reason } = outcome;
        say('outcome', { requirement, check, outcome: kind, reason });
      },
    }),
    /**
     * Reports the outcome of every requirement, and the verdict.
     * @param output report folder; null without reports
     */
    end(results: Results, output: string | null, files: readonly string[]): void {
      for (const { id: requirement, outcome, reason, findings } of results.requirements) {
        // Findings of other checks, and in their exchanges, are known only at the end.
        for (const finding of findings) find(requirement, null, finding);
        if (selected.has(requirement) || findings.length > 0) {
          say('outcome', { requirement, check: null, outcome, reason });
        }
      }
      const { verdict, exitCode, sentence, summary, requests } = results;
      say('verdict', { verdict, exitCode, sentence, summary, requests, output, files });
    },
    /** Reports a finding in recorded traffic. */
    found: (finding: Finding): void => find(finding.requirement, null, finding),
  };
}

function planOf(
  { target, reference, profile, seed, only, skip, known, recording }: RunOptions,
  cost: Cost | null,
  requirements: number,
): Readonly<Record<string, unknown>> {
  return {
    // Of `schemas/tool/events.json`; incremented when the meaning of a member changes.
    version: 1,
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
