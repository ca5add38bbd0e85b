// Reports that cannot be written are reported before the verdict, with the actual exit code.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../kept/environment.ts';
import { scratch } from './assay.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

describe.skipIf(process.platform === 'win32')(
  'a disk that is full when the reports are written',
  () => {
    it('is reported before NO VIOLATION FOUND, without exit code 0', () => {
      // Large enough for two responses, too small for the page.
      const limited = `ulimit -f 200; exec "$@" 2>&1`;
      const run = ['run', '--only', '2.1', '-q', '-o', 'full disk'];
      const { status, stdout } = spawnSync(
        'bash',
        ['-c', limited, 'bash', process.execPath, main, ...run],
        { cwd: scratch, env: cleanEnvironment(), encoding: 'utf8' },
      );
      const [complaint, verdict] = ['[ASSAY_REPORT_WRITE]', 'NO VIOLATION FOUND'].map((words) =>
        stdout.indexOf(words),
      );
      expect(complaint, stdout).toBeGreaterThanOrEqual(0);
      expect(verdict).toBeGreaterThan(complaint ?? 0);
      expect(stdout).toContain('exit code 3');
      expect(stdout).not.toContain('exit code 0');
      expect(status).toBe(3);
    });
  },
);
