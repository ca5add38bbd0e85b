import type { Cause } from './causes.ts';
import { rerunCommand } from './rerun.ts';
import type { Results } from '../model/results.ts';
import { sendAgain } from './send-again.ts';

/** A command with what it is for, and the program that it starts. */
export type NamedCommand = readonly [label: string, command: string, program: 'curl' | 'assay'];

/** The commands that show a cause again: the request by itself, its requirement judged anew, and one drawn case. */
export function commandsOf(results: Results, cause: Cause): readonly NamedCommand[] {
  const { exchange, beside, example } = cause;
  const { id } = example.requirement;
  const path = example.finding.replay ?? null;
  return [
    ...(exchange === null
      ? []
      : [['Send it again: curl', sendAgain(results, id, exchange), 'curl'] as const]),
    ...beside.map(
      (one) => ['Send what it stands beside: curl', sendAgain(results, id, one), 'curl'] as const,
    ),
    // What others recorded is judged again by naming the recording.
    ...(results.profile === 'recorded'
      ? []
      : [['Judge it again: assay', rerunCommand(results, { id }), 'assay'] as const]),
    ...(path === null
      ? []
      : [['Judge this case alone', rerunCommand(results, { id, path }), 'assay'] as const]),
  ];
}
