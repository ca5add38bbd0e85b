import type { RunContext } from '../report/model/results.ts';
import { readContext, withoutSecrets } from '../run/run-context.ts';
import type { Target } from '../target/target.ts';
import { strings } from './command.ts';
import { UsageError } from './errors.ts';

/** Label names are keys in results.json. */
const NAME = /^[A-Za-z][\w.-]{0,59}$/;

export const LABEL = strings(
  'key=value for results.json and the report, repeatable; commit, branch, job and url override what CI provides',
  { nargs: 1 },
);

/** @throws UsageError for a label that is not `key=value` */
export const labelsOf = (labels: readonly string[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(
    labels.map((text) => {
      const at = text.indexOf('=');
      const name = text.slice(0, Math.max(0, at)).trim();
      if (NAME.test(name)) return [name, text.slice(at + 1).trim()];
      throw new UsageError(
        '--label takes key=value; the key starts with a letter.',
        'For example --label release=2026.11 --label commit=1a2b3c4.',
      );
    }),
  );

/** The context of the run from CI variables and labels, without secrets of the target; undefined when there is none. */
export function contextFor(
  labels: Readonly<Record<string, string>>,
  target: Partial<Pick<Target, 'keys' | 'http'>>,
): RunContext | undefined {
  const context = readContext(process.env, labels);
  return context === undefined ? undefined : withoutSecrets(context, target);
}
