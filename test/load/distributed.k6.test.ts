import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { embeddedOptions, startReferenceProcess } from '../../src/load/embedded.ts';
import { findK6, quietEnv } from '../../src/load/find-k6.ts';
import type { K6 } from '../../src/load/find-k6.ts';
import { renderK8s } from '../../src/load/k8s.ts';
import { runLoad, segmentArguments } from '../../src/load/load.ts';
import { mergeFolder, parseLog, readContext } from '../../src/load/merge.ts';
import { linesOf } from '../../src/load/observations.ts';
import { secretsText } from '../../src/load/run-scenario.ts';

const built = existsSync(new URL('../../dist/src/load/reference-process.js', import.meta.url));
const k6: K6 | undefined = built
  ? await findK6({ install: process.env['CI'] !== undefined }).catch(() => undefined)
  : undefined;

if (k6 === undefined && process.env['CI'] === undefined) {
  console.warn(
    '\nSKIPPED: load on several processes was not tried. It needs k6 and `npm run build`.\n',
  );
}

it('has k6 in CI', () => {
  if (process.env['CI'] !== undefined) expect(k6).toBeDefined();
});

const WINDOW_MS = 2500;
const settings = { windows: 1 };

describe.skipIf(k6 === undefined)('load on several processes', () => {
  const found = k6 as K6;

  it('gives the totals, the verdict and the percentiles of one process', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-merge-test-'));
    const server = await startReferenceProcess(
      embeddedOptions('rl-exact', settings, { windowMs: WINDOW_MS }),
    );
    try {
      const run = (instances: number): ReturnType<typeof runLoad> =>
        runLoad({
          scenario: 'rl-exact',
          settings,
          target: server.target,
          k6: found,
          command: 'assay load rl-exact',
          allowRemote: false,
          instances,
          ...(instances > 1 && { save: folder }),
        });
      const one = await run(1);
      const four = await run(4);
      expect(four.requests).toEqual(one.requests);
      expect([one.outcome, four.outcome]).toEqual(['passed', 'passed']);
      // Judged again from the logs alone, as those of pods are.
      const merged = await mergeFolder(folder);
      expect(merged.requests).toEqual(four.requests);
      expect(merged.requirements).toEqual(four.requirements);
      expect(merged.latency).toEqual(four.latency);
      // Every answer is in the logs.
      const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
      expect(logs).toHaveLength(4);
      const { runId } = (await readContext(folder)).plan;
      const recordings = await Promise.all(
        logs.map((name) => parseLog(linesOf(path.join(folder, name)), runId)),
      );
      const rows = recordings.flatMap((recording) => recording.rows);
      for (const { status, count, ...read } of merged.latency) {
        const durations = rows
          .filter((row) => row.key !== null && String(row.status) === status)
          .map(({ ms }) => ms)
          .toSorted((a, b) => a - b);
        expect([status, durations.length]).toEqual([status, count]);
        const exact = (share: number): number => durations[Math.ceil(share * count) - 1] ?? NaN;
        for (const [figure, share] of [
          [read.p50, 0.5],
          [read.p95, 0.95],
          [read.p99, 0.99],
          [read.max, 1],
        ] as const) {
          expect(figure).toBe(exact(share));
        }
      }
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('runs a rendered archive as the operator does, and merges the logs', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-k8s-test-'));
    const server = await startReferenceProcess(
      embeddedOptions('rl-exact', settings, { windowMs: WINDOW_MS }),
    );
    try {
      await renderK8s({
        scenario: 'rl-exact',
        settings,
        target: server.target,
        k6: found,
        parallelism: 2,
        startAt: Date.now() + 5000,
        out: folder,
        command: 'assay load rl-exact --render k8s',
      });
      const configMap = parse(await readFile(path.join(folder, 'configmap.yaml'), 'utf8')) as {
        binaryData: Record<string, string>;
      };
      const testRun = parse(await readFile(path.join(folder, 'testrun.yaml'), 'utf8')) as {
        spec: { args: string[] };
      };
      const archive = path.join(folder, 'archive.tar');
      await writeFile(archive, Buffer.from(configMap.binaryData['archive.tar'] ?? '', 'base64'));
      const secrets = path.join(folder, 'keys');
      await writeFile(secrets, secretsText(server.target.keys.valid.slice(0, 1)), { mode: 0o600 });
      const args = testRun.spec.args.map((arg) =>
        arg.replace('file=/secrets/keys', `file=${secrets}`),
      );
      await Promise.all(
        [0, 1].map(async (instance) => {
          const log = await logOf(found.path, [
            'run',
            '--quiet',
            ...segmentArguments(instance, 2),
            ...args,
            archive,
          ]);
          await writeFile(path.join(folder, `pod-${instance}.log`), log);
        }),
      );
      const result = await mergeFolder(folder);
      expect(result.reason).toContain('none violated');
      expect(result.requests).toMatchObject({ admitted: 20, refused: 40, failed: 0 });
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Both streams in one text, as the log of a pod has them. */
function logOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { env: quietEnv(), timeout: 60_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(`${stderr}\n${stdout}`);
      else reject(new Error(`k6 failed: ${stderr}`));
    });
  });
}
