import type { EndpointPath, QueryParameter } from '../spec/endpoints.ts';
import type { ResourceName } from '../spec/resources.ts';
import type { KeyRecord } from './keys.ts';
import type { Admission, Limiter, LimiterSettings, Quota } from './limiter.ts';
import type { Settings } from './settings.ts';
import type { Json, JsonObject, World } from './world.ts';

/** The request that a hook is asked about, as far as it is known at that point. */
export interface Context {
  readonly method: string;
  /** Template of §4; null when the path is no endpoint. */
  readonly endpoint: EndpointPath | null;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Query as sent, decoded; the first value of a repeated name. */
  readonly query: ReadonlyMap<string, string>;
  /** Epoch ms. */
  readonly now: number;
  /** The key header as sent. */
  readonly apiKey: string | undefined;
  /** Header names and values in turn, in the case in which they were sent. */
  readonly rawHeaders: readonly string[];
  /** The key's record; undefined when the key is missing or unknown. */
  readonly key: KeyRecord | undefined;
  /** Undefined until the limiter has been asked. */
  readonly admission: Admission | undefined;
  /** Rate windows that ended since the server was created: 0 in the first window. */
  readonly window: number;
  readonly world: World;
}

/** An answer before it becomes text. */
export interface Answer {
  readonly status: number;
  /** Names lower-cased. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as a value. */
  readonly value: Json;
  /** Sent in place of the value when set: for bodies that are not JSON. */
  readonly text?: string;
  /** Milliseconds to wait before answering over a socket. */
  readonly delayMs?: number;
}

/**
 * The places where a variant or a fault can change the server. All are optional; a server without modifications holds
 * none and pays nothing. Hooks run in the order given, each on the outcome of the one before. A hook may throw a
 * `Refusal` to refuse the request.
 */
export interface Hooks {
  /** Replaces parts of the data, once at the start. */
  readonly world?: (world: World) => Partial<World>;
  /** Changes the parameter rules of an endpoint, once at the start. */
  readonly rules?: (
    rules: Readonly<Record<string, QueryParameter>>,
    endpoint: EndpointPath,
  ) => Readonly<Record<string, QueryParameter>>;
  /** Replaces the limiter, or puts something around it, once at the start. */
  readonly limiter?: (settings: LimiterSettings, limiter: Limiter) => Limiter;
  /** Replaces the monthly quota, once at the start. */
  readonly quota?: (quota: Quota) => Quota;
  /** Changes what is known about a key; undefined stands for an unknown one. */
  readonly key?: (key: KeyRecord | undefined, context: Context) => KeyRecord | undefined;
  /** Names the bucket that a request is counted in; the key itself by default. */
  readonly bucket?: (bucket: string, context: Context) => string;
  /** Changes the limiter's word on a request: the decision and the figures it announces. */
  readonly admission?: (admission: Admission, context: Context) => Admission;
  /** Changes the path parameters before they are looked at. */
  readonly path?: (
    path: Readonly<Record<string, string>>,
    context: Context,
  ) => Readonly<Record<string, string>>;
  /** Changes the query before it is validated; gets its own copy. */
  readonly query?: (query: Map<string, string>, context: Context) => Map<string, string>;
  /** Changes the rows of an answer (array or page), after filters, limit and paging. */
  readonly rows?: (rows: readonly Json[], context: Context) => readonly Json[];
  /** Changes one record of a resource of §2; `index` is its place in the answer. */
  readonly record?: (
    record: JsonObject,
    context: Context,
    resource: ResourceName,
    index: number,
  ) => JsonObject;
  /** Changes the body of a successful answer. */
  readonly body?: (value: Json, context: Context) => Json;
  /** Changes any finished answer: status, headers, error body. Runs on every request. */
  readonly answer?: (answer: Answer, context: Context) => Answer;
}

/** What a variant or a fault does to the server. */
export interface Modification {
  readonly settings?: Partial<Settings>;
  /** One set of hooks, or several when two of them use the same place. */
  readonly hooks?: Hooks | readonly Hooks[];
}

/** Lists of hooks by place; an empty list is left out, so that a test for `undefined` is all an unmodified server pays. */
export type HookLists = { readonly [Name in keyof Hooks]?: readonly NonNullable<Hooks[Name]>[] };

/** Collects the hooks of all modifications by place. */
export function collectHooks(modifications: readonly Modification[]): HookLists {
  const all = modifications.flatMap(({ hooks }) => hooks ?? []);
  const pick = (name: keyof Hooks): HookLists => {
    const found = all.flatMap((hooks) => hooks[name] ?? []);
    return found.length === 0 ? {} : { [name]: found };
  };
  return {
    ...pick('world'),
    ...pick('rules'),
    ...pick('limiter'),
    ...pick('quota'),
    ...pick('key'),
    ...pick('bucket'),
    ...pick('admission'),
    ...pick('path'),
    ...pick('query'),
    ...pick('rows'),
    ...pick('record'),
    ...pick('body'),
    ...pick('answer'),
  };
}
