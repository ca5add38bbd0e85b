import type { Cause } from './causes.ts';
import { rerunCommand } from './rerun.ts';
import type { Results } from '../model/results.ts';
import { sendAgain } from './send-again.ts';

/** A command with its purpose and the program it starts. */
export type NamedCommand = readonly [label: string, command: string, program: 'curl' | 'assay'];

/** The commands that reproduce a cause: the request, the check, and a single generated case. */
export function commandsOf(results: Results, cause: Cause): readonly NamedCommand[] {
  const { exchange, beside, example, scenarios } = cause;
  const { id } = example.requirement;
  const path = example.finding.replay ?? null;
  return [
    ...(exchange === null
      ? []
      : [['Repeat the request: curl', sendAgain(results, id, exchange), 'curl'] as const]),
    ...beside.map(
      (one) => ['Send the related request: curl', sendAgain(results, id, one), 'curl'] as const,
    ),
    ...scenarios.map(
      (index) => ['Rerun the load: assay', results.load[index]?.command ?? '', 'assay'] as const,
    ),
    // Recorded traffic is judged again with `assay check`.
    ...(results.profile === 'recorded' || example.scenario !== undefined
      ? []
      : [['Rerun the check: assay', rerunCommand(results, { id }), 'assay'] as const]),
    ...(path === null
      ? []
      : [['Rerun this case only', rerunCommand(results, { id, path }), 'assay'] as const]),
  ];
}
