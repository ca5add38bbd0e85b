import { KEY_HEADER } from '../spec/limits.ts';
import type { View } from './view.ts';

/** The name of the key header as sent, when that is another spelling than the stated one. */
export function otherSpelling({ exchange }: View): string | undefined {
  const names = Object.keys(exchange.request.headers);
  return names.find((name) => name.toUpperCase() === KEY_HEADER && name !== KEY_HEADER);
}

/** True for a refusal of a key that was sent under another spelling of the header: it says nothing about anything else. */
export function isHeaderCaseRefusal(view: View): boolean {
  return view.status === 401 && otherSpelling(view) !== undefined;
}
