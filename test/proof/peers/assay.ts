import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { reachedVerdict } from '#src/report/model/gate.ts';
import type { Results } from '#src/report/model/results.ts';
import { packageRoot } from '#src/fs/package-root.ts';
import { toolVersion } from '#src/run/version.ts';
import { runProgram } from './process.ts';
import { distinct } from './tool.ts';
import type { Tool, Verdict } from './tool.ts';

/** `assay run` as its users start it; the server's clock is moved instead of waited for. */
export function assayTool(profile: 'standard' | 'full', validKeys: number): Tool {
  return {
    id: `assay-${profile}`,
    title: `Assay, ${profile}`,
    version: toolVersion(),
    command: `assay run --target TARGET.json --profile ${profile} --seed SEED --format json --output FOLDER`,
    open: false,
    random: false,
    async run(server, { seed, folder, signal, timeoutMs }) {
      const target = path.join(folder, 'target.json');
      const output = path.join(folder, 'report');
      await writeFile(target, JSON.stringify(server.targetFile(validKeys)), { mode: 0o600 });
      const ended = await runProgram(
        process.execPath,
        [
          path.join(packageRoot, 'dist', 'src', 'cli', 'main.js'),
          'run',
          '--target',
          target,
          '--profile',
          profile,
          '--seed',
          String(seed),
          '--format',
          'json',
          '--output',
          output,
        ],
        { cwd: folder, timeoutMs, signal },
      );
      if (ended.late) return { failures: [], trouble: `took more than ${timeoutMs / 1000} s` };
      const text = await readFile(path.join(output, 'results.json'), 'utf8').catch(() => undefined);
      if (text === undefined) {
        return { failures: [], trouble: `exit code ${String(ended.code)}, no results.json` };
      }
      return assayVerdict(JSON.parse(text) as Results);
    },
  };
}

/** Musts that failed and shoulds that warned. A run without a verdict is trouble, whatever it saw. */
export function assayVerdict(results: Pick<Results, 'requirements' | 'verdict'>): Verdict {
  const failures = distinct(
    results.requirements
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
      .map(({ id }) => id),
  );
  const reached = reachedVerdict(results.verdict);
  return reached ? { failures } : { failures, trouble: `verdict ${results.verdict}` };
}
