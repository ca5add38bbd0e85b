import type { Argv } from 'yargs';
import type { RunContext } from '../report/model/results.ts';
import type { Target } from '../target/target.ts';
import { UsageError } from './errors.ts';

/** Argument of the commands whose results say what they belong to. */
export interface LabelArguments {
  label: string[] | undefined;
}

/** Names of labels: they stand in results.json as they are. */
const NAME = /^[A-Za-z][\w.-]{0,59}$/;

export function withLabelOption<T>(yargs: Argv<T>) {
  return yargs.option('label', {
    type: 'string',
    array: true,
    nargs: 1,
    requiresArg: true,
    describe:
      'key=value for results.json and the report, repeatable; commit, branch, job and url stand for what CI tells',
  });
}

/** @throws UsageError for a label that is no `key=value` */
export function labelsOf({ label = [] }: LabelArguments): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const text of label) {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(0, at)).trim();
    if (!NAME.test(name)) {
      throw new UsageError(
        '--label takes key=value, and the key begins with a letter.',
        'For example --label release=2026.11 --label commit=1a2b3c4.',
      );
    }
    labels.set(name, text.slice(at + 1).trim());
  }
  return Object.fromEntries(labels);
}

/** What the environment and the labels say of the run, without secrets of the target; undefined when they say nothing. */
export async function contextFor(
  labels: Readonly<Record<string, string>>,
  target: Partial<Pick<Target, 'keys' | 'http'>>,
): Promise<RunContext | undefined> {
  const { readContext, withoutSecrets } = await import('../run/run-context.ts');
  const context = readContext(process.env, labels);
  return context === undefined ? undefined : withoutSecrets(context, target);
}
