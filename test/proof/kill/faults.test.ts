import { describe, expect, it } from 'vitest';
import { listFaults } from '#src/reference/catalog.ts';
import type { Fault } from '#src/reference/faults/fault.ts';
import { EVERY, FEW, proveFaults, type FaultProof, type FaultsOptions } from './faults.ts';
import { readProof } from './proof.ts';
import type { ProofResult, ProofTask } from './task.ts';

const faults = listFaults()
  .filter(({ profile }) => profile === undefined)
  .slice(0, 2 * FEW);
const [first, second] = faults;

const taskOf = ({ id, profile }: Pick<Fault, 'id' | 'profile'>): ProofTask => ({
  name: id,
  faults: [id],
  variants: [],
  profile: profile ?? 'standard',
  validKeys: 1,
  seed: 1,
});

const killsOf = (id: string): readonly string[] =>
  faults.find((fault) => fault.id === id)?.kills ?? [];

/** What every fault turned red when it was run last: just what it has to. */
const known = Object.fromEntries(
  faults.map(({ id, kills, subtle }): [string, FaultProof] => [
    id,
    { kills, red: kills, missed: [], profile: 'standard', subtle },
  ]),
);

function resultOf(task: ProofTask, red: readonly string[], more: Partial<ProofResult> = {}) {
  return {
    task,
    verdict: red.length > 0 ? 'violates' : 'conforms',
    exitCode: red.length > 0 ? 1 : 0,
    sentence: '',
    outcomes: Object.fromEntries(red.map((id) => [id, 'failed'])),
    reasons: {},
    evidence: {},
    validRequests: 0,
    ms: 1,
    ...more,
  } satisfies ProofResult;
}

/** What a run or a replay of a fault comes to: all it has to, unless a test says otherwise. */
type Came = (id: string, task: ProofTask) => Partial<ProofResult> & { readonly red?: string[] };

async function proved({
  of = faults,
  replay = () => ({}),
  run = () => ({}),
  ...options
}: Partial<FaultsOptions> & { of?: readonly Fault[]; replay?: Came; run?: Came } = {}) {
  const ran: string[] = [];
  const { others, ...proof } = await proveFaults(
    of,
    [],
    { taskOf, known, runs: false, turn: 0, ...options },
    async (tasks) =>
      tasks.map((task) => {
        const id = task.faults[0] ?? '';
        if (task.replayed !== true) ran.push(`${id} ${task.profile}`);
        const came = (task.replayed === true ? replay : run)(id, task);
        return resultOf(task, came.red ?? killsOf(id), came);
      }),
  );
  expect(others).toEqual([]);
  return { ...proof, ran, holds: readProof([], proof, false).holds };
}

const ofTurn = (turn: number): readonly string[] =>
  faults.filter((_, index) => index % EVERY === turn).map(({ id }) => `${id} standard`);

describe('the proof of faults', () => {
  it('runs every so manieth fault whose replay would do, another one at another turn', async () => {
    const { ran, holds, looks } = await proved();
    expect(ran).toEqual(ofTurn(0));
    expect(looks).toEqual({ run: 4, turns: 4, replayed: 36, shown: 40, looked: 40 });
    expect(holds).toBe(true);
    expect((await proved({ turn: 2 * EVERY + 3 })).ran).toEqual(ofTurn(3));
  });

  it('keeps what a run turned red of a fault that is replayed', async () => {
    const red = [...killsOf(second?.id ?? ''), 'followed-up'];
    const last = { kills: killsOf(second?.id ?? ''), missed: [], subtle: false } as const;
    const kept: FaultProof = { ...last, red, unshown: ['followed-up'], profile: 'standard' };
    const proof = await proved({ known: { ...known, [second?.id ?? '']: kept } });
    expect(proof.ran).not.toContain(`${second?.id ?? ''} standard`);
    expect(proof.faults[second?.id ?? '']?.red).toEqual(red);
  });

  it('runs what the replay does not show, does not show as before, or was never run', async () => {
    const [, a, b, c, d] = faults.map(({ id }) => id);
    const { [d ?? '']: _never, ...others } = known;
    const { ran, holds } = await proved({
      known: others,
      replay: (id) =>
        id === a
          ? { red: [] }
          : id === b
            ? { red: [...killsOf(id), 'more'] }
            : id === c
              ? { needsRun: 'it is late' }
              : {},
    });
    for (const id of [a, b, c, d]) expect(ran).toContain(`${id ?? ''} standard`);
    expect(holds).toBe(true);
  });

  it('looks closer at what a run does not show', async () => {
    const { ran, faults: proofs } = await proved({
      replay: (id) => (id === second?.id ? { red: [] } : {}),
      run: (id, { profile }) => (id === second?.id && profile === 'standard' ? { red: [] } : {}),
    });
    expect(ran).toContain(`${second?.id ?? ''} full`);
    expect(proofs[second?.id ?? '']).toMatchObject({ profile: 'full', missed: [] });
  });

  it('fails when a run does not turn red what the replay did', async () => {
    const { faults: proofs, holds } = await proved({
      run: (id, { profile }) => (id === first?.id && profile === 'standard' ? { red: [] } : {}),
    });
    expect(proofs[first?.id ?? '']?.untrue).toEqual(killsOf(first?.id ?? ''));
    expect(holds).toBe(false);
  });

  it('fails when replays show nothing, though every run does', async () => {
    const { ran, holds } = await proved({ replay: () => ({ red: [] }) });
    expect(ran).toHaveLength(faults.length);
    expect(holds).toBe(false);
  });

  it('runs all of them when it is told to, and a handful as it is', async () => {
    const all = await proved({ runs: true });
    expect(all.ran).toHaveLength(faults.length);
    expect(all.looks).toMatchObject({ run: 40, turns: 0, replayed: 0, shown: 40 });
    const handful = await proved({ of: faults.slice(0, FEW - 1) });
    expect(handful.ran).toHaveLength(FEW - 1);
    expect(handful.looks.looked).toBe(0);
    expect(handful.holds).toBe(true);
  });
});
