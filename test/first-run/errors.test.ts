import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/cli/error-codes.ts';
import { fail } from '../../src/cli/errors.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('error codes', () => {
  /** Classes that never reach a user: used within a check, the reference server, or one function. */
  const INNER = new Set([
    'Inconclusive',
    'Untested',
    'Violation',
    'Refusal',
    'Malformed',
    'Interrupted',
    'SessionError',
    'BadBody',
    'WalkError',
    'UnreadableMessage',
    'NeedsData',
  ]);

  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('report-app'),
    )
    .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'));

  it('are known for every class of errors', () => {
    const classes = sources.flatMap((text) =>
      text.split(/^(?=(?:export )?class )/m).flatMap((part) => {
        const match = /^(?:export )?class (\w+) extends (?:\w*Error)\b/.exec(part);
        return match === null ? [] : [[match[1] ?? '', part] as const];
      }),
    );
    expect(classes.length).toBeGreaterThan(10);
    // The type of a HintedError requires a code.
    const uncoded = classes
      .filter(([name]) => !INNER.has(name))
      .filter(
        ([, text]) => !/readonly code\b|'ASSAY_[A-Z0-9_]+'|extends HintedError<\w+>/.test(text),
      );
    expect(uncoded.map(([name]) => name)).toEqual([]);
  });

  it('are all in the catalogue, and the catalogue has no others', () => {
    // Environment variables look the same; only codes occur as a type, a field or a first argument.
    const used = new Set(
      sources.flatMap((text) =>
        [
          ...text.matchAll(
            /(?:\|\s*|code(?:: [^=]*)? = |Error\(\s*|super\(\s*|refuse\(\s*|^\s*)'(ASSAY_[A-Z0-9_]+)'/gm,
          ),
        ].map(([, code]) => code ?? ''),
      ),
    );
    used.delete('ASSAY_K6');
    const codes = new Set(Object.keys(ERROR_CODES));
    expect([...used].filter((code) => !codes.has(code))).toEqual([]);
    const thrown = [...codes].filter(
      (code) =>
        !sources
          .filter((text) => !text.includes('ERROR_CODES: Readonly'))
          .some((text) => text.includes(`'${code}'`)),
    );
    expect(thrown).toEqual([]);
  });

  it('are documented with their exit code', () => {
    const doc = readFileSync(path.join(root, 'docs', 'errors.md'), 'utf8');
    for (const [code, { exit, meaning, wayOut }] of Object.entries(ERROR_CODES)) {
      const row = doc.split('\n').find((line) => line.includes(`\`${code}\``));
      const cells = row?.split('|').map((cell) => cell.trim());
      expect(cells?.slice(1, -1), code).toEqual([`\`${code}\``, String(exit), meaning, wayOut]);
    }
  });
});

describe('an error that reaches the user', () => {
  const shown = (error: unknown): { text: string; exit: number } => {
    let text = '';
    const exit = fail(error, { write: (part: string) => (text += part) });
    return { text, exit };
  };

  it('has a message, its code and a hint, and no stack', () => {
    const { text, exit } = shown(
      Object.assign(new Error('It is not there.'), { code: 'ASSAY_TARGET_UNREADABLE' }),
    );
    expect(text).toBe(
      'assay: It is not there. [ASSAY_TARGET_UNREADABLE]\nCheck the path in --target or ASSAY_TARGET, or create a target file with `assay init`.\n',
    );
    expect(exit).toBe(2);
  });

  it('has a specific hint where there is one', () => {
    const error = Object.assign(new Error('No.'), { code: 'ASSAY_USAGE', hint: 'Do this.' });
    expect(shown(error).text).toBe('assay: No. [ASSAY_USAGE]\nDo this.\n');
  });

  it('blames the user for a file and Assay for anything unexpected', () => {
    const full = Object.assign(new Error('ENOSPC: no space left'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect(shown(full)).toMatchObject({
      exit: 2,
      text: expect.stringContaining('[ASSAY_FILE]') as string,
    });
    const unknown = shown(new TypeError('x is not a function'));
    expect(unknown.exit).toBe(4);
    expect(unknown.text).toContain('[ASSAY_INTERNAL]');
    expect(unknown.text).toContain('bug in Assay');
    expect(shown('a text').exit).toBe(4);
  });

  it('cannot send control sequences to the terminal', () => {
    expect(shown(new Error('\u001b[2Jgone')).text).not.toContain('\u001b');
  });
});
