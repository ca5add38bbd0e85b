import type { EndpointPath } from '../spec/endpoints.ts';
import type { View } from './view.ts';

/** The one endpoint of §4 whose range has timestamps of no stated unit; elsewhere they are milliseconds, or dates. */
export const UNIT_OPEN: EndpointPath = '/currencies/{currency_id}/klines';

const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{10}$/;

const has = ({ query }: View, name: string, form: RegExp): boolean =>
  form.test(query.get(name) ?? '');

/**
 * Leaves out what a service that reads seconds says of a range in milliseconds, and the other way round: it was asked for
 * another age. That it reads seconds shows where it gave the records of a range with two ends in seconds, and none from a
 * moment in milliseconds on: two such ends are both in 1970 for a service that reads milliseconds.
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
  return views.filter((view) => {
    const inOther = has(view, 'start_time', other) || has(view, 'end_time', other);
    return view.exchange.endpoint !== UNIT_OPEN || view.status >= 500 || !inOther;
  });
}
