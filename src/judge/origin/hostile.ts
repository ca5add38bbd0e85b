import { errorNamed } from '../../spec/error-codes.ts';
import { perObject } from '../../text/remembered.ts';
import { isObject, type View } from '../view.ts';

/** Characters of ordinary values. */
const ORDINARY = /^[\p{L}\p{M}\p{N} _.,:+*!@()#?~/-]*$/u;
/** Proxies may cut or reject longer values. */
const LONGEST = 256;

/** Patterns that firewalls look for in plain text. */
const SUSPICIOUS = /\.\.|--|\b(?:select|union|insert|drop|script|eval|passwd)\b/i;

const isOrdinary = (text: string): boolean =>
  text.length <= LONGEST && ORDINARY.test(text) && !SUSPICIOUS.test(text);

/**
 * Whether a firewall may have answered instead of the service (ruling 20): the request contains quotes, markup, control
 * characters or the like, and the answer is neither a JSON success nor an error of §7. Only a 5xx can be judged then.
 */
export const mayBeFirewall = perObject((view: View): boolean => {
  if (view.isJson && view.ok) return false;
  const { query } = view.exchange.request;
  const sent = [...Object.values(view.exchange.pathParameters), ...query.flat()];
  if (sent.every(isOrdinary)) return false;
  if (!view.isJson) return true;
  const code: unknown = isObject(view.body) ? view.body['code'] : undefined;
  return errorNamed(Number(typeof code === 'object' ? Number.NaN : code)) === undefined;
});
