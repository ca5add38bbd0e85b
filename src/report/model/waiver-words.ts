import type { WaiverResult } from './results.ts';

/** True for a waiver that fails a run. */
export const isBroken = ({ state }: WaiverResult): boolean =>
  state !== 'applied' && state !== 'idle';

/** Waivers that need a new decision first, otherwise in file order. */
export function byNeed(waivers: readonly WaiverResult[]): readonly WaiverResult[] {
  const rank = ({ state }: WaiverResult): number => Object.keys(WORDS).indexOf(state);
  return waivers.toSorted((a, b) => rank(a) - rank(b));
}

/** The first invalid waiver of one of these requirements. */
export function brokenWaiver(
  waivers: readonly WaiverResult[],
  requirements: readonly string[],
): WaiverResult | undefined {
  return byNeed(waivers).find((one) => isBroken(one) && requirements.includes(one.id));
}

/** In display order: what fails the run comes first. */
const WORDS: Readonly<Record<WaiverResult['state'], (day: string) => string>> = {
  drifted: (day) => `✗ waiver until ${day} drifted`,
  expired: (day) => `✗ waiver expired on ${day}`,
  unmatched: (day) => `✗ waiver until ${day} matches nothing`,
  applied: (day) => `~ waived until ${day}`,
  idle: (day) => `– waiver until ${day} was not needed`,
};

/** The state of a waiver with its last day. */
export const waiverWords = ({ state, expires }: WaiverResult): string => WORDS[state](expires);
