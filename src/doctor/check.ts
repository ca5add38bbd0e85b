import { EXIT } from '../spec/exit-codes.ts';

/** `skip`: could not be checked, or need not be; the detail says why. */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'skip';

type FailureExit = typeof EXIT.usage | typeof EXIT.incomplete;

/** One line of a diagnosis. */
export interface Check {
  /** Short and stable, such as `node`, `tls` or `key valid[0]`. */
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found. Texts of the target are redacted, but control characters are not escaped yet. */
  readonly detail: string;
  /** What to do about it; null when there is nothing to do. */
  readonly fix: string | null;
  /** What a failure means for a run: it cannot start, or it would be incomplete. */
  readonly exit: FailureExit;
}

const as =
  (status: CheckStatus) =>
  (name: string, detail: string, fix?: string, exit: FailureExit = EXIT.incomplete): Check => ({
    name,
    status,
    detail,
    fix: fix ?? null,
    exit,
  });

export const ok: (name: string, detail: string) => Check = as('ok');
export const warn: (name: string, detail: string, fix: string) => Check = as('warn');
export const fail: (name: string, detail: string, fix: string, exit?: FailureExit) => Check =
  as('fail');
export const skip: (name: string, detail: string, fix?: string) => Check = as('skip');

/** Exit code of a diagnosis: configuration errors before target errors, 0 without failures. */
export function exitCodeOf(checks: readonly Check[]): number {
  const exits = checks.filter(({ status }) => status === 'fail').map(({ exit }) => exit);
  return exits.length === 0 ? EXIT.conforms : Math.min(...exits);
}
