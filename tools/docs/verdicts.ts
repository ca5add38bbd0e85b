import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import { packageRoot } from '#src/fs/package-root.ts';
import { jsonRecords } from '#src/text/json-records.ts';
import type { Proof } from '#proof/kill/report.ts';
import {
  announced,
  contradictions,
  newestFirst,
  type KeptVerdicts,
  type VerdictChange,
  type Verdicts,
} from './verdict-changes.ts';

const KEPT = path.join(packageRoot, 'docs', 'verdicts');
const CHANGESETS = path.join(packageRoot, '.changeset');

/** What decides the verdicts of this working copy. */
export function verdictsNow({ faults }: Proof): Verdicts {
  return {
    levels: Object.fromEntries(REQUIREMENTS.map(({ id, level }) => [id, level])),
    red: Object.fromEntries(Object.entries(faults).map(([id, { red }]) => [id, red])),
  };
}

/** The verdicts of released versions, the newest first. */
export async function keptVerdicts(): Promise<readonly KeptVerdicts[]> {
  const names = (await readdir(KEPT)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(KEPT, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as KeptVerdicts).toSorted(newestFirst);
}

/** What the changesets announce that are not released yet, and what is wrong with it. */
export async function pendingChanges(
  kept: readonly KeptVerdicts[],
  now: Verdicts,
): Promise<{ readonly changes: readonly VerdictChange[]; readonly problems: readonly string[] }> {
  const names = (await readdir(CHANGESETS)).filter((name) => name.endsWith('.md')).toSorted();
  const read = await Promise.all(
    names.map(async (name) => {
      const { changes, problems } = announced(await readFile(path.join(CHANGESETS, name), 'utf8'));
      return { changes, problems: problems.map((one) => `.changeset/${name}: ${one}`) };
    }),
  );
  const changes = read.flatMap((one) => one.changes);
  const [last] = kept;
  return {
    changes,
    problems: [
      ...read.flatMap((one) => one.problems),
      ...(last === undefined ? [] : contradictions(last, now, changes)),
    ],
  };
}

/** Keeps the verdicts of a version, for those after it to be compared with; returns the file. */
export async function keepVerdicts(kept: KeptVerdicts): Promise<string> {
  await mkdir(KEPT, { recursive: true });
  const file = path.join(KEPT, `${kept.version}.json`);
  await writeFile(file, jsonRecords({ ...kept }));
  return path.relative(packageRoot, file);
}
