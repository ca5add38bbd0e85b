import { describe, expect, it } from 'vitest';
import { k6Arguments, secretsText } from './run-scenario.ts';

describe('the command line of k6', () => {
  const args = k6Arguments({ console: '/t/rows', secrets: '/t/secrets', script: '/p/rl-exact.ts' });

  it('sends no usage report and keeps the summary', () => {
    expect(args).toContain('--no-usage-report');
    expect(args.join(' ')).not.toContain('summary-mode=disabled');
  });

  it('gives keys through a file and never as an argument', () => {
    expect(args).toContain('--secret-source=file=/t/secrets');
    expect(secretsText(['one-key', 'two=key'])).toBe('key0=one-key\nkey1=two=key\n');
    expect(args.join(' ')).not.toContain('one-key');
  });

  it('ends with the script', () => {
    expect(args.at(-1)).toBe('/p/rl-exact.ts');
  });
});
