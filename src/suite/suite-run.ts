import { limitEnforced } from '../../suites/8-limits/admission.ts';
import { judgedAs } from '../requirements/catalogue.ts';
import { selection, type SuiteInput } from '../ask/input.ts';
import { SuiteSession, type SessionState } from '../ask/session.ts';
import type { Exchange } from '../spec/exchange.ts';

/** One run of the suites: its input, and the session shared by all checks. */
export class SuiteRun {
  readonly input: SuiteInput;
  #session: SuiteSession | undefined;
  #closing: Promise<void> | undefined;

  constructor(input: SuiteInput) {
    this.input = input;
  }

  /**
   * The session, opened on first use.
   * @throws TargetError for invalid target settings, SessionError when the journal cannot be written
   */
  get session(): SuiteSession {
    this.#session ??= new SuiteSession(this.input, probesLimit(this.input));
    return this.#session;
  }

  /** Aborts pending requests and closes the connections. A second call waits for the first. */
  async close(): Promise<void> {
    this.#closing ??= this.#session?.close();
    await this.#closing;
  }

  /** The exchanges and final state of the session; null when it was never opened. */
  get sent(): { readonly exchanges: readonly Exchange[]; readonly session: SessionState } | null {
    if (this.#session === undefined) return null;
    return { exchanges: this.#session.http.exchanges, session: this.#session.state() };
  }
}

/** True when the run checks whether the limit is enforced. */
function probesLimit(input: SuiteInput): boolean {
  const smallest = input.only.length > 0 ? 'smoke' : 'standard';
  const enforced = judgedAs(limitEnforced);
  return enforced !== null && selection(enforced, smallest, input) === undefined;
}
