import type { Exchange } from '../spec/exchange.ts';
import { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { jsonValue } from '../text/json-value.ts';
import type { Purpose } from './budget.ts';
import { RecordedKeyRing } from './record/recorded-key-ring.ts';
import { configuredSecrets } from './request-headers.ts';
import type { Plan, SessionOptions } from './session-options.ts';

/** The keys of a session: those of the target, or the fingerprints of a recording. */
export function ringOf(target: Target, { known, seed, salt }: SessionOptions): KeyRing {
  if (known?.mode === 'replay') return new RecordedKeyRing(known.keys, seed);
  // What issued the keys lives and ends with this process: they are nobody's secret.
  if (target.service !== undefined) return new OpenKeyRing(target.keys, { seed });
  const used = known?.salt ?? salt;
  const ring = new KeyRing(target.keys, {
    seed,
    secrets: configuredSecrets(target.http),
    ...(used === undefined ? {} : { salt: used }),
  });
  target.http.bearer?.onToken((token) => ring.hide(token));
  return ring;
}

/** The body as JSON; `undefined` when there is no response or no JSON in it. */
export function jsonBody({ response }: Exchange): unknown {
  if (response === null) return undefined;
  try {
    return jsonValue(response.text);
  } catch {
    return undefined;
  }
}

/** Whether the target let a valid key in between two exchanges. */
export const isOpenBetween = (
  exchanges: readonly Exchange[],
  first: Exchange,
  last: Exchange,
): boolean =>
  exchanges.some(
    ({ role, response, receivedAt }) =>
      role === 'valid' &&
      response !== null &&
      response.status !== 429 &&
      receivedAt >= first.sentAt &&
      receivedAt <= last.receivedAt,
  );

/** What a request is sent for, as the budget counts it. */
export function purposeOf({ options, purpose }: Plan, attempt: number): Purpose {
  if (purpose !== undefined || options.force === true || options.pin !== undefined)
    return 'limiter';
  return attempt > 1 ? 'repeat' : 'planned';
}

/** Keys that open nothing, and may stand in what is recorded. */
class OpenKeyRing extends KeyRing {
  override redact(text: string): string {
    return text;
  }

  override stillLeaks(): boolean {
    return false;
  }
}
