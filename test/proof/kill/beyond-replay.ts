import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Hooks, Modification } from '#src/reference/hooks.ts';
import type { ReferenceAnswer } from '#src/reference/reference.ts';
import type { Settings } from '#src/reference/settings.ts';

/**
 * Places where a fault changes how requests are counted over time. A run goes by what it is told of its windows: it waits,
 * and asks again; the requests of the clean run come when they came then.
 */
const COUNTING: readonly (keyof Hooks)[] = ['limiter', 'quota', 'bucket', 'admission'];
const COUNTING_SETTINGS: readonly (keyof Settings)[] = ['limiter', 'counted'];

/** Why a fault needs a run whatever it would answer to a replay; null when it can be replayed. */
export function beyondReplay({ hooks = [], settings = {} }: Modification): string | null {
  const hook = COUNTING.find((name) => [hooks].flat().some((one) => one[name] !== undefined));
  if (hook !== undefined) return `it changes how requests are counted (${hook})`;
  const setting = COUNTING_SETTINGS.find((name) => settings[name] !== undefined);
  return setting === undefined ? null : `it changes how requests are counted (${setting})`;
}

/** Headers that say how the bytes travel, and not what they say. */
const TRAVEL: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Why an answer within this process is not what a client gets over a connection; null when it is. Without a connection
 * nothing is late, and nothing is lost or changed on the way.
 */
export function beyondProcess({ status, headers, body, delayMs }: ReferenceAnswer): string | null {
  if (delayMs > 0) return 'an answer is late';
  const travel = Object.keys(headers).find((name) => TRAVEL.has(name));
  if (travel !== undefined) return `an answer has the header ${travel}`;
  // Answers of these classes have no body on a connection, or are not the last one.
  if (status < 200 || ((status === 204 || status === 304) && body !== ''))
    return `an answer has the status ${status} and a body`;
  const length = headers['content-length'];
  if (length !== undefined && body !== '' && length !== String(Buffer.byteLength(body)))
    return 'an answer has another length than it says';
  const changed = Object.entries(headers).find(([name, value]) => !travelsAsIs(name, value));
  return changed === undefined ? null : `the header ${changed[0]} is not one that HTTP carries`;
}

function travelsAsIs(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    return false;
  }
  // White space around a value is no part of it.
  return value === value.trim();
}
