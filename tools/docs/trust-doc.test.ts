import { describe, expect, it } from 'vitest';
import type { OperatorProof } from '#proof/kill/report.ts';
import { readProofFile } from '#proof/kill/report.ts';
import { trustDoc } from './trust-doc.ts';

const survivor = (id: string): OperatorProof['survivors'][number] => ({
  id,
  title: `Fault ${id}`,
  level: 'must',
  red: [],
});

const operators = (survivors: OperatorProof['survivors']): OperatorProof => ({
  origin: { commit: 'abc1234', command: 'npm run prove -- --all' },
  generated: 10,
  drawn: 10,
  profiles: ['smoke', 'standard', 'full'],
  rows: [
    { operator: 'ignored', level: 'must', faults: 8, seen: { smoke: 1, standard: 6, full: 7 } },
    { operator: 'order', level: 'should', faults: 2, seen: { smoke: 0, standard: 1, full: 2 } },
  ],
  survivors,
});

describe('the page on trust', () => {
  it('says by operator how many faults each profile sees', async () => {
    const text = trustDoc({ ...(await readProofFile()), operators: operators([]) });
    expect(text).toMatch(
      /\| ignored \|.*\| must \| 8 \| 1 \(12.5 %\) \| 6 \(75.0 %\) \| 7 \(87.5 %\) \|/,
    );
    expect(text).toMatch(
      /\| all \|.*\| should \| 2 \| 0 \(0.0 %\) \| 1 \(50.0 %\) \| 2 \(100.0 %\) \|/,
    );
  });

  it('names survivors one by one', async () => {
    const proof = await readProofFile();
    expect(trustDoc({ ...proof, operators: operators([survivor('op/x/y')]) })).toContain(
      '- `op/x/y` Fault op/x/y',
    );
  });

  it('says so when something was not run', async () => {
    const { operators: _operators, worlds: _worlds, ...proof } = await readProofFile();
    expect(trustDoc(proof).match(/The last whole proof did not run/g)).toHaveLength(2);
  });
});
