import type { Endpoint } from './endpoints.ts';

/** Members that an envelope around a body is seen to have, next to `data`. */
const MEMBERS: ReadonlySet<string> = new Set([
  'code',
  'data',
  'details',
  'message',
  'msg',
  'request_id',
  'success',
  'time',
  'timestamp',
  'trace_id',
]);

/**
 * True when a successful body is what its endpoint has to give, wrapped in an outer object such as `{code, message, data}`
 * (ruling 21). No resource of §2 has a member `data`; where the text states no shape, `data` alone may be the shape.
 */
export function isEnveloped(body: unknown, { response }: Endpoint): boolean {
  if (!isRecord(body) || !('data' in body)) return false;
  const names = Object.keys(body);
  return (
    (names.length > 1 || response.kind !== 'unstated') && names.every((name) => MEMBERS.has(name))
  );
}

/**
 * True when an envelope tells by itself that a service made it: it has a member that says how the request went. A lone
 * `data` is what anybody answers.
 */
export const saysHowItWent = (body: unknown): boolean =>
  isRecord(body) && ('code' in body || 'success' in body);

const isRecord = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body);
