import secrets from 'k6/secrets';
import { plan } from './plan.ts';

/** The sender of a request. */
export interface Sender {
  /** Index of the key in the plan; null without a key. */
  readonly index: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

const common = { Accept: 'application/json', ...plan.headers };

/** A request without a key. */
export const nobody: Sender = { index: null, headers: common };

const known = new Map<number, Sender>();

/**
 * The key with this index. It comes from k6's secret source, so it is in no argument, environment or archive, and k6
 * redacts it in its output. Each virtual user loads the keys that it uses once.
 */
export async function keyAt(index: number): Promise<Sender> {
  const cached = known.get(index);
  if (cached !== undefined) return cached;
  const value = await secrets.get(`key${index}`);
  const sender = { index, headers: { ...common, [plan.keyHeader]: value } };
  known.set(index, sender);
  return sender;
}

/** The key with this index if this virtual user has loaded it already, without the cost of a promise. */
export function knownKey(index: number): Sender | undefined {
  return known.get(index);
}
