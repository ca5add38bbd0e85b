import { beforeAll, describe, expect, it } from 'vitest';
import { listVariants } from '../../src/reference/reference.ts';
import { deploymentOf, drawWorld, printWorld } from '../../src/reference/choices/worlds.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { sampleCount, sampleOf } from '../sample.ts';
import { inWords, requestsOfARun, simulate, type Ask } from './simulation.ts';

/** Honest deployments drawn at random; some more with `ASSAY_WATCH_WORLDS`. */
const WORLDS = Number(process.env['ASSAY_WATCH_WORLDS'] ?? 20);

let asks: readonly Ask[] = [];
beforeAll(async () => {
  asks = await requestsOfARun();
});

const CLIENTS = { clients: 6, keys: 2, requests: 700 } as const;

describe('other honest services, whatever their clients do', () => {
  it.each(
    sampleOf(
      // A wrapped body is no conforming one.
      listVariants().filter(({ id }) => id !== 'wrapped-body'),
    ).map(({ id }, at) => [id, at] as const),
  )('are found to violate nothing: %s', (id, at) => {
    const seen = simulate({
      ...CLIENTS,
      asks,
      seed: at + 1,
      paceMs: at % 2 === 0 ? 1500 : 9000,
      variants: [id],
      lost: at % 3 === 0 ? 0.3 : 0,
    });
    expect(inWords(seen.findings)).toEqual([]);
  });

  it.each(
    Array.from(
      { length: sampleCount(WORLDS) },
      (_, at) => [at + 1, printWorld(drawWorld(at + 1))] as const,
    ),
  )('are found to violate nothing: world %i', (seed) => {
    const choices = drawWorld(seed);
    const { modifications } = deploymentOf(choices);
    const seen = simulate({
      ...CLIENTS,
      asks,
      seed,
      paceMs: seed % 2 === 0 ? 9000 : 1500,
      modifications,
      facts: { ...DEFAULT_FACTS, envelope: choices['envelope'] === undefined ? null : 'data' },
      lost: seed % 3 === 0 ? 0.3 : 0,
    });
    expect(inWords(seen.findings)).toEqual([]);
  });
});
