import { describe, expect, it } from 'vitest';
import { evidenceFingerprint } from '../../src/report/model/fingerprint.ts';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { rerunCommand, rerunNote } from '../../src/report/analysis/rerun.ts';
import type { Finding } from '../../src/spec/finding.ts';
import { uniqueFindings } from '../../src/run/assemble.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const PLAIN = 'GET /news answered status 200';
const finding = (replay?: string, exchange = 'x1'): Finding => ({
  requirement: '4.2/language',
  kind: 'let-in',
  message: PLAIN,
  expected: 'status 400',
  actual: 'status 200',
  pointer: null,
  exchange,
  ...(replay !== undefined && { replay }),
});

describe('a finding that a rule and a property made of the same answer', () => {
  const all = [finding('news:0:1:0'), finding(), finding(undefined, 'x2')];
  const findings = uniqueFindings(all);

  it('is one, and keeps its case', () => {
    expect(findings.map(({ exchange, replay }) => [exchange, replay])).toEqual([
      ['x1', 'news:0:1:0'],
      ['x2', null],
    ]);
    expect(uniqueFindings(all.toReversed()).at(-1)?.replay).toBe('news:0:1:0');
  });

  it('is one in its cause, and gives the same fingerprint as without the case', () => {
    const requirement = makeRequirement('4.2/language', 'failed', { findings });
    const [cause] = groupCauses({ ...makeResults(), requirements: [requirement] });
    expect(cause?.members).toHaveLength(2);
    expect(cause?.message).toBe(PLAIN);
    const without = { ...requirement, findings: uniqueFindings(all.slice(1)) };
    expect(evidenceFingerprint(requirement, new Map())).toBe(
      evidenceFingerprint(without, new Map()),
    );
  });
});

describe('a wrong status with the right code', () => {
  const refused = makeExchange(1, { endpoint: '/news', path: '/news', status: 403 });
  const printed = (more: Partial<Finding>, exchange = refused): string | null => {
    const findings = uniqueFindings([{ ...finding(), ...more }]);
    const requirement = makeRequirement('7/status-agrees', 'failed', { findings });
    return evidenceFingerprint(requirement, new Map([['x1', exchange]]));
  };

  it.each(['crashed', 'refused-otherwise', 'status-of-code', 'listed-pair-refused'])(
    'keeps the fingerprint that %s had when it was found at the code',
    (kind) => {
      expect(printed({ kind, header: ':status' })).toBe(printed({ kind, pointer: '/code' }));
    },
  );

  it('is another fingerprint where it was always found at the status', () => {
    const kind = 'request-refused';
    expect(printed({ kind, header: ':status' })).not.toBe(printed({ kind, pointer: '/code' }));
  });
});

describe('rerunCommand', () => {
  const results = makeResults();
  const plain = { ...results, target: { ...results.target, keys: { valid: ['k:1'] } } };

  it('names the base URL when a key was all it took, and never a key', () => {
    expect(rerunCommand(plain, { id: '4.2/total' })).toBe(
      'assay run --base-url https://staging.example/v1 --seed 7 --only 4.2/total',
    );
    expect(rerunNote(plain)).toContain('ASSAY_API_KEY');
  });
  it('names the seed, be it drawn by the day or the default one', () => {
    const rotated = { ...plain, seed: 20_780 };
    expect(rerunCommand(rotated, { id: '4.2/total' })).toContain(' --seed 20780 --only 4.2/total');
    expect(rerunCommand({ ...plain, seed: 1 })).toContain(' --seed 1');
  });
  it('asks for the target file when the run had what only a file can give', () => {
    const roles = { ...plain.target, keys: { valid: ['k:1'], expired: ['k:2'] } };
    expect(rerunCommand({ ...plain, target: roles })).toBe('assay run --target FILE --seed 7');
    const wrapped = { ...plain.target, envelope: 'data' };
    expect(rerunCommand({ ...plain, target: wrapped })).toContain('--target FILE');
    expect(rerunNote({ ...plain, target: roles })).toContain('FILE');
  });
  it('names the target file of the run, as the user wrote it', () => {
    const named = { ...plain.target, keys: { valid: ['k:1'] }, file: "my targets/it's.yaml" };
    expect(rerunCommand({ ...plain, target: named }, { id: '4.2/total' })).toBe(
      `assay run --target 'my targets/it'\\''s.yaml' --seed 7 --only 4.2/total`,
    );
    expect(rerunNote({ ...plain, target: named })).toBeNull();
    // The address in the file is another one than that of the run.
    const elsewhere = { ...named, file: 'a.yaml', baseUrlGiven: true as const };
    expect(rerunCommand({ ...plain, target: elsewhere })).toBe(
      'assay run --target a.yaml --base-url https://staging.example/v1 --seed 7',
    );
    // Nothing is at the address of the run.
    const found = { ...named, file: 'a.yaml', foundAt: 'https://staging.example/api/v1' };
    expect(rerunCommand({ ...plain, target: found })).toBe(
      'assay run --target a.yaml --base-url https://staging.example/api/v1 --seed 7',
    );
    expect(rerunCommand({ ...plain, target: { ...named, reference: true } })).toBe(
      'assay run --seed 7',
    );
  });
  it('keeps the profile, and takes the full one for a case that a property drew', () => {
    expect(rerunCommand({ ...plain, profile: 'smoke' })).toContain(' --profile smoke ');
    expect(rerunCommand(plain, { id: '4.2/total', path: 'news:0:1' })).toBe(
      'assay run --base-url https://staging.example/v1 --profile full --seed 7 --path news:0:1 --only 4/no-5xx --only 4.2/total',
    );
    expect(rerunCommand({ ...plain, profile: '$(evil)' })).not.toContain('evil');
  });
});
