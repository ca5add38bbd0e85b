import type { Exchange } from '../spec/exchange.ts';
import { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { parsedJson } from '../text/json-value.ts';
import { OpenKeyRing, RecordedKeyRing } from './record/recorded-key-ring.ts';
import { configuredSecrets } from './secrets.ts';
import type { SessionOptions } from './session-options.ts';

/** The keys of a session: those of the target, or the fingerprints of a recording. */
export function ringOf(target: Target, { known, seed, salt }: SessionOptions): KeyRing {
  if (known?.mode === 'replay') return new RecordedKeyRing(known.keys, seed);
  // Keys of a service in this process are not secret.
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

/** The JSON body; `undefined` when there is none. */
export const jsonBody = ({ response }: Exchange): unknown =>
  response === null ? undefined : parsedJson(response.text);
