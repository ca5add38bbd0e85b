import secrets from 'k6/secrets';
import { plan } from './plan.ts';

/** Who sends a request: a key, or nobody. */
export interface Sender {
  /** Index of the key in the plan; null without one. */
  readonly index: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

const common = { Accept: 'application/json', ...plan.headers };

/** Sends no key. */
export const nobody: Sender = { index: null, headers: common };

const known = new Map<number, Sender>();

/**
 * The key with this index. It comes from k6's secret source, so that it stands in no argument, environment or archive
 * and is blacked out in everything k6 prints. Each virtual user asks for the keys that it uses, once.
 */
export async function keyAt(index: number): Promise<Sender> {
  const cached = known.get(index);
  if (cached !== undefined) return cached;
  const value = await secrets.get(`key${index}`);
  const sender = { index, headers: { ...common, [plan.keyHeader]: value } };
  known.set(index, sender);
  return sender;
}

/** The key with this index if this virtual user has asked for it before: spares what waiting for nothing costs. */
export function knownKey(index: number): Sender | undefined {
  return known.get(index);
}
