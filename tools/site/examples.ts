import { writeFile } from 'node:fs/promises';
import type { CleanRun, Example } from './example.ts';

/** What the pages show of runs. */
export interface Shown {
  /** An example of a finding by requirement; null where no fault of the proof shows one. */
  readonly examples: Readonly<Record<string, Example | null>>;
  readonly clean: CleanRun;
}

/** Moment at which each run begins: that of the proof. */
const START = Date.UTC(2026, 8, 9, 15);
let ticks = 0;

/**
 * A process whose time is counted and not measured: a millisecond each time it is looked at. Findings name times, and two
 * builds of the same version give the same pages.
 */
async function main(file: string): Promise<void> {
  // Before the time is set: how often the runner of the checks looks at the clock is not the same each time.
  await import('@vitest/runner');
  Date.now = () => START + ticks++;
  performance.now = () => Date.now() - performance.timeOrigin;
  // After it: modules keep the clock that they find.
  const { cleanRun, findExample } = await import('./example.ts');
  const { REQUIREMENTS } = await import('#src/requirements/catalogue.ts');
  const { readProofFile } = await import('#proof/kill/report.ts');
  const { killedBy } = await readProofFile();
  const examples: Record<string, Example | null> = {};
  for (const { id } of REQUIREMENTS) {
    ticks = 0;
    const faults = killedBy[id] ?? [];
    if (faults.length > 0) examples[id] = await findExample(id, faults);
  }
  ticks = 0;
  const shown: Shown = { examples, clean: await cleanRun() };
  await writeFile(file, JSON.stringify(shown));
}

await main(process.argv[2] ?? '');
