import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { KEY_HEADER, RATE_HEADERS, RATE_WINDOW_MS } from '../spec/limits.ts';
import { shaped } from './content.ts';
import { collectHooks, type Answer, type Context, type HookLists, type Hooks } from './hooks.ts';
import type { Modification } from './hooks.ts';
import { listening, type Listening } from './http-server.ts';
import { Refusal } from './refusal.ts';
import { findRoute } from './router.ts';
import type { Json, World } from './world.ts';

/** Hooks that work with any server; all others need the reference server. */
const OUTSIDE: readonly (keyof Hooks)[] = ['path', 'query', 'rows', 'record', 'body', 'answer'];

/** Whether a defect can be applied in front of another server. */
export function fitsUpstream({ settings, needsData, hooks = [] }: Modification): boolean {
  const names = [hooks].flat().flatMap((one) => Object.keys(one) as (keyof Hooks)[]);
  return (
    settings === undefined && needsData !== true && names.every((name) => OUTSIDE.includes(name))
  );
}

/** Statuses decided before parameters are checked, which defects of parameters cannot affect. */
const BEFORE: readonly number[] = [401, 403, 404, 429];

/** Headers about the connection or the encoding, which are not forwarded. */
const HOP =
  /^(?:connection|keep-alive|transfer-encoding|content-encoding|content-length|host|te|trailer|upgrade)$/;

/**
 * A proxy to another server with defects that change the request or the response. Everything else is forwarded unchanged.
 *
 * @param base URL of the other server
 */
export async function listenBefore(
  base: string,
  defects: readonly Modification[],
  port: number,
): Promise<Listening> {
  const hooks = collectHooks(defects);
  const times: Times = { skewMs: 0, start: undefined, firstReset: undefined };
  const server = createServer((request, response) => {
    request.resume();
    respond({ base: base.replace(/\/$/, ''), hooks, times }, request, response).catch(
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        response.destroy();
      },
    );
  });
  return listening(server, '', port);
}

/** The clock of the other server. */
interface Times {
  skewMs: number;
  /** When its first answer came, by its clock. */
  start: number | undefined;
  /** The first end of a window that it announced. */
  firstReset: number | undefined;
}

/** The other server, with defects. */
interface Before {
  readonly base: string;
  readonly hooks: HookLists;
  readonly times: Times;
}

async function respond(
  before: Before,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, text, delayMs = 0 } = await answerOf(before, request);
  if (delayMs > 0) await wait(delayMs);
  response.sendDate = false;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

async function answerOf(
  { base, hooks, times }: Before,
  { method = 'GET', url = '/', rawHeaders, headers }: IncomingMessage,
): Promise<Answer & { readonly text: string }> {
  const route = method === 'GET' ? findRoute(url) : undefined;
  const { searchParams } = new URL(url, 'http://upstream.invalid');
  const query = new Map([...searchParams].toReversed());
  const now = Date.now() + times.skewMs;
  const context: Context = {
    method,
    endpoint: route?.endpoint ?? null,
    path: route?.path ?? {},
    query,
    now,
    // As at the reference server, an empty key is none.
    apiKey: headers[KEY_HEADER.toLowerCase()]?.toString() || undefined,
    rawHeaders,
    key: undefined,
    admission: undefined,
    window: windowsOver(times, now),
    get world(): World {
      throw new NeedsData(
        'This fault needs the data of the reference server and cannot be applied in front of another server.',
      );
    },
  };
  const changed = route === undefined ? url : refused(() => urlOf(context, url, hooks));
  const sent = typeof changed === 'string' ? changed : url;
  const upstream = await fetch(base + sent, {
    method,
    redirect: 'manual',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      HOP.test(name) || value === undefined ? [] : [[name, value.toString()]],
    ),
  });
  const text = await upstream.text();
  const told = Date.parse(upstream.headers.get('date') ?? '');
  if (Number.isFinite(told)) times.skewMs = told - Date.now();
  const received = Date.now() + times.skewMs;
  const reset = Number(upstream.headers.get(RATE_HEADERS.reset));
  times.start ??= received;
  if (reset > received) times.firstReset ??= reset;
  const value = jsonOf(text);
  const own = Object.fromEntries([...upstream.headers].filter(([name]) => !HOP.test(name)));
  const { status } = upstream;
  let answer: Answer = {
    status,
    headers: own,
    value: value ?? text,
    ...(value === undefined && { text }),
  };
  const refusal =
    changed instanceof Refusal
      ? BEFORE.includes(status)
        ? undefined
        : changed
      : status === 200 && value !== undefined && route !== undefined
        ? refused(() => {
            answer = { ...answer, value: shaped(route.endpoint, value, context, hooks) };
          })
        : undefined;
  if (refusal instanceof Refusal)
    answer = { status: refusal.status, headers: own, value: refusal.body() };
  for (const hook of hooks.answer ?? []) answer = hook(answer, context);
  // Unchanged numbers keep their notation.
  return {
    ...answer,
    text: answer.text ?? (answer.value === value ? text : JSON.stringify(answer.value)),
  };
}

/** How many windows are over: a target for tests may have shorter ones than the specification, and announces when they end. */
const windowsOver = ({ start, firstReset }: Times, now: number): number =>
  Math.max(
    0,
    1 + Math.floor((now - (firstReset ?? (start ?? now) + RATE_WINDOW_MS)) / RATE_WINDOW_MS),
  );

/** The request as the defects make it. */
function urlOf(context: Context, url: string, hooks: HookLists): string {
  let { path } = context;
  let query: Map<string, string> = new Map(context.query);
  for (const hook of hooks.path ?? []) path = hook(path, context);
  for (const hook of hooks.query ?? []) query = hook(query, context);
  const isSame = [...query].toString() === [...context.query].toString();
  if (path === context.path && isSame) return url;
  const filled = (context.endpoint ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  return query.size === 0 ? filled : `${filled}?${new URLSearchParams([...query]).toString()}`;
}

/** The return value of a function, or the refusal it throws; any other error counts as a crash. */
function refused<Made>(make: () => Made): Made | Refusal {
  try {
    return make();
  } catch (error) {
    if (error instanceof NeedsData) throw error;
    return error instanceof Refusal ? error : new Refusal('internal', 'Internal server error', {});
  }
}

/** Thrown where a defect asks for the data of the reference server. */
class NeedsData extends Error {
  override readonly name = 'NeedsData';
}

/** A body as a value; undefined when it is not JSON. */
function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
