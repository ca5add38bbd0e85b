import type { RequirementId } from '#src/spec/requirement-id.ts';
import { TRADING_DAY } from '../kill/catalogue.ts';
import type { CleanRun, Example } from './example.ts';

/** What a worker is asked: an example of a finding, or what a clean run asks for. */
export type ExampleTask =
  | { readonly kind: 'example'; readonly id: RequirementId; readonly faults: readonly string[] }
  | { readonly kind: 'clean' };

/** What it answers. */
export type ExampleAnswer =
  | { readonly kind: 'example'; readonly id: string; readonly example: Example | null }
  | { readonly kind: 'clean'; readonly run: CleanRun }
  | { readonly kind: 'failed'; readonly error: string };

// Before the time is set: how often the runner of the checks looks at the clock is not the same each time.
await import('@vitest/runner');

let ticks = 0;

/**
 * The time of this process is counted and not measured: a millisecond each time it is looked at, from the same moment in
 * each run. Findings name times, and two builds of the same version give the same pages.
 */
const now = (): number => TRADING_DAY + ticks++;
Date.now = now;
performance.now = () => now() - performance.timeOrigin;

async function answer(task: ExampleTask): Promise<ExampleAnswer> {
  // After the time is set: modules keep the clock that they find.
  const { cleanRun, findExample } = await import('./example.ts');
  ticks = 0;
  if (task.kind === 'clean') return { kind: 'clean', run: await cleanRun() };
  const { id, faults } = task;
  return { kind: 'example', id, example: await findExample(id, faults) };
}

process.on('message', (task: ExampleTask) => {
  answer(task).then(
    (given) => process.send?.(given),
    (error: unknown) =>
      process.send?.({
        kind: 'failed',
        error: String(error instanceof Error ? error.stack : error),
      }),
  );
});
process.on('disconnect', () => process.exit(0));
