import { envelopeNote } from '../spec/envelope.ts';
import { randomUUID } from 'node:crypto';
import { isRequirementId, REQUIREMENTS } from '../requirements/catalogue.ts';
import { isLeftOut, missingSetting } from '../spec/cause.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { FailOn } from '../report/model/gate.ts';
import { checksOf, isJudged } from '../report/model/status.ts';
import { coverageOf } from '../report/analysis/variety.ts';
import type { NamedFile, RequirementResult, Results, RunContext } from '../report/model/results.ts';
import type { Facts } from '../judge/facts.ts';
import { oddities } from '../judge/origin/oddities.ts';
import { forgetViews } from '../judge/view.ts';
import type { LiveEvent, SuiteInput } from '../ask/input.ts';
import { leftOutBy } from '../ask/patterns.ts';
import { plural, some } from '../text/text.ts';
import { ringOf } from '../http/record/recorded-key-ring.ts';
import { networkNotes } from '../target/proxy.ts';
import { variablesByPrint } from '../target/key-variables.ts';
import { assemble, inOrder, type Evidence } from './assemble.ts';
import { Collector, type CheckRecord } from './collect.ts';
import { decide, summarize } from './verdict.ts';
import { withTrueReasons } from './not-shown.ts';
import { readKilledBy, resultsHead } from './version.ts';
import { selectionNotes, settingsOf } from './settings.ts';
import { applyWaivers, type Waiver } from './waivers.ts';
import { runSuites } from './vitest-runner.ts';
import type { CheckMeta } from '../suite/outcome.ts';
import { countKnown } from './journal/resume.ts';

export interface RunOptions extends Omit<SuiteInput, 'runId' | 'tell' | 'path'> {
  /** Case of a property to repeat; default: all cases. */
  readonly path?: string | null;
  /** True when `target` is the embedded reference server. */
  readonly reference: boolean;
  /** How Assay was invoked if not as `assay`, for commands that repeat the run. */
  readonly command?: string | undefined;
  /** The target file from the command line, for commands that repeat the run. */
  readonly named?: NamedFile;
  /** Failures of an earlier run that this run repeats; if they cannot be judged, they are inconclusive. */
  readonly wrong?: readonly string[];
  /** Of these, those that only requests with the near-quota key showed. */
  readonly spared?: readonly string[];
  readonly startedAt?: Date;
  /** How often the run was resumed. */
  readonly resumed?: number;
  /** Name of the replayed recording. */
  readonly recording?: string;
  /** Facts about the target at the end of the recorded run. */
  readonly recordedFacts?: Facts;
  readonly context?: RunContext | undefined;
  readonly failOn: readonly FailOn[];
  readonly waivers?: readonly Waiver[] | undefined;
  readonly signal?: AbortSignal;
  readonly listener?: RunListener;
  /** Searches for the right base URL when no answer comes from the service. */
  readonly locate?: (signal?: AbortSignal) => Promise<Located>;
  readonly runner?: typeof runSuites;
}

/** Receives the progress of a run. */
export interface RunListener {
  /** The run begins, with the number of requirements. */
  readonly onStart?: (run: { readonly requirements: number }) => void;
  /** A check has finished. `requirements` counts those with at least one result. */
  readonly onCheck?: (record: CheckRecord, done: { requirements: number }) => void;
  readonly onEvent?: (event: LiveEvent) => void;
  /** The run is over. `resumable`: it was stopped by something temporary. */
  readonly onEnd?: (end: { readonly resumable: boolean }) => void;
}

/** What a search for the service found, null for nothing, and what it sent. */
interface Located {
  readonly url: string | null;
  readonly sent: Readonly<Record<'valid' | 'none', number>>;
}

/** Temporary errors, after which a run can be resumed. */
const PASSING: ReadonlySet<string> = new Set([
  'ASSAY_TARGET_UNREACHABLE',
  'ASSAY_TARGET_THROTTLED',
  'ASSAY_TARGET_UNAVAILABLE',
  'ASSAY_TARGET_HANGS',
  'ASSAY_JOURNAL',
  'ASSAY_NO_TOKEN',
]);

/**
 * Runs the suites against a target and judges all exchanges.
 * @throws SuiteFailure for a bug in Assay
 */
export async function run(options: RunOptions): Promise<Results> {
  const { listener, signal, path = null } = options;
  const startedAt = options.startedAt ?? new Date();
  const selected = REQUIREMENTS.filter(({ id }) => leftOutBy(id, options) === undefined).length;
  const seen = new Set<string>();
  const collector = new Collector((record) => {
    const { requirement } = record.meta;
    if (leftOutBy(requirement, options) === undefined) seen.add(requirement);
    listener?.onCheck?.(record, { requirements: seen.size });
  });
  const input: SuiteInput = {
    ...options,
    runId: randomUUID(),
    path,
    tell: listener?.onEvent ?? null,
  };
  listener?.onStart?.({ requirements: selected });
  const suites = options.runner ?? runSuites;
  const end = await suites({ input, listener: collector, signal });
  const interrupted = end === 'interrupted';
  // After Ctrl-C, checks are missing on purpose.
  if (!interrupted) collector.assertComplete();
  const fatal = collector.session?.fatal?.code ?? '';
  listener?.onEnd?.({ resumable: interrupted || PASSING.has(fatal) });
  const isLost = LOST.has(fatal) && !interrupted && options.known?.mode !== 'replay';
  // A failed search does not change the verdict.
  const located = isLost ? await options.locate?.(signal).catch(() => null) : null;
  return resultsOf(options, collector, startedAt, interrupted, located ?? null);
}

/** Errors that a wrong base URL can cause. */
const LOST: ReadonlySet<string> = new Set(['ASSAY_NOT_THIS_SERVICE', 'ASSAY_TARGET_REFUSES']);

/**
 * Builds the results.
 * @throws Error when a check is missing from them
 */
async function resultsOf(
  options: RunOptions,
  collector: Collector,
  startedAt: Date,
  interrupted: boolean,
  located: Located | null,
): Promise<Results> {
  const { target, profile, seed } = options;
  const evidence = evidenceOf(options, collector);
  const { requirements: assembled, readings } = assemble(evidence);
  // Counted anew: results are built from the catalogue, and a check of no known requirement would be dropped silently.
  const listed = assembled.flatMap(({ checks }) => checks).length;
  if (listed !== collector.checks.length) {
    const ids = new Set<string>(collector.checks.map(({ meta }) => meta.requirement));
    const lost = [...ids].filter((id) => !isRequirementId(id));
    throw new Error(
      `${listed} of ${collector.checks.length} checks are in the results; unknown requirements: ${lost.join(', ')}. This is a bug in Assay, not in the target.`,
    );
  }
  const explained =
    interrupted || collector.session?.fatal != null
      ? assembled
      : await withTrueReasons(assembled, evidence, options);
  const judged = withUnseenFailures(explained, options, evidence.exchanges).map((one) => ({
    ...one,
    checks: checksOf(one),
  }));
  const asked = inOrder(evidence.exchanges);
  const earlier = earlierPart(options, asked);
  const exchanges = inOrder([...asked, ...earlier.unasked]);
  forgetViews(exchanges);
  const { requirements, waivers } = applyWaivers(
    judged,
    exchanges,
    options.waivers ?? [],
    undefined,
    profile,
  );
  const proof = readKilledBy();
  const summary = summarize(requirements);
  const { session } = collector;
  // Interrupted before its first request, a run has no session.
  const keys =
    session?.keys ??
    ringOf(target, { seed, known: options.known, salt: options.journal?.salt }).fingerprints();
  const requests = withUnasked(session, options.known?.mode === 'resume' ? earlier.unasked : []);
  const end = session?.fatal ?? null;
  const foundAt = `The service was found at ${located?.url}: use this URL as the base URL.`;
  const fatal = end && `${end.message} ${located?.url == null ? end.hint : foundAt}`;
  const { tellsEnd, ...decision } = decide(requirements, {
    interrupted,
    fatal,
    failOn: options.failOn,
    waivers,
  });
  return {
    ...resultsHead(options.command),
    target: {
      baseUrl: target.baseUrl,
      envelope: target.envelope,
      keys: { ...keys, ...(target.sparesNearQuota === true && { nearQuota: [] }) },
      ...(target.keyVariables !== undefined && {
        keyVariables: variablesByPrint(keys, target.keyVariables),
      }),
      reference: options.reference,
      ...options.named,
      ...(located?.url != null && { foundAt: located.url }),
    },
    profile,
    seed,
    startedAt: startedAt.toISOString(),
    endedAt: endOf(options, exchanges).toISOString(),
    ...decision,
    requests,
    summary,
    requirements,
    readings,
    ...(fatal !== null && { stoppedEarly: true as const }),
    notes: [
      // If there is no violation, the sentence already says why the run stopped.
      ...(fatal === null || tellsEnd ? [] : [`stopped-early: ${fatal}`]),
      ...(located === null ? [] : [searchedWords(located)]),
      ...notesOf(options, exchanges, earlier.notes, requests.waitedMs),
      ...cutWords(requirements, options.maxRequests),
    ],
    ...(session && { facts: session.facts }),
    exchanges,
    load: [],
    settings: settingsOf({ ...options, path: options.path ?? null }),
    ...(options.context && { context: options.context }),
    looked: coverageOf(exchanges, session?.shown ?? {}),
    ...earlier.part,
    ...(options.waivers && { waivers }),
    ...(proof && { proof }),
  };
}

/** What the search for the service sent: it is no part of the run. */
const searchedWords = ({ sent: { valid, none } }: Located): string =>
  `Assay searched the host for the service with ${plural(valid + none, 'more request')}, ${valid} of them with a valid key. They are neither counted nor recorded.`;

/**
 * Failures of the earlier run that are untested now become inconclusive, unless the user deselected them, and so do those
 * that only the near-quota key showed when it was not used: not seeing a failure does not fix it.
 */
function withUnseenFailures(
  requirements: readonly RequirementResult[],
  { wrong = [], spared = [] }: RunOptions,
  exchanges: readonly Exchange[],
): readonly RequirementResult[] {
  const isUsed = exchanges.some(
    ({ role, response }) => role === 'nearQuota' && (response?.status ?? 600) < 400,
  );
  const unseen = isUsed ? [] : spared;
  const again = (reason: string, cause: RequirementResult['cause'] = null) =>
    ({ outcome: 'inconclusive', reason: `failed in the last run ${reason}`, cause }) as const;
  return requirements.map((one) => {
    if (one.outcome === 'passed' && unseen.includes(one.id)) {
      const reason = 'for a request with the near-quota key, which was not used';
      return { ...one, ...again(reason, missingSetting('keys.nearQuota')) };
    }
    return one.outcome === 'untested' && wrong.includes(one.id) && !isLeftOut(one)
      ? { ...one, ...again(`and could not be judged again: ${one.reason ?? ''}`) }
      : one;
  });
}

function notesOf(
  options: RunOptions,
  exchanges: readonly Exchange[],
  earlierNotes: readonly string[],
  waitedMs: number,
): string[] {
  const { target, reference } = options;
  const notes = oddities(exchanges).map(({ name, message }) => `${name}: ${message}.`);
  notes.push(...earlierNotes);
  if (target.envelope !== null) notes.push(envelopeNote(target.envelope));
  notes.push(...networkNotes(target));
  notes.push(...selectionNotes('Ran', options));
  if (reference) notes.push('The target was the embedded reference server.');
  if (target.clock !== undefined && waitedMs > 0) {
    notes.push(
      "The target's clock was advanced to skip rate-limit windows. Checks that need another trading day advance it further.",
    );
  }
  return notes;
}

const NAMED = 6;

/** The musts that were judged without the requests for which the request limit or the profile left no room. */
function cutWords(
  requirements: readonly RequirementResult[],
  maxRequests: number | null | undefined,
): readonly string[] {
  const isCut = ({ cause }: RequirementResult['checks'][number]): boolean =>
    cause?.kind === 'not-selected' && cause.by === 'budget';
  const cut = requirements.filter(
    (one) => one.level === 'must' && isJudged(one) && one.checks.some(isCut),
  );
  if (cut.length === 0) return [];
  const ids = cut.map(({ id }) => id);
  return [
    `Judged without requests for which ${maxRequests == null ? 'the budget of the profile' : 'the request limit'} left no room: ${plural(ids.length, 'must')} (${some(ids, NAMED)}).`,
  ];
}

/**
 * What the results say about the earlier part of a resumed or replayed run.
 * @returns also the `unasked` exchanges, which no check asked for: they are kept but not judged
 */
function earlierPart(options: RunOptions, asked: readonly Exchange[]) {
  const { known, recording } = options;
  if (known === undefined) return { unasked: [], notes: [] };
  const ids = new Set(asked.map(({ id }) => id));
  const unasked = known.exchanges.filter(({ id }) => !ids.has(id));
  if (known.mode === 'resume') {
    const counts = countKnown(known);
    const times = options.resumed ?? 1;
    const again = counts.again === 0 ? '' : `, ${plural(counts.again, 'request')} repeated`;
    return {
      unasked,
      part: { resumed: { times, ...counts } },
      notes: [
        `The run was interrupted and resumed ${times === 1 ? 'once' : `${times} times`}: ${plural(counts.known, 'recorded response')} used${again}.`,
      ],
    };
  }
  const recordedAt = (options.startedAt ?? new Date(0)).toISOString();
  const [were, them] = unasked.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const notAsked =
    unasked.length === 0
      ? ''
      : ` ${plural(unasked.length, 'exchange')} in the recording ${were} not judged because no check asked for ${them}.`;
  return {
    unasked,
    part: { replayed: { file: recording ?? '', recordedAt, unasked: unasked.length } },
    notes: [
      `Replay of ${recording ?? ''}, recorded ${recordedAt}; no requests were sent.${notAsked}`,
    ],
  };
}

/**
 * The evidence to judge. With a selection of requirements, a replay still judges all recorded exchanges, like a run: a
 * finding may be in an answer that another check asked for.
 */
function evidenceOf(
  { known, recordedFacts, only, skip }: RunOptions,
  { checks, exchanges, session }: Evidence,
): Evidence {
  const isPart = only.length + skip.length > 0;
  if (known?.mode !== 'replay' || !isPart || recordedFacts === undefined || session === undefined) {
    return { checks, exchanges, session };
  }
  return {
    checks,
    exchanges: known.exchanges.filter(({ purpose }) => purpose !== 'interrupted'),
    // The facts of the recorded run include the unknown identifiers used by checks that are not selected now.
    session: { ...session, facts: recordedFacts },
  };
}

/** End time of the run, or of the recording. */
function endOf({ known, startedAt }: RunOptions, exchanges: readonly Exchange[]): Date {
  if (known?.mode !== 'replay') return new Date();
  const start = startedAt?.getTime() ?? 0;
  return new Date(exchanges.reduce((end, { receivedAt }) => Math.max(end, receivedAt), start));
}

/** Request counts, including requests of the interrupted part that were not used again. */
function withUnasked(
  session: CheckMeta['session'],
  unasked: readonly Exchange[],
): Results['requests'] {
  const byRole = { ...session?.byRole };
  for (const { role } of unasked) byRole[role] = (byRole[role] ?? 0) + 1;
  return {
    total: (session?.total ?? 0) + unasked.length,
    byRole,
    waitedMs: session?.waitedMs ?? 0,
  };
}
