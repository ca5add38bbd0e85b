import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '#src/fs/package-root.ts';
import { jsonRecords } from '#src/text/json-records.ts';
import type { Proof } from './proof.ts';

/** Where the figures of the last whole proof are kept. */
const FILE = path.join(packageRoot, 'reports', 'proof.json');

/**
 * The figures of the last whole proof.
 * @throws Error when there are none
 */
export async function readProofFile(): Promise<Proof> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Proof;
}

/** Writes some of the figures and keeps the others as they are; returns where they are, relative to the working folder. */
export async function saveProof(part: Partial<Proof>): Promise<string> {
  const before: Partial<Proof> = await readProofFile().catch(() => ({}));
  await mkdir(path.dirname(FILE), { recursive: true });
  await writeFile(FILE, jsonRecords({ ...before, ...part }));
  return path.relative('', FILE);
}
