import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createReference,
  movableClock,
  type ReferenceOptions,
} from '../../src/reference/reference.ts';
import { scratch } from './assay.ts';
import { WORLD } from '../kept/data.ts';

export interface Served {
  readonly baseUrl: string;
  /** Path of a target file with all keys. */
  readonly target: string;
  readonly validKeys: readonly string[];
  stop(): Promise<void>;
}

let files = 0;

/** The server of `assay serve` in this process, for tests of runs rather than of that command. */
export async function served(options: ReferenceOptions = {}): Promise<Served> {
  const clock = movableClock();
  const reference = createReference({
    basePath: '',
    world: WORLD,
    clock,
    control: true,
    ...options,
  });
  const listening = await reference.listen();
  const file = reference.targetFile(listening.baseUrl);
  const target = path.join(scratch, `served ${(files += 1)}.json`);
  writeFileSync(target, JSON.stringify(file));
  return {
    baseUrl: listening.baseUrl,
    target,
    validKeys: file.keys.valid,
    stop: () => listening.close(),
  };
}
