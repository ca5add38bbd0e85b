import { readFileSync, statSync } from 'node:fs';
import type { Exchange } from '../spec/exchange.ts';
import { isRequirementId, REQUIREMENTS } from '../requirements/catalogue.ts';
import { evidenceFingerprint } from '../report/model/fingerprint.ts';
import type { RequirementResult, WaiverResult } from '../report/model/results.ts';
import { isGap, isWaivable } from '../report/model/set-aside.ts';
import { validateWaivers } from '../judge/schema/schemas.ts';
import { closestName } from '../text/closest-name.ts';
import { decodedText } from '../text/decoded-text.ts';
import type { TargetProblem } from '../target/errors.ts';
import { hasFirst, isFirst } from './first-fingerprint.ts';
import { problemLines, YamlFile } from '../target/file/yaml-file.ts';

/** One entry of a waiver file (`schemas/tool/waivers.json`). */
export interface Waiver {
  readonly id: string;
  readonly owner: string;
  readonly reason: string;
  readonly ticket?: string;
  /** What it sets aside when that is no violation: what could not be judged, or what the target shows nothing of. */
  readonly outcome?: 'inconclusive' | 'untested';
  /** Last day on which it holds, yyyy-MM-dd, UTC. */
  readonly expires: string;
  /** Fingerprint of the evidence that was looked at. */
  readonly evidence: string;
}

/** A waiver file cannot be used. The message names the place, the hint the way out. */
export class WaiverError extends Error {
  readonly code = 'ASSAY_WAIVERS';
  readonly hint: string;
  constructor(message: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    super(message, options);
    this.name = 'WaiverError';
    this.hint =
      options.hint ??
      'Make one with `assay waive` or in the review view of report.html, or correct it after schemas/tool/waivers.json.';
  }
}

/** A waiver file is a page or two; anything larger is another file by mistake. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a waiver file (YAML or JSON).
 * @throws WaiverError when it cannot be read or is no waiver file
 */
export function readWaivers(file: string): readonly Waiver[] {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error('larger than 1 MiB');
    text = decodedText(readFileSync(file));
  } catch (cause) {
    throw unreadable(file, cause);
  }
  return waiversIn(file, text);
}

function unreadable(file: string, cause: unknown): WaiverError {
  const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return new WaiverError(`${file}: cannot be read: ${why}`, { cause });
}

/**
 * The waivers in the content of a waiver file (YAML or JSON), whose name is for the error.
 * @throws WaiverError when it is none
 */
export function waiversIn(file: string, text: string): readonly Waiver[] {
  const yaml = new YamlFile(text);
  const { syntaxProblems } = yaml;
  if (syntaxProblems.length > 0) throw new WaiverError(problemLines(file, syntaxProblems));
  let value: unknown;
  try {
    value = yaml.document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw unreadable(file, cause);
  }
  const problems = validateWaivers(value)
    .map((problem) => yaml.problem(problem))
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  if (problems.length > 0) throw new WaiverError(problemLines(file, problems));
  const { waivers } = value as { readonly waivers: readonly Waiver[] };
  // A mistyped id would only be noticed when the run is over.
  const unknown = waivers.flatMap(({ id }, index): TargetProblem[] => {
    if (isRequirementId(id)) return [];
    const names = ['waivers', String(index), 'id'];
    const meant = closestName(
      id,
      REQUIREMENTS.map((one) => one.id),
    );
    const message = `there is no requirement ${id}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    return [{ setting: `waivers[${index}].id`, ...yaml.placeOf(names), message }];
  });
  if (unknown.length > 0) throw new WaiverError(problemLines(file, unknown));
  return waivers;
}

/** Requirements after waivers, and what became of each waiver. */
export interface Waived {
  readonly requirements: readonly RequirementResult[];
  readonly waivers: readonly WaiverResult[];
}

/**
 * Sets aside what somebody answers for: violations, what could not be judged, and what the target shows nothing of. A
 * waiver covers what was looked at and nothing else: it holds while the evidence has the same fingerprint and its day has
 * not passed. `today` is yyyy-MM-dd in UTC.
 */
export function applyWaivers(
  requirements: readonly RequirementResult[],
  exchanges: readonly Exchange[],
  waivers: readonly Waiver[],
  today: string,
): Waived {
  const byId = new Map(requirements.map((one) => [one.id, one]));
  const exchangeOf = new Map(exchanges.map((one) => [one.id, one]));
  const results: WaiverResult[] = [];
  const applied = new Map<string, WaiverResult>();
  for (const waiver of waivers) {
    const [state, detail] = applied.has(waiver.id)
      ? (['unmatched', 'Another waiver covers it already; take one of them out.'] as const)
      : judge(waiver, byId.get(waiver.id), exchangeOf, today);
    const { id, owner, reason, ticket, expires, outcome } = waiver;
    const result = {
      id,
      owner,
      reason,
      ticket: ticket ?? null,
      expires,
      state,
      detail,
      ...(outcome === undefined ? {} : { outcome }),
    };
    results.push(result);
    if (state === 'applied') applied.set(id, result);
  }
  return {
    waivers: results,
    requirements: requirements.map((one) => {
      const requirement = { ...one, fingerprint: evidenceFingerprint(one, exchangeOf) };
      const waiver = applied.get(requirement.id);
      if (waiver === undefined) return requirement;
      const { outcome, reason } = requirement;
      const ticket = waiver.ticket === null ? '' : `, ${waiver.ticket}`;
      const was = isGap(outcome) ? `; it is ${outcome}: ${reason ?? 'for no known reason'}` : '';
      return {
        ...requirement,
        outcome: 'waived' as const,
        reason: `waived until ${waiver.expires} by ${waiver.owner}${ticket}: ${waiver.reason}${was}`,
        waived: { outcome, reason },
      };
    }),
  };
}

function judge(
  waiver: Waiver,
  requirement: RequirementResult | undefined,
  exchanges: ReadonlyMap<string, Exchange>,
  today: string,
): readonly [WaiverResult['state'], string] {
  if (requirement === undefined) {
    return [
      'unmatched',
      isRequirementId(waiver.id)
        ? 'This run has no such requirement.'
        : 'There is no requirement of this id; correct it or take the waiver out.',
    ];
  }
  const { outcome } = requirement;
  const gap = isGap(outcome) || outcome === 'error';
  // What could not be judged today says nothing about a violation, nor a gap of one kind about one of another.
  if (gap && (waiver.outcome !== outcome || !isWaivable(requirement))) {
    return ['idle', `Its requirement came out as ${outcome}, so there was nothing to set aside.`];
  }
  if (waiver.outcome !== undefined && (outcome === 'passed' || outcome === 'observed')) {
    // It may be back tomorrow, and a better day must not fail a run.
    return ['idle', `Its requirement came out as ${outcome} this time; it was not needed.`];
  }
  if (waiver.expires < today) {
    return ['expired', `It held until ${waiver.expires}. Repair the target, or decide anew.`];
  }
  if (!isWaivable(requirement)) {
    return [
      'unmatched',
      'Nothing violates its requirement here. Take the waiver out, or keep a file for each deployment.',
    ];
  }
  const evidence = evidenceFingerprint(requirement, exchanges);
  const isFirstVersion = isFirst(waiver.evidence);
  // Version 1 took the fingerprint of a gap from its reason, which may be worded otherwise by now.
  const holds = !isFirstVersion
    ? evidence === waiver.evidence
    : gap || hasFirst(waiver.evidence, requirement, exchanges);
  if (!holds) {
    const how = gap ? 'for another reason' : 'wrong in another way';
    const what = gap ? `its requirement is ${outcome} ${how}` : `the target is ${how}`;
    return [
      'drifted',
      `The evidence is now ${evidence ?? 'none'}, not ${waiver.evidence}: ${what}. Look again and decide anew.`,
    ];
  }
  const upgrade = isFirstVersion
    ? ' Its fingerprint is of version 1: run `assay waive --upgrade` to renew it.'
    : '';
  return ['applied', `Set aside until ${waiver.expires}.${upgrade}`];
}
