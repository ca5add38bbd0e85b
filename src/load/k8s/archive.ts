import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { LoadError } from '../errors.ts';
import { quietEnv } from '../find-k6.ts';
import type { K6 } from '../find-k6.ts';
import { packageFile } from '../package-root.ts';
import type { LoadPlan } from '../plan.ts';
import { readTar, writeTar } from './tar.ts';
import type { TarEntry } from './tar.ts';

const run = promisify(execFile);

/** Folder that the files of an archive seem to come from. */
const ROOT = '/assay';

/**
 * Packs a scenario with its plan and everything it imports into one file that `k6 run` takes. The same plan gives the
 * same bytes: dates and folders of this machine are taken out.
 */
export async function packScenario(plan: LoadPlan, k6: K6): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-pack-'));
  try {
    const planFile = path.join(folder, 'plan.json');
    const archive = path.join(folder, 'archive.tar');
    await writeFile(planFile, JSON.stringify(plan));
    const script = packageFile('load', 'scenarios', `${plan.scenario}.ts`);
    await run(k6.path, ['archive', '-e', `ASSAY_PLAN=${planFile}`, '-O', archive, script], {
      env: quietEnv(),
      timeout: 60_000,
    });
    return repack(await readFile(archive), [
      [folder, `${ROOT}/plan`],
      [path.dirname(packageFile('load')), `${ROOT}/app`],
    ]);
  } catch (cause) {
    if (cause instanceof LoadError) throw cause;
    throw new LoadError(
      'ASSAY_LOAD_RUN',
      `k6 could not pack ${plan.scenario}: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Run the scenario on this machine first.',
      cause,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaces folders of this machine in names and in the metadata, and drops what is only a folder. */
function repack(archive: Buffer, folders: readonly (readonly [string, string])[]): Buffer {
  const moved = (text: string): string =>
    folders.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  const entries = readTar(archive)
    .filter(({ type }) => type !== '5')
    .map((entry): TarEntry => ({
      ...entry,
      name: moved(entry.name),
      content:
        entry.name === 'metadata.json'
          ? Buffer.from(moved(entry.content.toString('utf8')))
          : entry.content,
    }));
  return writeTar(entries);
}
