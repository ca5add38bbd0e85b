// What a monitor makes of a folder that another process left behind at a bad moment.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MonitorState } from '../../src/monitor/state.ts';
import { assay, scratch } from '../cli/assay.ts';
import { accountIn, countedBy, eventsIn, service, told, type Service } from './service.ts';

const SMALL = ['--only', '4.3/symbol-enum,4.3/order', '--max-requests', '30'];

let live: Service;
let folder: string;
let files = 0;
const inFolder = (...names: readonly string[]): string => path.join(scratch, folder, ...names);
const state = (): MonitorState =>
  JSON.parse(readFileSync(inFolder('state', 'monitor.json'), 'utf8')) as MonitorState;
const once = () =>
  assay([
    'monitor',
    '-t',
    live.target,
    '-o',
    folder,
    '--once',
    ...SMALL,
    '--events',
    `${folder}.ndjson`,
  ]);

/** A run, and the state as it was in the middle of it: as if the process had died when all was written but the state. */
async function rewound(): Promise<string> {
  const saved = path.join(scratch, `saved ${folder}.json`);
  live.onRequest = (number) => {
    if (number === 2) copyFileSync(inFolder('state', 'monitor.json'), saved);
    return true;
  };
  expect((await once()).code).toBe(0);
  copyFileSync(saved, inFolder('state', 'monitor.json'));
  const { reserved } = state().account;
  expect(reserved).not.toBeNull();
  return inFolder(reserved?.folder ?? '');
}

beforeEach(async () => {
  live = await service({ start: '2026-11-23T05:00:00Z' });
  folder = `left behind ${(files += 1)}`;
});
afterEach(() => live.close());

describe('a run whose process died', () => {
  it('with all results written: nothing is repeated, and every request is booked', async () => {
    await rewound();
    const before = live.counted.length;
    const { code, text } = await once();
    expect(code, text).toBe(0);
    // The run that was asked for now, and no other.
    expect(live.counted.length).toBe(2 * before);
    expect(accountIn(folder)).toEqual(countedBy(live));
    expect(state().runs.map(({ verdict }) => verdict)).toEqual(['no-violation', 'no-violation']);
  });

  it('before anything was sent: nothing is booked', async () => {
    const run = await rewound();
    const before = live.counted.length;
    rmSync(run, { recursive: true });
    expect((await once()).code).toBe(0);
    expect(accountIn(folder)).toEqual({ '2026-11': live.counted.length - before });
    expect(state().runs[0]).toMatchObject({ verdict: 'interrupted', requests: { valid: 0 } });
  });

  it('with an unreadable journal: its whole reservation is booked', async () => {
    const run = await rewound();
    const before = live.counted.length;
    rmSync(path.join(run, 'results.json'));
    writeFileSync(path.join(run, 'journal.ndjson'), 'what is this\n');
    expect((await once()).code).toBe(0);
    const sent = live.counted.length - before;
    const { valid = 0, restricted = 0 } = state().runs[0]?.requests ?? {};
    expect(valid).toBe(30);
    expect(accountIn(folder)).toEqual({ '2026-11': sent + valid + restricted });
  });

  it('and whose key was replaced: its cost is booked to the old key', async () => {
    const run = await rewound();
    rmSync(path.join(run, 'results.json'));
    writeFileSync(path.join(run, 'journal.ndjson'), '');
    const [old = ''] = state().account.reserved?.keys.valid ?? [];
    const target = JSON.parse(readFileSync(live.target, 'utf8')) as { keys: { valid: string[] } };
    const other = { ...target, keys: { ...target.keys, valid: ['reference-key-valid-0002'] } };
    writeFileSync(live.target, JSON.stringify(other));
    const { code, text } = await once();
    expect(code, text).toBe(0);
    expect(state().account.months['2026-11']?.[old]).toBe(30);
    // The budget that is left is that of the keys of today.
    const { used } = told(eventsIn(`${folder}.ndjson`), 'run').at(-1)?.budget ?? { used: 0 };
    expect(used).toBe(told(eventsIn(`${folder}.ndjson`), 'run').at(-1)?.requests.valid);
  });
});
