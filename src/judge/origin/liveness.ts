import type { Exchange } from '../../spec/exchange.ts';
import { FIELDS } from '../../spec/resources.ts';
import { saysHowItWent } from '../../spec/envelope.ts';
import type { Facts } from '../facts.ts';
import { isObject, viewOf, type View } from '../view.ts';

/**
 * Whether the target has shown itself to be an implementation at all: at least one answer to an accepted key that the
 * service would give. A server that answers everything with `{}`, an error or a page of its own keeps many
 * requirements by doing nothing; on such a target nothing may pass.
 */
export function isAlive(exchanges: readonly Exchange[], facts: Facts): boolean {
  return exchanges.some((exchange) => {
    const view = viewOf(exchange, facts);
    return view !== undefined && isGenuine(view);
  });
}

/** A 2xx answer with something in it; where the shape is stated, with at least half of its fields. */
export function isGenuine(view: View): boolean {
  if (!view.ok || !view.isJson || view.endpoint === null) return false;
  // A wrapped body is no conforming one, but a service is behind it.
  if (view.wrapped && saysHowItWent(view.body)) return true;
  const { resource, body } = view;
  if (resource === null) {
    return Array.isArray(body) ? body.length > 0 : isObject(body) && Object.keys(body).length > 0;
  }
  const [first] = view.records;
  if (first === undefined || !isObject(first.value)) return false;
  const stated = FIELDS[resource].filter(({ place }) => place.lastIndexOf('/') === 0);
  const record = first.value;
  const there = stated.filter(({ place }) => place.slice(1) in record);
  return there.length * 2 >= stated.length;
}
