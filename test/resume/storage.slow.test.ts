import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { SessionError } from '../../src/http/errors.ts';
import { journalWriter } from '../../src/http/record/journal-writer.ts';
import { assay, scratch, start } from '../cli/assay.ts';
import { counting, outcomesOf, resultsIn } from './counting.ts';
import { wholeRun } from './kill-points.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Runs `assay` with a file size limit in KiB: the system refuses writes as on a full disk. */
function limited(
  kibibytes: number,
  args: readonly string[],
): Promise<{ code: number | null; text: string }> {
  const child = spawn(
    'bash',
    ['-c', `ulimit -f ${kibibytes}; exec "$@"`, 'bash', process.execPath, main, ...args],
    { cwd: scratch },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

describe('a full disk', () => {
  it.runIf(existsSync('/dev/full'))(
    'is told apart from other failures when the journal meets it',
    () => {
      const journal = journalWriter('/dev/full');
      const write = (): void => journal.write({ type: 'probes', left: 1 });
      expect(write).toThrow(SessionError);
      expect(write).toThrow(/no space left on disk \(ENOSPC\)/);
      journal.close();
    },
  );

  it.skipIf(process.platform === 'win32')(
    'stops the run, keeps what was answered, and lets it go on later to the same outcomes',
    async () => {
      const whole = await wholeRun('before the disk was full');
      const server = await counting();
      const folder = path.join(scratch, 'full disk');
      rmSync(folder, { recursive: true, force: true });
      try {
        const { code, text } = await limited(400, [
          'run',
          '-t',
          server.target,
          '--format',
          'json',
          '--output',
          'full disk',
        ]);
        expect(code, text).toBe(3);
        expect(text).toContain('file size limit exceeded (EFBIG)');
        expect(text).toContain("assay run --resume 'full disk'");
        expect(text).not.toMatch(/\n\s+at /);
        // The results were also too large: there is no file rather than half of one.
        expect(readdirSync(folder)).toEqual(['journal.ndjson']);
        const stopped = server.seen.length;
        expect(stopped).toBeLessThan(whole.seen.length);
        const resumed = await assay([
          'run',
          '-t',
          server.target,
          '--format',
          'json',
          '--resume',
          'full disk',
        ]);
        expect(resumed.code, resumed.text).toBe(0);
        expect(outcomesOf(resultsIn('full disk'))).toEqual(outcomesOf(whole.results));
        expect(existsSync(path.join(folder, 'journal.ndjson'))).toBe(false);
      } finally {
        await server.close();
      }
    },
  );

  it('sends nothing when the journal cannot be written', async () => {
    const server = await counting();
    try {
      const { code, stderr } = await assay([
        'run',
        '-t',
        server.target,
        '--output',
        '/dev/null/reports',
      ]);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain('--output');
      expect(server.seen).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stop the run with a partial report: %s',
    async (name) => {
      const server = await counting({ validKeys: 1 });
      const target = JSON.parse(readFileSync(server.target, 'utf8')) as {
        keys: { valid: string[] };
      };
      try {
        // Without clock control, the run has to wait for a window of a minute.
        const env = { ASSAY_API_KEY: target.keys.valid[0] ?? '' };
        const base = `${server.origin}/v1`;
        const running = start(['run', '-u', base, '--output', name, '--format', 'json'], env);
        await running.until('waiting');
        running.child.kill(name);
        const { code, stdout } = await running.ended;
        expect(code).toBe(130);
        expect(stdout).toMatch(new RegExp(`: assay run --\\S+ .*--resume ${name}\n`));
        const results = resultsIn(name);
        expect(results.verdict).toBe('interrupted');
        // When resumed, it sends nothing twice within the window; when stopped again immediately, the journal stays
        // complete.
        const again = start(['run', '--resume', name, '--format', 'json'], env);
        await again.until('waiting');
        again.child.kill(name);
        again.child.kill(name);
        expect((await again.ended).code).toBe(130);
        expect(new Set(server.seen).size).toBeGreaterThanOrEqual(server.seen.length - 1);
        const { code: replayed } = await assay([
          'run',
          '--replay',
          `${name}/journal.ndjson`,
          '--format',
          'json',
          '--output',
          `${name} 2`,
        ]);
        expect([0, 3]).toContain(replayed);
      } finally {
        await server.close();
      }
    },
  );
});
