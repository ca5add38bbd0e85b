import { errorNamed } from '../../spec/error-codes.ts';
import { isObject, type View } from '../view.ts';

/** What ordinary values are made of. */
const ORDINARY = /^[\p{L}\p{M}\p{N} _.,:+*!@()#?~/-]*$/u;
/** Longer values are cut or refused on the way. */
const LONGEST = 256;

/** What firewalls look for in texts that have no odd character. */
const SUSPICIOUS = /\.\.|--|\b(?:select|union|insert|drop|script|eval|passwd)\b/i;

const isOrdinary = (text: string): boolean =>
  text.length <= LONGEST && ORDINARY.test(text) && !SUSPICIOUS.test(text);

/**
 * True for an answer that a firewall in front may have given in place of the service (ruling 20): the request holds
 * quotes, markup, control characters or the like, and what came back is neither JSON of a success nor an error of §7.
 * Whether it failed (5xx) is all that can be said of it.
 */
export function mayBeFirewall(view: View): boolean {
  if (view.isJson && view.ok) return false;
  const { query } = view.exchange.request;
  const sent = [...Object.values(view.exchange.pathParameters), ...query.flat()];
  if (sent.every(isOrdinary)) return false;
  if (!view.isJson) return true;
  const code: unknown = isObject(view.body) ? view.body['code'] : undefined;
  return errorNamed(Number(typeof code === 'object' ? Number.NaN : code)) === undefined;
}
