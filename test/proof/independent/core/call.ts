import type { Json } from './json.ts';
import type { World } from '../worlds/world.ts';

/** One request on its way through the service. */
export interface Call {
  readonly world: World;
  readonly method: string;
  /** Path as sent, percent-decoded, without the query. */
  readonly pathname: string;
  /** Path template of the endpoint; empty when no endpoint has this path. */
  template: string;
  /** Values of the path's placeholders. */
  path: Record<string, string>;
  /** First value of every query parameter. */
  query: Map<string, string>;
  /** Time of the server's clock, epoch ms. */
  now: number;
  /** Running number of the request, from 1. */
  readonly count: number;
  readonly key: string | undefined;
  /** Checked values of the parameters, once they are checked. */
  values: Values;
}

/** Checked parameters: numbers, texts, lists of integers; what was left out is not there. */
export type Values = Record<string, number | string | readonly number[] | undefined>;

/** What is sent back. */
export interface Reply {
  status: number;
  body: Json;
  headers: Record<string, string>;
}

/** Parameter that is an integer; the default when it was left out. */
export function numberOf(call: Call, name: string, otherwise: number): number {
  const value = call.values[name];
  return typeof value === 'number' ? value : otherwise;
}

/** Parameter that is a text. */
export function textValue(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}
