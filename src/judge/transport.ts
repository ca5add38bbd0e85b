import { errorNamed } from '../spec/error-codes.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import { show } from './judgement.ts';
import { BYTE_ORDER_MARK } from '../text/json-value.ts';
import { isObject, type View } from './view.ts';

/** What keeps a client from parsing the body as JSON, if anything. */
export function bodyFault({ isJson, response }: View): {
  readonly kind: 'not-json' | 'byte-order-mark';
  readonly what: string;
  readonly expected: string;
  readonly actual?: string;
} | null {
  if (!isJson)
    return {
      kind: 'not-json',
      what: 'a body that is not JSON',
      expected: 'a JSON body',
      actual: `${show(response.text.slice(0, 80))}${parserWords(response.text)}`,
    };
  if (response.text.startsWith(BYTE_ORDER_MARK)) {
    return {
      kind: 'byte-order-mark',
      what: 'a byte order mark before JSON',
      expected: 'JSON without a byte order mark (RFC 8259, section 8.1)',
    };
  }
  return null;
}

/** What the parser says of a body that begins like JSON, with the position; empty for others. */
function parserWords(text: string): string {
  if (!/^\s*[[{]/.test(text)) return '';
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `: ${error instanceof Error ? error.message : ''}`;
  }
}

/**
 * A 2xx without content. It is valid JSON and not a server error, but a server that always answers like this would pass
 * every requirement that asks for no more.
 */
export function isBlank(view: View): boolean {
  const { body } = view;
  if (!view.ok || !view.isJson) return false;
  return (
    typeof body !== 'object' || body === null || (isObject(body) && Object.keys(body).length === 0)
  );
}

/** The 503 of §7 for maintenance, either in the error shape or from a gateway. */
export function isMaintenance(view: View): boolean {
  if (view.status !== 503) return false;
  const code = isObject(view.body) ? view.body['code'] : undefined;
  return typeof code !== 'number' || errorNamed(code) === 'unavailable';
}

/** The key header's name as sent, if its letter case differs from the documented one. */
export function otherSpelling({ exchange }: View): string | undefined {
  const names = Object.keys(exchange.request.headers);
  return names.find((name) => name.toUpperCase() === KEY_HEADER && name !== KEY_HEADER);
}

/** A 401 for such a header proves nothing else. */
export function isHeaderCaseRefusal(view: View): boolean {
  return view.status === 401 && otherSpelling(view) !== undefined;
}
