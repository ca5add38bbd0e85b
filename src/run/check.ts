import { notSelected } from '../contract/cause.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import { numberOf, type KeyRole } from '../contract/exchange.ts';
import { REQUIREMENTS, type Requirement } from '../requirements/catalogue.ts';
import { RecordingError } from '../har/errors.ts';
import { openRecording, type Recording } from '../har/read-recording.ts';
import type { FailOn } from '../report/gate.ts';
import type { RequirementResult, Results } from '../report/results.ts';
import { DEFAULT_FACTS, type Facts } from '../rules/facts.ts';
import { selects } from '../ask/patterns.ts';
import type { Target } from '../target/target.ts';
import { inOrder, readingsOf, uniqueFindings } from './assemble.ts';
import { RecordedJudge, type Found } from './check-judge.ts';
import { NO_CONTROL, whyUntested, type Shown } from './check-reasons.ts';
import { readKilledBy } from './proof.ts';
import { decide, summarize } from './verdict.ts';
import { toolVersion } from './version.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

export interface CheckOptions {
  /** Files of recorded traffic. Each is taken as the work of one recorder with one clock. */
  readonly files: readonly string[];
  /** Base URL of the service; guessed from the entries by default. */
  readonly baseUrl?: string | undefined;
  /** What is known of the target: roles of keys, limits, envelope, fixtures. */
  readonly target?: Target | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly failOn: readonly FailOn[];
  readonly waivers?: readonly Waiver[];
}

/** Entries that were left out for one reason. */
export interface LeftOutGroup {
  readonly reason: string;
  readonly count: number;
  /** Position and address of the first one. */
  readonly example: string;
}

/** What became of the entries. read = judged + all left out. */
export interface Tally {
  readonly read: number;
  readonly judged: number;
  readonly leftOut: readonly LeftOutGroup[];
  readonly recordings: readonly Recording[];
}

/**
 * Judges recorded traffic with the rules of a run. Nothing is sent.
 * @throws RecordingError when a file cannot be read or holds nothing of the service
 */
export async function check(options: CheckOptions): Promise<{ results: Results; tally: Tally }> {
  const { files, target } = options;
  const recordings: Recording[] = [];
  for (const file of files) {
    recordings.push(
      await openRecording(file, {
        baseUrl: options.baseUrl,
        defaultBaseUrl: target?.baseUrl,
        keyHeader: target?.auth.header,
        keys: target?.keys,
      }),
    );
  }
  const judge = new RecordedJudge();
  const leftOut = new Map<string, { count: number; example: string }>();
  const byRole: Partial<Record<KeyRole, number>> = {};
  const keys: Partial<Record<KeyRole, string[]>> = {};
  let read = 0;
  let offset = 0;
  for (const recording of recordings) {
    const facts = recording.facts ?? factsOf(target);
    let most = 0;
    for await (const item of recording.read()) {
      read += 1;
      if (item.kind === 'skipped') {
        const known = leftOut.get(item.reason);
        const place = `entry ${item.entry} of ${recording.path}${item.what === '' ? '' : `, ${item.what}`}`;
        leftOut.set(item.reason, {
          count: (known?.count ?? 0) + 1,
          example: known?.example ?? place,
        });
        continue;
      }
      const number = numberOf(item.exchange.id);
      most = Math.max(most, number);
      const exchange =
        offset === 0 ? item.exchange : { ...item.exchange, id: `x${offset + number}` };
      const { role, key } = exchange;
      byRole[role] = (byRole[role] ?? 0) + 1;
      if (key !== null && keys[role]?.includes(key) !== true)
        keys[role] = [...(keys[role] ?? []), key];
      judge.take(exchange, facts);
    }
    judge.flush(facts);
    offset += Math.max(most, recording.entries);
  }
  const groups = [...leftOut].map(([reason, rest]) => ({ reason, ...rest }));
  const tally: Tally = {
    read,
    judged: judge.judged,
    leftOut: groups.toSorted((a, b) => b.count - a.count),
    recordings,
  };
  if (judge.judged === 0) throw nothingLeft(tally);
  const requests = { total: judge.judged, byRole, waitedMs: 0 };
  return { results: resultsOf(options, judge, tally, { requests, keys }), tally };
}

function nothingLeft({ recordings, leftOut, read }: Tally): RecordingError {
  const reasons = leftOut.slice(0, 3).map(({ reason, count }) => `${count}: ${reason}`);
  const base = [...new Set(recordings.map(({ baseUrl }) => baseUrl))].join(', ');
  return new RecordingError(
    `None of ${read} entries can be judged (${reasons.join('; ')}); base URL ${base}.`,
    'Name the base URL of the service with --base-url, and record its requests with headers and bodies; docs/recorded-traffic.md says how.',
  );
}

/** What is known of the traffic of others: nothing but what the target file says. */
function factsOf(target: Target | undefined): Facts {
  if (target === undefined) return { ...DEFAULT_FACTS, partial: true };
  const { unknownCurrencyId, malformedCurrencyId, unknownIds = {} } = target.fixtures;
  return {
    limits: target.limits,
    envelope: target.envelope,
    unknownIds: {
      ...Object.fromEntries(Object.entries(unknownIds).map(([name, id]) => [name, [id]])),
      ...(unknownCurrencyId !== undefined && { currency_id: [unknownCurrencyId] }),
    },
    malformedCurrencyIds: malformedCurrencyId === undefined ? [] : [malformedCurrencyId],
    forbidden: target.keys.restricted?.forbidden ?? [],
    partial: true,
  };
}

function resultsOf(
  options: CheckOptions,
  judge: RecordedJudge,
  tally: Tally,
  counted: { requests: Results['requests']; keys: Results['target']['keys'] },
): Results {
  const complete = tally.recordings.every(({ facts }) => facts !== null);
  const shown: Shown = { endpoints: judge.endpoints, complete };
  const exchanges = inOrder([...judge.kept.values()]);
  const outcomes = REQUIREMENTS.map((requirement) =>
    isSelected(requirement.id, options)
      ? resultOf(requirement, judge, shown)
      : blank(requirement, options),
  );
  const today = new Date().toISOString().slice(0, 10);
  const { requirements, waivers } = applyWaivers(outcomes, exchanges, options.waivers ?? [], today);
  const summary = summarize(requirements);
  const decision = decide(requirements, {
    interrupted: false,
    fatal: null,
    failOn: options.failOn,
    waivers,
  });
  const proof = readKilledBy();
  const [first] = tally.recordings;
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: toolVersion() },
    spec: { sha256: SPEC_SHA256 },
    target: {
      baseUrl: first?.baseUrl ?? '',
      envelope: options.target?.envelope ?? first?.facts?.envelope ?? null,
      keys: counted.keys,
      reference: false,
    },
    profile: 'recorded',
    seed: 0,
    startedAt: new Date(judge.first).toISOString(),
    endedAt: new Date(Math.max(judge.first, judge.last)).toISOString(),
    verdict: decision.verdict,
    sentence: decision.sentence,
    exitCode: decision.exitCode,
    failing: decision.failing,
    requests: counted.requests,
    summary,
    requirements,
    readings: readingsOf(judge.readings, false),
    notes: notesOf(options, tally, judge, complete),
    ...(complete && tally.recordings.length === 1 && first?.facts ? { facts: first.facts } : {}),
    exchanges,
    load: [],
    ...(options.waivers === undefined ? {} : { waivers }),
    ...(proof === undefined ? {} : { proof }),
  };
}

function isSelected(id: string, { only, skip }: CheckOptions): boolean {
  if (only.length > 0 && !only.some((pattern) => selects(pattern, id))) return false;
  return !skip.some((pattern) => selects(pattern, id));
}

function bare({
  id,
  level,
  basis,
  section,
  title,
}: Requirement): Omit<RequirementResult, 'outcome' | 'reason'> {
  return {
    id,
    level,
    basis,
    section,
    title,
    cause: null,
    reading: null,
    findings: [],
    checks: [],
    exchanges: [],
  };
}

function blank(requirement: Requirement, { only, skip }: CheckOptions): RequirementResult {
  const skipped = skip.some((pattern) => selects(pattern, requirement.id));
  const by = skipped || only.length === 0 ? 'skip' : 'only';
  const cause = notSelected(by);
  return { ...bare(requirement), outcome: 'untested', reason: `left out by --${by}`, cause };
}

function resultOf(requirement: Requirement, judge: RecordedJudge, shown: Shown): RequirementResult {
  const found = judge.requirements.get(requirement.id);
  if (found === undefined) {
    return { ...bare(requirement), ...notShown(whyUntested(requirement, shown)) };
  }
  const { outcome, reason, cause } = outcomeOf(requirement, found, judge, shown);
  const exchanges = [...found.exchanges]
    .filter((id) => judge.kept.has(id))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  const findings = uniqueFindings(found.findings);
  const title = `recorded traffic: ${found.count} ${found.count === 1 ? 'exchange' : 'exchanges'}`;
  return {
    ...bare(requirement),
    outcome,
    reason,
    cause,
    reading: outcome === 'observed' ? reason : null,
    findings,
    checks: [{ title, outcome, reason, exchanges, ms: 0 }],
    exchanges,
  };
}

type Ended = Pick<RequirementResult, 'outcome' | 'reason' | 'cause'>;

const notShown = (reason: string): Ended => ({
  outcome: 'untested',
  reason,
  cause: notSelected('recording'),
});

function outcomeOf(
  requirement: Requirement,
  found: Found,
  judge: RecordedJudge,
  shown: Shown,
): Ended {
  const { level } = requirement;
  const [finding] = found.findings;
  if (level === 'observe') {
    const seen = new Set(found.readings.map(({ question, answer }) => `${question}: ${answer}`));
    return seen.size === 0
      ? notShown(whyUntested(requirement, shown))
      : { outcome: 'observed', reason: [...seen].join('; '), cause: null };
  }
  if (finding !== undefined) {
    return {
      outcome: level === 'must' ? 'failed' : 'warned',
      reason: finding.message,
      cause: null,
    };
  }
  if (!judge.alive) {
    return {
      outcome: 'inconclusive',
      reason:
        'no recorded answer is one that the service would give, so nothing can be said to hold',
      cause: null,
    };
  }
  if (!found.controlled) return notShown(NO_CONTROL);
  return { outcome: 'passed', reason: null, cause: null };
}

function notesOf(
  options: CheckOptions,
  tally: Tally,
  judge: RecordedJudge,
  complete: boolean,
): string[] {
  const { only, skip } = options;
  const notes = [
    `Recorded traffic was judged: ${tally.judged} of ${tally.read} entries. Nothing was sent. Verified means that every recorded answer keeps the requirement.`,
  ];
  for (const { path, creator, baseUrl, guessed, entries } of tally.recordings) {
    const by = creator === null ? '' : `, written by ${creator}`;
    const how = guessed === null ? '' : ', a guess from the entries';
    const others =
      guessed === null || guessed.others.length === 0
        ? ''
        : `; ${guessed.others.join(', ')} would fit as well`;
    notes.push(`${path}: ${entries} entries${by}; base URL ${baseUrl}${how}${others}.`);
  }
  for (const { reason, count, example } of tally.leftOut) {
    notes.push(`Left out, ${count}: ${reason} (first: ${example}).`);
  }
  if (!complete) {
    notes.push(
      'Others may have used the keys at the same time, and a key may have been withdrawn: refusals of keys, early refusals of the limiter and what needs every request of a key were not judged.',
    );
  }
  if (judge.trimmed)
    notes.push(
      'Exchanges that show nothing more were left out of the reports to bound their size.',
    );
  if (only.length > 0) notes.push(`Only ${only.join(', ')} was judged; the rest is untested.`);
  if (skip.length > 0) notes.push(`${skip.join(', ')} was left out.`);
  return notes;
}
