import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { evidenceFingerprint } from '../../src/report/model/fingerprint.ts';
import { runWith } from './real-runs.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`first-version/${name}`, import.meta.url));

/** Written by version 1 for everything that was red with these faults. */
const WAIVED: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(fixture('faults.json'), 'utf8'),
) as Record<string, string[]>;

describe('waivers of version 1', () => {
  it.each(Object.entries(WAIVED))('hold for an unchanged target: %s', async (name, faults) => {
    const { results } = await runWith(faults, ['--waivers', fixture(name)]);
    const { waivers = [], requirements } = results;
    expect(waivers.filter(({ state }) => state !== 'applied')).toEqual([]);
    expect(waivers.every(({ detail }) => detail.includes('--upgrade'))).toBe(true);
    expect(requirements.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    // Two defects do not share a fingerprint.
    const exchanges = new Map(results.exchanges.map((one) => [one.id, one]));
    const red = requirements.filter(({ findings }) => findings.length > 0);
    const prints = red.map((one) => evidenceFingerprint(one, exchanges));
    expect(new Set(prints).size).toBe(red.length);
  });
});
