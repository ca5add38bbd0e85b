import type { Exchange } from '../../spec/exchange.ts';
import { FIELDS } from '../../spec/resources.ts';
import { saysHowItWent } from '../../spec/envelope.ts';
import type { Facts } from '../facts.ts';
import { isObject, viewOf, type View } from '../view.ts';

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

/** A non-empty 2xx answer; where a shape is specified, with at least half of its fields. */
function isGenuine(view: View): boolean {
  if (!view.ok || !view.isJson || view.endpoint === null) return false;
  // A wrapped body does not conform, but a service is behind it.
  if (view.wrapped && saysHowItWent(view.body)) return true;
  const { resource, body } = view;
  if (resource === null) {
    return Array.isArray(body) ? body.length > 0 : isObject(body) && Object.keys(body).length > 0;
  }
  const [first] = view.records;
  if (first === undefined || !isObject(first.value)) return false;
  const stated = FIELDS[resource].filter(({ path }) => path.lastIndexOf('/') === 0);
  const record = first.value;
  const there = stated.filter(({ path }) => path.slice(1) in record);
  return there.length * 2 >= stated.length;
}
