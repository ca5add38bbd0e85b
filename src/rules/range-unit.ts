import type { EndpointPath } from '../contract/endpoints.ts';
import type { View } from './view.ts';

/** The one endpoint of §4 whose range has timestamps of no stated unit; elsewhere they are milliseconds, or dates. */
export const UNIT_OPEN: EndpointPath = '/currencies/{currency_id}/klines';

const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{10}$/;

const has = ({ query }: View, name: string, form: RegExp): boolean =>
  form.test(query.get(name) ?? '');

/**
 * Leaves out what a service that reads seconds says of a range in milliseconds: it was asked for another age. That it reads
 * seconds shows where it gave the records of a range in seconds, and none from a moment in milliseconds on.
 */
export function inTheirUnit(views: readonly View[]): readonly View[] {
  const own = views.filter(({ exchange }) => exchange.endpoint === UNIT_OPEN);
  const showsFrom = (form: RegExp): boolean =>
    own.some((view) => view.ok && view.records.length > 0 && has(view, 'start_time', form));
  if (!showsFrom(SECONDS) || showsFrom(MILLISECONDS)) return views;
  return views.filter((view) => {
    const inMs = has(view, 'start_time', MILLISECONDS) || has(view, 'end_time', MILLISECONDS);
    return view.exchange.endpoint !== UNIT_OPEN || view.status >= 500 || !inMs;
  });
}
