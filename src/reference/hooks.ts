import type { EndpointPath, QueryParameter } from '../spec/endpoints.ts';
import type { ResourceName } from '../spec/resources.ts';
import type { KeyRecord } from './keys.ts';
import type { Admission, Limiter, LimiterSettings, Quota } from './limiter.ts';
import type { Settings } from './settings.ts';
import type { Json, JsonObject, World } from './world.ts';

/** The request, as far as it is known when a hook runs. */
export interface Context {
  readonly method: string;
  /** Template of §4; null for an unknown path. */
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
  /** Undefined before the limiter ran. */
  readonly admission: Admission | undefined;
  /** Rate windows that ended since the server was created: 0 in the first window. */
  readonly window: number;
  readonly world: World;
}

/** A response before serialisation. */
export interface Answer {
  readonly status: number;
  /** Names lower-cased. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as a value. */
  readonly value: Json;
  /** Sent instead of the value, for bodies that are not JSON. */
  readonly text?: string;
  /** Delay before responding over a socket, ms. */
  readonly delayMs?: number;
}

/**
 * The points where a variant or a fault can change the server. All are optional; without modifications they cost
 * nothing. Hooks run in the order given, each on the result of the previous one. A hook may throw a
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
  /** Replaces or wraps the limiter, once at the start. */
  readonly limiter?: (settings: LimiterSettings, limiter: Limiter) => Limiter;
  /** Replaces the monthly quota, once at the start. */
  readonly quota?: (quota: Quota) => Quota;
  /** Changes the record of a key; undefined for an unknown key. */
  readonly key?: (key: KeyRecord | undefined, context: Context) => KeyRecord | undefined;
  /** The bucket in which a request is counted; the key by default. */
  readonly bucket?: (bucket: string, context: Context) => string;
  /** Changes the decision of the limiter and its headers. */
  readonly admission?: (admission: Admission, context: Context) => Admission;
  /** Changes the path parameters before validation. */
  readonly path?: (
    path: Readonly<Record<string, string>>,
    context: Context,
  ) => Readonly<Record<string, string>>;
  /** Changes a copy of the query before validation. */
  readonly query?: (query: Map<string, string>, context: Context) => Map<string, string>;
  /** Changes the rows of an answer (array or page), after filters, limit and paging. */
  readonly rows?: (rows: readonly Json[], context: Context) => readonly Json[];
  /** Changes one record of a resource of §2; `index` is its position in the answer. */
  readonly record?: (
    record: JsonObject,
    context: Context,
    resource: ResourceName,
    index: number,
  ) => JsonObject;
  /** Changes the body of a successful answer. */
  readonly body?: (value: Json, context: Context) => Json;
  /** Changes any response: status, headers, error body. Runs on every request. */
  readonly answer?: (answer: Answer, context: Context) => Answer;
}

/** The changes of a variant or a fault. */
export interface Modification {
  readonly settings?: Partial<Settings>;
  /** One set of hooks, or several when two of them use the same hook. */
  readonly hooks?: Hooks | readonly Hooks[];
  /** Set where hooks read the data of the reference server, or go by names in it. */
  readonly needsData?: boolean;
  /** Set where bodies are wrapped: that conforms only when the target file names the same envelope (ruling 21). */
  readonly envelope?: 'data';
}

/** Hooks by name; empty lists are omitted, so that an unmodified server only checks for `undefined`. */
export type HookLists = { readonly [Name in keyof Hooks]?: readonly NonNullable<Hooks[Name]>[] };

/** Collects the hooks of all modifications by name. */
export function collectHooks(modifications: readonly Modification[]): HookLists {
  const lists: Record<string, unknown[]> = {};
  for (const hooks of modifications.flatMap((one) => one.hooks ?? []))
    for (const [name, hook] of Object.entries(hooks)) (lists[name] ??= []).push(hook);
  return lists;
}
