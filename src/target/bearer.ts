import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';
import { isObject } from '../text/json-value.ts';
import { TargetError } from './errors.ts';
import { MANNER, hasEnded, printedBy, reasonOf } from './key-sources.ts';

/** Settings for the token in the target file. */
export interface BearerSettings {
  readonly command: readonly string[];
  /** Header to send it in, after `Bearer `. */
  readonly header?: string;
  /** Age at which it is refreshed, ms. */
  readonly refreshMs?: number;
}

export const BEARER_HEADER = 'Authorization';
/** Refresh age if neither the token nor the settings specify its lifetime, ms. */
const DEFAULT_REFRESH_MS = 300_000;
/** A token with an expiry time is refreshed this long before, ms. */
const AHEAD_MS = 60_000;
/** Shorter tokens occur in ordinary words and could not be redacted. */
const MIN_LENGTH = 6;

/** A token and its renewal. */
export type Bearer = ReturnType<typeof bearerOf>;

/**
 * A bearer token for a gateway in front of the target. It is printed by a command, which is run again before the token
 * expires, so that a run can take longer than a token lasts. The output of the command is never shown.
 * @param cwd working directory of the command: the folder of the target file
 * @throws TargetError `ASSAY_TARGET_BEARER` when the command cannot be run, fails or prints no token
 */
export function bearerOf(
  { command, header = BEARER_HEADER, refreshMs }: BearerSettings,
  cwd?: string,
) {
  const [program = '', ...args] = command;
  const listeners: ((token: string) => void)[] = [];
  const issued: string[] = [];
  let dueAt = 0;
  let asking: Promise<void> | null = null;

  const take = (printed: string): void => {
    const token = printed.trim().replace(/^bearer\s+/i, '');
    const fault =
      token === ''
        ? 'no token'
        : !/^[\x21-\x7e]+$/.test(token)
          ? 'more than one word, or characters that are not allowed in a header'
          : token.length < MIN_LENGTH
            ? `a token shorter than ${MIN_LENGTH} characters, which cannot be redacted safely`
            : null;
    if (fault !== null) throw refused(`${program} printed ${fault}`);
    const now = Date.now();
    const ends = endOf(token);
    const refreshAt = ends === null ? now + DEFAULT_REFRESH_MS : ends - AHEAD_MS;
    // At least a second: an expired token must not run the command for every request.
    dueAt = Math.max(now + 1000, refreshMs === undefined ? refreshAt : now + refreshMs);
    if (issued.at(-1) === token) return;
    for (const listener of listeners) listener(token);
    issued.push(token);
  };
  const ask = async (): Promise<void> => {
    const running = promisify(execFile)(program, args, { ...MANNER, cwd });
    const { child } = running;
    child.stdin?.end();
    const { stdout } = await running.catch((error: ExecFileException) => {
      const isEnded = typeof error.code === 'number' || error.signal;
      const why = isEnded
        ? ` ${hasEnded(child.exitCode, child.signalCode)}`
        : `: ${reasonOf(error)}`;
      throw refused(program + why);
    });
    take(stdout);
  };
  take(printedBy(command, cwd, refused));
  return {
    header,
    /** All tokens so far: an old one is a secret, too. */
    issued: issued as readonly string[],
    get value(): string {
      return `Bearer ${issued.at(-1) ?? ''}`;
    },
    /** Called with each new token before it is used, so that it can be redacted. */
    onToken: (listener: (token: string) => void): void => void listeners.push(listener),
    /** Refreshes the token when it is due; concurrent calls share one refresh. @throws TargetError */
    async refresh(now = Date.now()): Promise<void> {
      if (now < dueAt) return;
      asking ??= ask().finally(() => (asking = null));
      await asking;
    },
  };
}

const refused = (why: string): TargetError =>
  new TargetError(
    'ASSAY_TARGET_BEARER',
    `http.bearer: ${why}.`,
    'Run the command by hand: it must print one token and nothing else.',
  );

/** Expiry time of a JSON Web Token (RFC 7519 §4.1.4), epoch ms; null for other tokens. */
function endOf(token: string): number | null {
  const [, claims = '', signature] = token.split('.');
  if (signature === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const end = isObject(value) ? value['exp'] : undefined;
    return typeof end === 'number' && Number.isFinite(end) ? end * 1000 : null;
  } catch {
    return null;
  }
}
