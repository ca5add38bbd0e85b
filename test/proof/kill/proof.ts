import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import { showsTooLittle, type FaultProof, type FaultsProof, type Looks } from './faults.ts';
import { floorOf, type Floor } from './floor.ts';
import type { OperatorProof } from './operator-figures.ts';
import type { ProofResult } from './task.ts';
import type { WorldsProof } from './worlds.ts';

/** One run that had to stay green. */
export interface GreenProof {
  readonly name: string;
  readonly variants: readonly string[];
  readonly green: boolean;
  /** `outcome id: reason` of whatever is not as it must be. */
  readonly wrong: readonly string[];
}

/** The result of `npm run prove`. */
export interface Proof {
  readonly holds: boolean;
  readonly faults: Readonly<Record<string, FaultProof>>;
  readonly greens: readonly GreenProof[];
  /** Faults that turn each requirement red, those meant for it first. */
  readonly killedBy: Readonly<Record<string, readonly string[]>>;
  /** Must and should requirements that no fault was shown to turn red; empty for a part. */
  readonly unproven: readonly string[];
  /** Of the last run of each fault. */
  readonly redPerFault: number;
  /** Requests with valid keys of a clean standard run with one key. */
  readonly standardRequests: number;
  /** Of the last proof that ran every fault; missing when there was none. */
  readonly floor?: Floor;
  /** How the faults were looked at when all of them were run last; missing when they never were. */
  readonly looks?: Looks;
  /** Verdicts of the repeated clean runs: one, when they agree. */
  readonly verdicts: readonly string[];
  /** Faults made by operators; missing when they were never run as a whole. */
  readonly operators?: OperatorProof;
  /** Honest deployments, by profile; missing when none were run as a whole. */
  readonly worlds?: readonly WorldsProof[];
}

/**
 * Reads the results of all runs.
 *
 * @param results runs that had to stay green
 * @param kept the proof before, for what only runs of all faults can tell
 */
export function readProof(
  results: readonly ProofResult[],
  { faults, runs, looks }: FaultsProof,
  whole: boolean,
  kept: Partial<Proof> = {},
): Proof {
  const greens = results.map(greenProof);
  const killers = new Map<string, string[]>();
  for (const [id, { kills, red }] of Object.entries(faults)) {
    for (const requirement of kills) {
      if (red.includes(requirement)) {
        killers.set(requirement, [...(killers.get(requirement) ?? []), id]);
      }
    }
  }
  const unproven = whole
    ? REQUIREMENTS.filter(({ id, level }) => level !== 'observe' && !killers.has(id)).map(
        ({ id }) => id,
      )
    : [];
  const proofs = Object.values(faults);
  const repeats = results.filter(
    ({ task }) => task.profile === 'standard' && task.faults.length + task.variants.length === 0,
  );
  const verdicts = [...new Set(repeats.map(({ verdict, sentence }) => `${verdict}: ${sentence}`))];
  const ofRuns =
    looks.replayed === 0
      ? { floor: floorOf(runs), looks }
      : { ...(kept.floor && { floor: kept.floor }), ...(kept.looks && { looks: kept.looks }) };
  return {
    holds:
      proofs.every(({ missed, untrue }) => missed.length === 0 && untrue === undefined) &&
      greens.every(({ green }) => green) &&
      unproven.length === 0 &&
      verdicts.length <= 1 &&
      !showsTooLittle(looks),
    faults,
    greens,
    killedBy: Object.fromEntries(killers),
    unproven,
    redPerFault: proofs.reduce((sum, { red }) => sum + red.length, 0) / Math.max(1, proofs.length),
    standardRequests: repeats[0]?.validRequests ?? 0,
    ...ofRuns,
    verdicts,
  };
}

/** Verdicts on an honest target: it keeps what was looked at. */
const isGreen = (verdict: ProofResult['verdict']): boolean =>
  verdict === 'conforms' || verdict === 'no-violation';

/** Green: conforms, and no must or should is anything but passed or untested for a good reason. */
export function greenProof({ task, verdict, outcomes, reasons }: ProofResult): GreenProof {
  const wrong = Object.entries(outcomes)
    .filter(([, outcome]) => !['untested', 'observed'].includes(outcome))
    .map(([id, outcome]) => `${outcome} ${id}: ${reasons[id] ?? ''}`);
  return {
    name: task.name,
    variants: task.variants,
    green: isGreen(verdict) && wrong.length === 0,
    wrong: isGreen(verdict) ? wrong : [`verdict ${verdict}`, ...wrong],
  };
}

/** The table that `npm run prove` prints. */
export function renderProof(proof: Proof, looks: Looks): string {
  const lines: string[] = [];
  const entries = Object.entries(proof.faults);
  for (const [id, { missed, red }] of entries) {
    if (missed.length === 0) continue;
    lines.push(
      `SURVIVED   ${id}: ${missed.join(', ')} stayed green; red: ${red.join(', ') || 'nothing'}`,
    );
  }
  for (const [id, { untrue = [] }] of entries) {
    if (untrue.length > 0)
      lines.push(`UNTRUE     ${id}: ${untrue.join(', ')} red in the replay and not in the run`);
  }
  if (showsTooLittle(looks))
    lines.push(`NO REPLAY  of ${looks.looked} replays only ${looks.shown} show their fault`);
  for (const { name, green, wrong } of proof.greens) {
    if (!green)
      lines.push(`NOT GREEN  ${name}`, ...wrong.slice(0, 12).map((line) => `    ${line}`));
  }
  const killed = entries.filter(([, { missed }]) => missed.length === 0);
  const subtle = entries.filter(([, fault]) => fault.subtle);
  const full = killed.filter(([, { profile }]) => profile === 'full');
  const variants = proof.greens.filter((run) => run.variants.length === 1);
  const drawn = proof.greens.filter((run) => run.variants.length > 1);
  const share = (list: readonly GreenProof[]): string =>
    `${list.filter(({ green }) => green).length} of ${list.length}`;
  lines.push(
    `faults killed                        ${killed.length} of ${entries.length} (${subtle.length} subtle; ${full.length} seen by the full profile only)`,
    `of these, run; replayed              ${looks.run}, ${looks.turns} of them in their turn; ${looks.replayed}`,
    `variants green                       ${share(variants)}`,
    `combinations of variants green       ${share(drawn)}`,
    `red requirements per fault           ${proof.redPerFault.toFixed(2)}`,
  );
  if (proof.verdicts.length > 0) {
    lines.push(
      `verdicts of repeated clean runs      ${proof.verdicts.length === 1 ? 'one' : proof.verdicts.length}: ${proof.verdicts.join(' | ')}`,
      `requests with valid keys, standard   ${proof.standardRequests}`,
      ...floorLines(proof, looks),
    );
  }
  lines.push(`requirements without a killing fault ${proof.unproven.length}`);
  for (const id of proof.unproven) lines.push(`    ${id}`);
  const broad = entries
    .filter(([, { red }]) => red.length > 8)
    .toSorted((a, b) => b[1].red.length - a[1].red.length);
  if (broad.length > 0) {
    const shown = broad.slice(0, 12).map(([id, { red }]) => `${id} (${red.length})`);
    lines.push(`broadest faults: ${shown.join(', ')}`);
  }
  lines.push(proof.holds ? 'The proof holds.' : 'The proof does not hold.');
  return `${lines.join('\n')}\n`;
}

function floorLines({ floor, standardRequests }: Proof, { replayed }: Looks): readonly string[] {
  if (floor === undefined) return [];
  const { requests, free, kills } = floor;
  const when = replayed === 0 ? '' : '; of the last proof with --runs';
  return [
    `fewest that see the same faults      ${requests} (greedy set cover; ${free} of ${kills} kills cost a valid key nothing${when})`,
    `ratio                                ${(standardRequests / Math.max(1, requests)).toFixed(2)}`,
  ];
}
