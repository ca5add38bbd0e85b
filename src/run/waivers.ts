import type { Exchange } from '../spec/exchange.ts';
import { isRequirementId, REQUIREMENTS } from '../requirements/catalogue.ts';
import { evidenceFingerprint } from '../report/model/fingerprint.ts';
import type { CheckResult, RequirementResult, WaiverResult } from '../report/model/results.ts';
import { isGap, isViolated, isWaivable } from '../report/model/status.ts';
import { closestName } from '../text/closest-name.ts';
import { HintedError } from '../text/hinted-error.ts';
import type { TargetProblem } from '../target/errors.ts';
import { hasFirst, isFirst } from './first-fingerprint.ts';
import {
  problemLines,
  readSettings,
  validSettings,
  settingsText,
} from '../target/file/yaml-file.ts';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { Document, isMap, isSeq, parseDocument, YAMLMap, type YAMLSeq } from 'yaml';
import { reasonOf } from '../http/record/journal-writer.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { jsonValue, parsedJson } from '../text/json-value.ts';

/** One entry of a waiver file (`schemas/tool/waivers.json`). */
export interface Waiver {
  readonly id: string;
  readonly owner: string;
  readonly reason: string;
  readonly ticket?: string;
  /** The waived outcome if it is not a violation. */
  readonly outcome?: 'inconclusive' | 'untested';
  /** Last day of validity, yyyy-MM-dd, UTC. */
  readonly expires: string;
  readonly evidence: string;
}

/** An invalid waiver file. The message names the position, the hint the fix. */
export class WaiverError extends HintedError<'ASSAY_WAIVERS'> {
  constructor(
    message: string,
    options: ErrorOptions = {},
    hint = 'Create the file with `assay waive` or in the review view of report.html, or compare it with schemas/tool/waivers.json.',
  ) {
    super('ASSAY_WAIVERS', message, hint, options);
  }
}

/** Reads a waiver file (YAML or JSON). @throws WaiverError when it cannot be read or is invalid */
export function readWaivers(file: string): readonly Waiver[] {
  const text = readSettings(file, (message, options) => new WaiverError(message, options));
  return waiversIn(file, text);
}

/** Parses a waiver file; its name is for errors. @throws WaiverError when it is invalid */
export function waiversIn(file: string, text: string): readonly Waiver[] {
  const { yaml, value } = validSettings('waivers', [file, text], (lines) => new WaiverError(lines));
  const { waivers } = value as { readonly waivers: readonly Waiver[] };
  // Report misspelled ids now, not at the end of the run.
  const unknown = waivers.flatMap(({ id }, index): TargetProblem[] => {
    if (isRequirementId(id)) return [];
    const names = ['waivers', String(index), 'id'];
    const meant = closestName(
      id,
      REQUIREMENTS.map((one) => one.id),
    );
    const message = `unknown requirement ${id}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    return [{ setting: `waivers[${index}].id`, ...yaml.locationOf(names), message }];
  });
  if (unknown.length > 0) throw new WaiverError(problemLines(file, unknown));
  return waivers;
}

/**
 * Applies waivers to violations, inconclusive requirements and missing data. A waiver is valid until its date, as long
 * as the fingerprint of the evidence is the same. `today` is yyyy-MM-dd in UTC; the smoke `profile` leaves out much.
 * @returns the requirements after that, and the state of each waiver
 */
export function applyWaivers(
  requirements: readonly RequirementResult[],
  exchanges: readonly Exchange[],
  waivers: readonly Waiver[],
  today = new Date().toISOString().slice(0, 10),
  profile = '',
) {
  const byId = new Map(requirements.map((one) => [one.id, one]));
  const exchangeOf = new Map(exchanges.map((one) => [one.id, one]));
  const results: WaiverResult[] = [];
  const applied = new Map<string, WaiverResult>();
  for (const waiver of waivers) {
    const [state, detail] = applied.has(waiver.id)
      ? ([
          'unmatched',
          'Another waiver already covers this requirement; remove one of the two.',
        ] as const)
      : judge(waiver, byId.get(waiver.id), exchangeOf, { today, profile });
    const { evidence: _evidence, ticket = null, ...rest } = waiver;
    const result = { ...rest, ticket, state, detail };
    results.push(result);
    if (state === 'applied') applied.set(waiver.id, result);
  }
  return {
    waivers: results,
    requirements: requirements.map((one): RequirementResult => {
      const requirement = { ...one, fingerprint: evidenceFingerprint(one, exchangeOf) };
      const waiver = applied.get(requirement.id);
      if (waiver === undefined) return requirement;
      const { outcome, reason } = requirement;
      const ticket = waiver.ticket === null ? '' : `, ${waiver.ticket}`;
      const was = isGap(outcome) ? `; ${outcome}: ${reason ?? 'no reason given'}` : '';
      return {
        ...requirement,
        outcome: 'waived',
        reason: `waived until ${waiver.expires} by ${waiver.owner}${ticket}: ${waiver.reason}${was}`,
        waived: { outcome, reason },
      };
    }),
  };
}

/** True for a check that may find what the others do not. Larger profiles than smoke leave out little. */
const isLeftOut = ({ cause }: CheckResult, profile: string): boolean =>
  cause?.kind === 'not-selected' && (cause.by !== 'profile' || profile === 'smoke');

function judge(
  waiver: Waiver,
  requirement: RequirementResult | undefined,
  exchanges: ReadonlyMap<string, Exchange>,
  { today, profile }: { today: string; profile: string },
): readonly [WaiverResult['state'], string] {
  if (requirement === undefined) {
    return [
      'unmatched',
      isRequirementId(waiver.id)
        ? 'This run has no such requirement.'
        : 'No requirement has this id; correct the id or remove the waiver.',
    ];
  }
  const { outcome } = requirement;
  const gap = isGap(outcome) || outcome === 'error';
  // An unjudged requirement says nothing about a waived violation, nor about another kind of gap.
  if (gap && (waiver.outcome !== outcome || !isWaivable(requirement))) {
    return ['idle', `The requirement is ${outcome}, so there was nothing to waive.`];
  }
  if (waiver.outcome !== undefined && (outcome === 'passed' || outcome === 'observed')) {
    // The gap may be back tomorrow; a better day must not fail a run.
    return ['idle', `Not needed this time: the requirement is ${outcome}.`];
  }
  if (!isViolated(requirement) && requirement.checks.some((one) => isLeftOut(one, profile))) {
    return [
      'idle',
      `Not needed this time: the requirement is ${outcome}, but the run left out some of its checks.`,
    ];
  }
  // Also if it has expired: there is nothing to renew it for.
  if (!isWaivable(requirement)) {
    return [
      'unmatched',
      'The requirement is not violated in this run. Remove the waiver, or keep a separate waiver file for each deployment, profile and seed.',
    ];
  }
  if (waiver.expires < today) {
    const next = gap ? 'Renew the waiver, or remove it' : 'Fix the target, or renew the waiver';
    return ['expired', `Expired on ${waiver.expires}. ${next}.`];
  }
  const evidence = evidenceFingerprint(requirement, exchanges);
  const isFirstVersion = isFirst(waiver.evidence);
  // Version 1 took the fingerprint of a gap from its reason, which may have been reworded.
  const holds = !isFirstVersion
    ? evidence === waiver.evidence
    : gap || hasFirst(waiver.evidence, requirement, exchanges);
  if (!holds) {
    const what = gap
      ? `its requirement is ${outcome} for a different reason`
      : 'the target fails in another way, or the run sent other requests';
    return [
      'drifted',
      `The evidence is now ${evidence ?? 'none'}, not ${waiver.evidence}: ${what}. Review the new evidence, and renew the waiver if it is acceptable.`,
    ];
  }
  const upgrade = isFirstVersion
    ? ' The waiver has a version 1 fingerprint: run `assay waive --upgrade` to renew it.'
    : '';
  return ['applied', `Waived until ${waiver.expires}.${upgrade}`];
}

const HEADING =
  ' Accepted failures, each with an owner and an expiry date. Written by `assay waive`, read by `assay run --waivers`.';

/** Members of an entry in the order to write. */
const MEMBERS = ['id', 'outcome', 'owner', 'reason', 'ticket', 'expires', 'evidence'] as const;

/**
 * Adds waivers to a file, which is created if it is missing. Existing entries and comments are kept; an entry for the
 * same requirement is replaced. The file is replaced atomically.
 * @returns the number of waivers in the file, and the ids of those renewed
 * @throws WaiverError when the existing file is invalid
 */
export async function writeWaivers(
  file: string,
  waivers: readonly Waiver[],
): Promise<{ readonly count: number; readonly renewed: readonly string[] }> {
  const before = existsSync(file) ? settingsText(file) : null;
  const known = before === null ? [] : waiversIn(file, before);
  const renewed = waivers.map(({ id }) => id).filter((id) => known.some((one) => one.id === id));
  const text = before === null && file.endsWith('.json') ? '{"version":1,"waivers":[]}' : before;
  const after = isJson(text) ? inJson(text, waivers) : inYaml(text, waivers);
  const count = waiversIn(file, after).length;
  try {
    // Replaces the target of a symlink, not the link.
    await replaceFile(before === null ? file : await realpath(file), after);
  } catch (cause) {
    throw new WaiverError(
      `${file}: cannot be written: ${reasonOf(cause)}`,
      { cause },
      'Choose a file in an existing, writable folder with --waivers FILE.',
    );
  }
  return { count, renewed };
}

const isJson = (text: string | null): text is string =>
  text !== null && typeof parsedJson(text) === 'object';

const sameId =
  ({ id }: Waiver) =>
  (other: { readonly id: string }): boolean =>
    other.id === id;

function inJson(text: string, waivers: readonly Waiver[]): string {
  const content = jsonValue(text) as { readonly waivers: readonly Waiver[] };
  const kept = content.waivers.map((one) => waivers.find(sameId(one)) ?? one);
  const added = waivers.filter((one) => !content.waivers.some(sameId(one)));
  return `${JSON.stringify({ ...content, waivers: [...kept, ...added] }, null, 2)}\n`;
}

function inYaml(text: string | null, waivers: readonly Waiver[]): string {
  const document = text === null ? new Document({ version: 1, waivers: [] }) : parseDocument(text);
  if (text === null) document.commentBefore = HEADING;
  const list = document.get('waivers');
  if (!isSeq(list)) throw new WaiverError('The member `waivers` is not a list.');
  // An empty list is written in flow style; use block style for the new entries.
  if (list.items.length === 0) list.flow = false;
  for (const waiver of waivers) put(list, waiver);
  return document.toString({
    // Do not wrap long reasons.
    lineWidth: 0,
    indentSeq: text === null || !/^waivers:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*-/m.test(text),
  });
}

function put(list: YAMLSeq, waiver: Waiver): void {
  const known = list.items.find(
    (item): item is YAMLMap => isMap(item) && item.get('id') === waiver.id,
  );
  const entry = known ?? new YAMLMap();
  if (known === undefined) list.add(entry);
  for (const name of MEMBERS) {
    if (waiver[name] !== undefined) entry.set(name, waiver[name]);
    // Keep the ticket of the entry, but not its outcome, which may have changed.
    else if (name === 'outcome') entry.delete(name);
  }
}
