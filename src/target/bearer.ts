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

/**
 * A bearer token for a gateway in front of the target. It is printed by a command, which is run again before the token
 * expires, so that a run can take longer than a token lasts. The output of the command is never shown.
 */
export class Bearer {
  readonly header: string;
  readonly #settings: BearerSettings;
  readonly #cwd: string | undefined;
  readonly #listeners: ((token: string) => void)[] = [];
  readonly #issued: string[] = [];
  #dueAt = 0;
  #asking: Promise<void> | null = null;

  /**
   * Gets the first token.
   * @param cwd working directory of the command: the folder of the target file
   * @throws TargetError `ASSAY_TARGET_BEARER` when the command cannot be run, fails or prints no token
   */
  constructor(settings: BearerSettings, cwd?: string) {
    this.#settings = settings;
    this.#cwd = cwd;
    this.header = settings.header ?? BEARER_HEADER;
    this.#take(printedBy(settings.command, cwd, refused));
  }

  /** All tokens so far: an old one is a secret, too. */
  get issued(): readonly string[] {
    return this.#issued;
  }

  get value(): string {
    return `Bearer ${this.#issued.at(-1) ?? ''}`;
  }

  /** Called with each new token before it is used, so that it can be redacted. */
  onToken(listener: (token: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Refreshes the token when it is due; concurrent calls share one refresh. @throws TargetError */
  async refresh(now = Date.now()): Promise<void> {
    if (now < this.#dueAt) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const [program = '', ...args] = this.#settings.command;
    const running = promisify(execFile)(program, args, { ...MANNER, cwd: this.#cwd });
    const { child } = running;
    child.stdin?.end();
    const { stdout } = await running.catch((error: ExecFileException) => {
      const isEnded = typeof error.code === 'number' || error.signal;
      const why = isEnded
        ? ` ${hasEnded(child.exitCode, child.signalCode)}`
        : `: ${reasonOf(error)}`;
      throw refused(program + why);
    });
    this.#take(stdout);
  }

  #take(printed: string): void {
    const [program = ''] = this.#settings.command;
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
    const { refreshMs } = this.#settings;
    const ends = endOf(token);
    const refreshAt = ends === null ? now + DEFAULT_REFRESH_MS : ends - AHEAD_MS;
    // At least a second: an expired token must not run the command for every request.
    this.#dueAt = Math.max(now + 1000, refreshMs === undefined ? refreshAt : now + refreshMs);
    if (this.#issued.at(-1) === token) return;
    for (const listener of this.#listeners) listener(token);
    this.#issued.push(token);
  }
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
