import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listFaults } from '../../src/reference/reference.ts';
import { shareOfDifferent } from './probes.ts';
import { start, world } from './client.ts';

describe('faults', () => {
  it('mostly leave nineteen answers of twenty alone', () => {
    // Chosen by id, so that a new fault does not change which others are tried.
    const looked = listFaults().filter(
      ({ id }) => createHash('sha256').update(id).digest().readUInt32BE() % 30 === 0,
    );
    const shares = looked.map(({ id }) => shareOfDifferent({ faults: [id] }));
    // That each of the others changes an answer too is what the proof shows: it makes its requirements fail.
    const unseen = looked.filter((_fault, index) => shares[index] === 0).map(({ id }) => id);
    expect(unseen, 'add a request that shows it to test/reference/probes.ts').toEqual([]);
    expect(shares.filter((share) => share <= 0.05).length).toBeGreaterThan(looked.length / 2);
  });

  it('combine', () => {
    const { get } = start({ faults: ['summary-symbol-mixed-case', 'summary-constraint-nine'] });
    const path = '/etfs/summary-history?country_code=US&symbol=';
    expect(get(`${path}btc`).status).toBe(200);
    expect(get(`${path}Btc`).status).toBe(400);
    expect(get(`${path}ADA`).body).toContain('"AVAX"]');
  });

  it('show only where their condition holds', () => {
    const { body } = start({ faults: ['op/retyped/currencies-pairs.price/page-2'] });
    const path = `/currencies/${world.currencyIds[0]}/pairs`;
    const kinds = (page: number): unknown[] =>
      (body(`${path}?page=${page}`)['list'] as { price: unknown }[]).map(
        ({ price }) => typeof price,
      );
    expect(new Set(kinds(1))).toEqual(new Set(['number']));
    expect(new Set(kinds(2))).toEqual(new Set(['string']));
  });

  it('add no row to a list that has none', () => {
    const { body } = start({ faults: ['history-today-settled'] });
    const reversed = 'start_date=2026-11-24&end_date=2026-11-22';
    expect(body(`/etfs/IBIT/history?${reversed}`)).toEqual([]);
  });

  it('wait for the reset', () => {
    const { get, clock, reference } = start({ faults: ['expired-key-admitted-after-reset'] });
    const { expired } = reference.keys;
    expect(get('/etfs', expired).status).toBe(401);
    clock.advance(60_000);
    expect(get('/etfs', expired).status).toBe(200);
  });
});

describe('the racy limiter', () => {
  it('admits more than the limit when requests come together', () => {
    const { get } = start({ limit: 20, faults: ['limit-racy'] });
    const admitted = Array.from({ length: 60 }, () => get('/etfs').status).filter(
      (status) => status === 200,
    );
    expect(admitted.length).toBeGreaterThan(20);
  });
});
