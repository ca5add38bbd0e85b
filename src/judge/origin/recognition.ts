import type { Exchange } from '../../spec/exchange.ts';
import { FIELDS, type ResourceName } from '../../spec/resources.ts';
import { saysHowItWent } from '../../spec/envelope.ts';
import type { Facts } from '../facts.ts';
import { isObject, viewOf, type View } from '../view.ts';
import { ERRORS } from '../../spec/error-codes.ts';
import { bodyFault } from '../transport.ts';

/**
 * Whether the target behaves like an implementation: at least one genuine answer to an accepted key. A server that
 * answers everything with `{}`, an error or its own page satisfies many requirements by doing nothing, so nothing may
 * pass on it.
 */
export function isAlive(exchanges: readonly Exchange[], facts: Facts): boolean {
  return exchanges.some((exchange) => {
    const view = viewOf(exchange, facts);
    return view !== undefined && isGenuine(view);
  });
}

/** An answer of this service; where no shape is specified, anything but an empty one. */
function isGenuine(view: View): boolean {
  const { endpoint, resource, body } = view;
  if (endpoint === null || resource !== null) return recognize(view) === 'service';
  return view.ok && typeof body === 'object' && body !== null && Object.keys(body).length > 0;
}

/**
 * Whether an answer to a good key comes from this service (ruling 23). `service`: part of it looks like a resource of
 * §2. `foreign`: no implementation would answer this. `neutral`: undecided, such as an empty list, an error of §7 or an
 * unspecified list.
 */
type Recognition = 'service' | 'foreign' | 'neutral';

/** How deep to search wrapped bodies. */
const DEPTH = 3;
const PAGE_KEYS = ['list', 'page', 'pagesize', 'total'];
/** Codes of §7, except the one for an unknown path, which a wrong base URL also yields. */
const { unknownEndpoint: _wrongPath, ...SPEAKING } = ERRORS;
const CODES = new Set<unknown>(Object.values(SPEAKING).flatMap(({ code, twin }) => [code, twin]));

/** Classifies one answer. Rate limiting and server failures identify nothing. */
export function recognize(view: View): Recognition {
  const { status, resource, body, endpoint, isJson } = view;
  if (status === 401 || status === 403 || status === 429 || status >= 500) return 'neutral';
  // Redirects are not followed; the refusal count reports them.
  if (status >= 300 && status < 400) return 'neutral';
  if (!view.ok) {
    const isOfService = isObject(body) && CODES.has(body['code']) && 'message' in body;
    return isOfService ? 'neutral' : 'foreign';
  }
  if (!isJson) return 'foreign';
  if (view.wrapped && saysHowItWent(body)) return 'service';
  if (endpoint === null || resource === null) return 'neutral';
  if (hasShape(body, resource, endpoint.response.kind === 'page', DEPTH)) return 'service';
  return endpoint.response.kind === 'array' && Array.isArray(body) && body.length === 0
    ? 'neutral'
    : 'foreign';
}

/** Normalised name: other requirements judge spelling. */
const plainName = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();

function hasShape(value: unknown, resource: ResourceName, paged: boolean, depth: number): boolean {
  const isInside = (inner: unknown): boolean =>
    depth > 0 && hasShape(inner, resource, paged, depth - 1);
  if (Array.isArray(value)) return isInside(value[0]);
  if (!isObject(value)) return false;
  const names = new Set(Object.keys(value).map(plainName));
  if (paged && PAGE_KEYS.filter((name) => names.has(name)).length >= 3) return true;
  const stated = FIELDS[resource]
    .filter(({ path }) => path.lastIndexOf('/') === 0)
    .map(({ path }) => plainName(path.slice(1)));
  if (stated.filter((name) => names.has(name)).length * 2 >= stated.length) return true;
  return Object.values(value).some(isInside);
}

/** Describes an unexpected answer: HTML with its title, JSON with its first names, or a status. */
export function describeForeign(view: View): string {
  const { status, body, isJson, response } = view;
  if (!isJson) {
    const title = /<title[^>]*>([^<]{1,80})/i.exec(response.text)?.[1]?.trim();
    const html = /<(?:!doctype html|html|head|body)\b/i.test(response.text);
    const what = html
      ? `an HTML page${title === undefined ? '' : ` titled "${title}"`}`
      : response.text.trim() === ''
        ? 'an empty body'
        : 'text that is not JSON';
    return `${what} with status ${status}`;
  }
  const names = isObject(body) ? Object.keys(body).slice(0, 4).join(', ') : '';
  const plain = bodyFault(view)?.what ?? (Array.isArray(body) ? 'a JSON array' : 'JSON');
  const what = `${plain}${names === '' ? '' : ` with the fields ${names},`}`;
  return `${what} with status ${status}`;
}
