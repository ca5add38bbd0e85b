import { endpoint as factsOf, ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { EndpointPath, QueryParameter } from '../spec/endpoints.ts';
import { HANDLERS, parameterRules } from './endpoints/handlers.ts';
import type { Context, HookLists } from './hooks.ts';
import { isObject, rowsOf, withRows } from './json.ts';
import { readQuery } from './parameters.ts';
import { Refusal } from './refusal.ts';
import type { Settings } from './settings.ts';
import type { Json, JsonObject, World } from './world.ts';

/** Status and body of a response, before limits and headers. */
export interface Content {
  readonly status: number;
  readonly value: Json;
}

/** Settings that affect the content of a response. */
export interface ContentSettings {
  readonly settings: Settings;
  readonly hooks: HookLists;
  readonly world: World;
}

type Rules = Readonly<Record<string, QueryParameter>>;

/** Computes contents: validation, handler, and the hooks that change rows, records and bodies. */
export function createContents({
  settings,
  hooks,
  world,
}: ContentSettings): (endpoint: EndpointPath, context: Context) => Content {
  const rules = new Map<EndpointPath, Rules>();
  for (const path of ENDPOINT_PATHS) {
    let own: Rules = parameterRules(path);
    for (const hook of hooks.rules ?? []) own = hook(own, path);
    rules.set(path, own);
  }

  const compute = (endpoint: EndpointPath, context: Context): Json => {
    let { path } = context;
    let sent = context.query;
    for (const hook of hooks.path ?? []) path = hook(path, context);
    for (const hook of hooks.query ?? []) sent = hook(new Map(sent), context);
    const query = readQuery(rules.get(endpoint) ?? {}, sent);
    const value = HANDLERS[endpoint]({ world, now: dataTime(context.now), path, query, settings });
    return shaped(endpoint, value, context, hooks);
  };

  return (endpoint, context) => {
    try {
      return { status: 200, value: compute(endpoint, context) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, value: error.body() };
      const message = error instanceof Error ? error.message : String(error);
      const failure = new Refusal('internal', 'Internal server error', { issue: message });
      return { status: failure.status, value: failure.body() };
    }
  };
}

/** How long data stays constant, ms: requests of one minute see the same figures. */
export const DATA_STEP_MS = 60_000;

/** The time of the data shown at `now`. */
export function dataTime(now: number): number {
  return now - (now % DATA_STEP_MS);
}

/** Runs the hooks on rows, records and body of a successful response. */
export function shaped(
  endpoint: EndpointPath,
  value: Json,
  context: Context,
  hooks: HookLists,
): Json {
  let body = value;
  if (hooks.rows !== undefined || hooks.record !== undefined) {
    const rows = rowsOf(body);
    if (rows !== undefined) body = withRows(body, changedRows(endpoint, rows, context, hooks));
    else if (isObject(body)) body = changedRecord(endpoint, body, context, hooks, 0);
  }
  for (const hook of hooks.body ?? []) body = hook(body, context);
  return body;
}

function changedRows(
  endpoint: EndpointPath,
  rows: readonly Json[],
  context: Context,
  hooks: HookLists,
): readonly Json[] {
  let changed = rows;
  for (const hook of hooks.rows ?? []) changed = hook(changed, context);
  return changed.map((row, index) =>
    isObject(row) ? changedRecord(endpoint, row, context, hooks, index) : row,
  );
}

function changedRecord(
  endpoint: EndpointPath,
  record: JsonObject,
  context: Context,
  hooks: HookLists,
  index: number,
): JsonObject {
  const { resource } = factsOf(endpoint).response;
  if (resource === undefined) return record;
  let changed = record;
  for (const hook of hooks.record ?? []) changed = hook(changed, context, resource, index);
  return changed;
}
