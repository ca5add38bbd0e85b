import type { EndpointPath } from '../spec/endpoints.ts';
import type { View } from './view.ts';

/** The only endpoint of §4 whose range timestamps have no specified unit; the others use milliseconds or dates. */
export const UNIT_OPEN: EndpointPath = '/currencies/{currency_id}/klines';

const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{10}$/;

const has = ({ query }: View, name: string, form: RegExp): boolean =>
  form.test(query.get(name) ?? '');

/**
 * Drops answers to ranges in a unit that the service does not read. A service reads seconds if it returns records for a
 * closed range in seconds, and none for a start in milliseconds (a service that reads milliseconds puts both ends of
 * the former in 1970).
 */
export function inTheirUnit(views: readonly View[]): readonly View[] {
  const own = views.filter(({ exchange }) => exchange.endpoint === UNIT_OPEN);
  const shows = (form: RegExp, ...ends: readonly string[]): boolean =>
    own.some(
      (view) => view.ok && view.records.length > 0 && ends.every((end) => has(view, end, form)),
    );
  const readsSeconds =
    shows(SECONDS, 'start_time', 'end_time') && !shows(MILLISECONDS, 'start_time');
  const other = readsSeconds ? MILLISECONDS : SECONDS;
  const dropped = own.filter(
    (view) => view.status < 500 && (has(view, 'start_time', other) || has(view, 'end_time', other)),
  );
  return dropped.length === 0 ? views : views.filter((view) => !dropped.includes(view));
}
