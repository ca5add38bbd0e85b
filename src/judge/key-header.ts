import { KEY_HEADER } from '../spec/limits.ts';
import type { View } from './view.ts';

/** The key header's name as sent, if its letter case differs from the documented one. */
export function otherSpelling({ exchange }: View): string | undefined {
  const names = Object.keys(exchange.request.headers);
  return names.find((name) => name.toUpperCase() === KEY_HEADER && name !== KEY_HEADER);
}

/** A 401 for such a header proves nothing else. */
export function isHeaderCaseRefusal(view: View): boolean {
  return view.status === 401 && otherSpelling(view) !== undefined;
}
