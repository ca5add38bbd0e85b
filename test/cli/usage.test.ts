import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assay, scratch } from './assay.ts';
import { EXIT } from '../../src/spec/exit-codes.ts';
import { makeResults } from '../report/fixture.ts';
import { serving } from '../trust/servers.ts';

const STACK = /\n\s+at .+:\d+:\d+/;

describe('assay, used wrongly', () => {
  it.each([
    [['runn'], 'Did you mean run?'],
    [[], 'Missing command.'],
    [['run', '--onyl', '4.3'], 'Unknown argument: onyl'],
    [['run', '--only', '4.3/symbol-enumm'], 'Did you mean 4.3/symbol-enum?'],
    [['run', '--only', '12'], '--only 12 selects no requirement'],
    [['run', '--format', 'jnit'], 'Did you mean junit?'],
    [['run', '--profile', 'quick'], 'profile'],
    [['run', '--max-requests', '0'], '--max-requests takes a whole number above 0'],
    [['run', '--concurrency', '0'], '--concurrency takes a whole number above 0'],
    [['run', '--concurrency', '1.5'], '--concurrency takes a whole number above 0'],
    [['run', '--seed', 'x'], '--seed takes a whole number'],
    [['plan', '--seed', '1.5'], '--seed takes a whole number'],
    [['run', '--rotate', '--seed', '7'], '--rotate and --seed cannot be combined'],
    [['plan', '--rotate', '--seed', '1'], '--rotate and --seed cannot be combined'],
    [['run', '--rotate', '--resume', 'x'], '--rotate and --resume cannot be combined'],
    [['run', '--rotate', '--replay', 'x'], '--rotate and --replay cannot be combined'],
    [['run', '--label', 'release'], '--label takes key=value'],
    [['run', '--label', '=2026.11'], '--label takes key=value'],
    [['load', 'rl-exact', '--label', '1=2'], '--label takes key=value'],
    [['run', '-o', 'a', '--output=b'], '--output is given more than once'],
    [['plan', '--seed', '1', '--seed', '2'], '--seed is given more than once'],
    [['run', '-u', 'ftp://x', '-k', 'abcdefgh1'], 'http'],
    [['run', '-u', 'http://127.0.0.1:9'], 'No valid API key'],
    [['run', '-t', 'no-such-file.yaml'], 'no-such-file.yaml'],
    [['run', '-u', '127.0.0.1:5055', '-k', 'abcdefgh1'], 'http:// or https://, which is missing'],
    [['run', '-u', 'localhost:5055', '-k', 'abcdefgh1'], 'http:// or https://, which is missing'],
    [['serve', '--fault', 'no-such-fault'], 'There is no fault "no-such-fault". ['],
    [['serve', '--fault', 'nope'], 'There is no fault "nope". ['],
    [['serve', '--variant', 'extra-feilds'], 'There is no variant'],
    [['serve', '--port', '99999'], 'Cannot listen on port 99999'],
    [['requirements', '4.3/symbol-enmu'], 'Did you mean 4.3/symbol-enum?'],
    [['report', 'no-such-results.json'], 'Cannot read no-such-results.json'],
  ])('%j exits 2 and says what is wrong', async (args, words) => {
    const { code, stderr, stdout } = await assay(args);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(STACK);
    expect(stdout).not.toMatch(STACK);
  });

  it('names file, line and setting of a bad target file', async () => {
    const file = path.join(scratch, 'bad target.yaml');
    writeFileSync(
      file,
      'baseUrl: http://127.0.0.1:9/v1\nkeys:\n  valid: [abcdefgh12]\n  expierd: abcdefgh34\n',
    );
    const { code, stderr } = await assay(['run', '-t', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/bad target\.yaml:4:\d+/);
    expect(stderr).toContain('keys.expierd');
    expect(stderr).toContain('expired');
    expect(stderr).not.toMatch(STACK);
  });

  it('says that http:// is missing in an address of a target file', async () => {
    const file = path.join(scratch, 'no scheme.yaml');
    writeFileSync(file, 'baseUrl: 127.0.0.1:5055\nkeys:\n  valid: [abcdefgh12]\n');
    const { code, stderr } = await assay(['run', '-t', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no scheme\.yaml:1:1: baseUrl: .* begins with http:\/\/ or https:\/\//);
  });

  it('names the variable of a target file that is not set', async () => {
    const file = path.join(scratch, 'variable.yaml');
    writeFileSync(
      file,
      'baseUrl: http://127.0.0.1:9/v1\nkeys:\n  valid: ["${NO_SUCH_VARIABLE}"]\n',
    );
    const { code, stderr } = await assay(['run', '-t', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('NO_SUCH_VARIABLE');
    expect(stderr).toMatch(/variable\.yaml:3/);
  });
});

describe('assay, asked for help', () => {
  it.each([['--help'], ['run', '--help'], ['serve', '--help'], ['requirements', '--help']])(
    'answers %j %j',
    async (...args) => {
      const { code, stdout } = await assay(args.filter((arg) => arg !== undefined));
      expect(code).toBe(0);
      expect(stdout).toContain('assay');
    },
  );

  it('shows example commands unbroken, however long, and every format', async () => {
    const { stdout } = await assay(['run', '--help']);
    expect(stdout).toMatch(/^ +assay run -t staging\.yaml --only 4\.3,5 --fail-on should$/m);
    const commands = ['run', 'check', 'report', 'load'];
    const helps = await Promise.all(commands.map((command) => assay([command, '--help'])));
    for (const [index, { stdout: text }] of helps.entries()) {
      const help = text.replaceAll(/\s+/g, ' ');
      expect(help, commands[index]).toContain('html-dir');
      expect(help, commands[index]).toContain('sarif');
    }
  });

  it('prints a requirement as JSON, without how it is judged', async () => {
    const { stdout } = await assay(['requirements', '4.3/symbol-enum', '--format', 'json']);
    const [one] = JSON.parse(stdout) as Record<string, unknown>[];
    expect(Object.keys(one ?? {}).toSorted()).toEqual([
      'basis',
      'checks',
      'clauses',
      'endpoints',
      'faults',
      'id',
      'level',
      'proven',
      'rulings',
      'section',
      'shownBy',
      'title',
      'usually',
      'why',
    ]);
  });

  it('compares no load run with a run of the suites, and shows no changes of one', async () => {
    const [run, load] = ['run', 'load'].map((profile) => {
      const file = path.join(scratch, `${profile} results.json`);
      const results = { ...makeResults(), ...(profile === 'load' && { profile, exchanges: [] }) };
      writeFileSync(file, JSON.stringify(results));
      return file;
    }) as [string, string];
    for (const [args, words] of [
      [['diff', run, load, '--fail-on', 'unverified'], 'they cannot be compared'],
      [['report', load, '--baseline', load], 'a load run shows no changes'],
    ] as const) {
      const { code, stderr } = await assay(args);
      expect(stderr).toContain(words);
      expect(code).toBe(EXIT.usage);
    }
  });

  it('explains a requirement', async () => {
    const { code, stdout } = await assay(['requirements', '4.3/symbol-enum']);
    expect(code).toBe(0);
    expect(stdout).toContain('400003');
    expect(stdout).toContain('ruling 9');
  });

  it('does not call a taken port a bug', async () => {
    const server = await serving(() => undefined);
    try {
      const { port } = new URL(server.origin);
      for (const more of [[], ['--upstream', 'http://127.0.0.1:1']]) {
        const { code, stderr } = await assay(['serve', '--port', port, ...more]);
        expect(code).toBe(EXIT.usage);
        expect(stderr).toContain(`Cannot listen on port ${port} (EADDRINUSE).`);
        expect(stderr).not.toContain('bug');
      }
    } finally {
      await server.close();
    }
  });

  it('lists faults with the requirements they violate, and variants', async () => {
    const { code, stdout } = await assay(['serve', '--list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/-> \d/);
    expect(stdout).toContain('Variants');
  });
});
