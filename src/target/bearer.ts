import { execFile, spawnSync } from 'node:child_process';
import { isObject } from '../judge/view.ts';
import { TargetError } from './errors.ts';
import { COMMAND_MS, MOST_BYTES, hasEnded, reasonOf } from './key-sources.ts';

/** Where a token comes from, as the target file says it. */
export interface BearerSettings {
  /** Program and arguments that print the token. */
  readonly command: readonly string[];
  /** Header that it is sent in, after `Bearer `. */
  readonly header?: string;
  /** Age at which it is asked for anew, ms. */
  readonly refreshMs?: number;
}

/** Header that a token is sent in by default. */
export const BEARER_HEADER = 'Authorization';
/** Age at which a token is asked for anew when neither it nor the settings say how long it holds, ms. */
const DEFAULT_REFRESH_MS = 300_000;
/** A token that says when it ends is asked for anew this long before, ms. */
const AHEAD_MS = 60_000;
/** Shorter texts stand in ordinary words, and could not be redacted. */
const MIN_LENGTH = 6;
const SETTING = 'http.bearer';
/** How the command is run, the first time and later. */
const MANNER = {
  encoding: 'utf8',
  timeout: COMMAND_MS,
  maxBuffer: MOST_BYTES,
  windowsHide: true,
} as const;
const HINT = 'Run it by hand: it has to print one token, and nothing else.';

/**
 * A bearer token for a gateway before the target. It comes from a command, and from it again before it ends, so that a run of
 * an hour outlives tokens of minutes. Neither what the command prints nor what it complains of is shown.
 */
export class Bearer {
  readonly header: string;
  readonly #settings: BearerSettings;
  readonly #cwd: string | undefined;
  readonly #listeners: ((token: string) => void)[] = [];
  /** Every token there was: an old one is a secret, too. */
  readonly #issued: string[] = [];
  #dueAt = 0;
  #asking: Promise<void> | null = null;

  /**
   * Asks for the first token.
   * @param cwd folder that the command runs in; that of the target file
   * @throws TargetError `ASSAY_TARGET_BEARER` when the command cannot be run, fails or prints no token
   */
  constructor(settings: BearerSettings, cwd?: string) {
    this.#settings = settings;
    this.#cwd = cwd;
    this.header = settings.header ?? BEARER_HEADER;
    const [program = '', ...args] = settings.command;
    const { status, signal, stdout, error } = spawnSync(program, args, {
      ...MANNER,
      cwd: this.#cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (error !== undefined) throw this.#refused(`: ${reasonOf(error)}`);
    if (status !== 0) throw this.#refused(` ${hasEnded(status, signal)}`);
    this.#take(stdout);
  }

  /** Every token that was used so far. */
  get issued(): readonly string[] {
    return this.#issued;
  }

  /** The value of the header at this moment. */
  get value(): string {
    return `Bearer ${this.#issued.at(-1) ?? ''}`;
  }

  /** Told each new token before it is used, so that it is known as a secret first. */
  onToken(listener: (token: string) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Asks for a new token when the present one is due; many who ask at once ask once.
   * @throws TargetError `ASSAY_TARGET_BEARER` as the constructor does
   */
  async refresh(now = Date.now()): Promise<void> {
    if (now < this.#dueAt) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const [program = '', ...args] = this.#settings.command;
    const printed = await new Promise<string>((resolve, reject) => {
      const child = execFile(program, args, { ...MANNER, cwd: this.#cwd }, (error, stdout) => {
        if (error === null) resolve(stdout);
        else if (typeof error.code === 'number' || error.signal)
          reject(this.#refused(` ${hasEnded(child.exitCode, child.signalCode)}`));
        else reject(this.#refused(`: ${reasonOf(error)}`));
      });
      child.stdin?.end();
    });
    this.#take(printed);
  }

  #take(printed: string): void {
    const token = printed.trim().replace(/^bearer\s+/i, '');
    if (token === '') throw this.#refused(' printed no token');
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw this.#refused(' printed more than one word, or what cannot stand in a header');
    }
    if (token.length < MIN_LENGTH) {
      throw this.#refused(
        ` printed a token of fewer than ${MIN_LENGTH} characters, which could not be redacted safely`,
      );
    }
    const now = Date.now();
    const { refreshMs } = this.#settings;
    const ends = endOf(token);
    const ownEnd = ends === null ? now + DEFAULT_REFRESH_MS : ends - AHEAD_MS;
    // A second at least: a token that is over already must not have the command run for every request.
    this.#dueAt = Math.max(now + 1000, refreshMs === undefined ? ownEnd : now + refreshMs);
    if (this.#issued.at(-1) === token) return;
    for (const listener of this.#listeners) listener(token);
    this.#issued.push(token);
  }

  #refused(what: string): TargetError {
    const [program = ''] = this.#settings.command;
    return new TargetError('ASSAY_TARGET_BEARER', `${SETTING}: ${program}${what}.`, HINT);
  }
}

/** When a JSON Web Token says that it ends (RFC 7519 §4.1.4), epoch ms; null for a token that does not say it. */
function endOf(token: string): number | null {
  const [, claims, signature] = token.split('.');
  if (claims === undefined || signature === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const end = isObject(value) ? value['exp'] : undefined;
    return typeof end === 'number' && Number.isFinite(end) ? end * 1000 : null;
  } catch {
    return null;
  }
}
