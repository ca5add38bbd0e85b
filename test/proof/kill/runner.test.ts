import { describe, expect, it } from 'vitest';
import type { ProofResult, ProofTask } from './catalogue.ts';
import { FEW, lookAt } from './runner.ts';

const faults = Array.from({ length: FEW }, (_, index) => ({ id: `f${index}` }));

/** What a replay or a run of a fault comes to. */
type Came = (id: string, task: ProofTask) => Partial<ProofResult>;

const SEEN = { exitCode: 1 };
const UNSEEN = { exitCode: 0 };

async function examine({
  of = faults,
  replay = () => SEEN,
  run = () => SEEN,
  isRun = false,
}: {
  of?: readonly { readonly id: string; readonly profile?: 'full' }[];
  replay?: Came;
  run?: Came;
  isRun?: boolean;
}) {
  const ran: string[] = [];
  const resultOf = (task: ProofTask): ProofResult => {
    const [id = ''] = task.faults;
    if (task.replayed !== true) ran.push(`${id} ${task.profile}`);
    return {
      task,
      verdict: 'conforms',
      exitCode: 0,
      sentence: '',
      outcomes: {},
      reasons: {},
      validRequests: 0,
      ...(task.replayed === true ? { effect: id, ...replay(id, task) } : run(id, task)),
    };
  };
  const looks = await lookAt(of, (_, { exitCode }) => exitCode === 1, ['standard', 'full'], {
    runAll: async (tasks) => tasks.map(resultOf),
    isRun,
  });
  return { ran, unseen: looks.filter(({ seen }) => !seen).map(({ of: { id } }) => id), looks };
}

describe('a look at faults', () => {
  it('runs nothing that a replay shows', async () => {
    expect(await examine({})).toMatchObject({ ran: [], unseen: [] });
  });

  it('runs what a replay does not show, or cannot', async () => {
    const replay: Came = (id) =>
      id === 'f1' ? UNSEEN : id === 'f2' ? { ...SEEN, needsRun: 'it is late' } : SEEN;
    expect(await examine({ replay })).toMatchObject({
      ran: ['f1 standard', 'f2 standard'],
      unseen: [],
    });
  });

  it('runs one of those that change the same answers, and none of those that change nothing', async () => {
    const replay: Came = (id) => ({ ...UNSEEN, effect: id === 'f0' ? '' : 'same' });
    const { ran, looks } = await examine({ replay });
    // What is left is too little for another replay.
    expect(ran).toEqual(['f1 standard', 'f0 full']);
    expect(looks.map(({ of: { id } }) => id)).toEqual(faults.map(({ id }) => id));
  });

  it('looks closer at what a run does not show, and only closely where nothing else helps', async () => {
    const run: Came = (_, { profile }) => (profile === 'full' ? SEEN : UNSEEN);
    const of = [{ id: 'f0' }, { id: 'f1', profile: 'full' as const }];
    const { ran, unseen, looks } = await examine({ of, run });
    expect(ran).toEqual(['f0 standard', 'f0 full', 'f1 full']);
    expect(unseen).toEqual([]);
    expect(looks.map(({ result }) => result.task.profile)).toEqual(['full', 'full']);
  });

  it('says what nothing shows', async () => {
    const { unseen } = await examine({ of: [{ id: 'f0' }], run: () => UNSEEN });
    expect(unseen).toEqual(['f0']);
  });

  it('runs all of them when it is told to, and a handful as it is', async () => {
    expect((await examine({ isRun: true })).ran).toHaveLength(FEW);
    expect((await examine({ of: faults.slice(1) })).ran).toHaveLength(FEW - 1);
  });
});
