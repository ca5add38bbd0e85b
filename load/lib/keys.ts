import secrets from 'k6/secrets';

const known = new Map<number, string>();

/**
 * The key with this index. It comes from k6's secret source, so that it stands in no argument, environment or archive
 * and is blacked out in everything k6 prints. Each virtual user asks for the keys that it uses, once.
 */
export async function keyAt(index: number): Promise<string> {
  const cached = known.get(index);
  if (cached !== undefined) return cached;
  const key = await secrets.get(`key${index}`);
  known.set(index, key);
  return key;
}

/** The key with this index if this virtual user has asked for it before: spares what waiting for nothing costs. */
export function knownKey(index: number): string | undefined {
  return known.get(index);
}
