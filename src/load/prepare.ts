import { setTimeout as sleep } from 'node:timers/promises';
import { RATE_HEADERS } from '../spec/limits.ts';
import { Client } from '../http/client.ts';
import { requestTarget } from '../http/request-url.ts';
import { SkewEstimate } from '../http/pace/skew.ts';
import { Fixtures, type Answer } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import { isObject, jsonValue } from '../text/json-value.ts';
import { LoadError } from './errors.ts';
import type { PlannedRequest } from './plan.ts';
import { margin } from './schedule.ts';
import { allRequests, PLAIN, plainRequests } from './requests.ts';

/** Facts about the target, collected before k6 starts. */
export interface Prepared {
  readonly requests: readonly PlannedRequest[];
  /** A time at which a window ends, epoch ms of the local clock. */
  readonly freshAt: number;
  /** From this time on every key has a new window, epoch ms of the local clock. */
  readonly notBefore: number;
  readonly skewMs: number;
  /** Maximum difference of local times and times of the target, ms. */
  readonly toleranceMs: number;
  readonly notes: readonly string[];
}

/** Scheduling delays of this machine, and the rounding of two clocks. */
const LOCAL_TOLERANCE_MS = 15;
const REMOTE_TOLERANCE_MS = 100;

/** True if the target is on this machine. */
export function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Requests what the plan needs from the target: whether the key works, when windows end, and identifiers. Costs one
 * request, one more if the key is used up, up to limit + 1 if only refusals have the headers, and one per kind of
 * identifier.
 * @throws LoadError `ASSAY_LOAD_TARGET` if the target cannot be reached or rejects the key
 */
export async function prepare(
  target: Target,
  keys: readonly string[],
  which: 'plain' | 'each' | 'all',
  signal?: AbortSignal,
): Promise<Prepared> {
  const client = new Client({ http: target.http, now: Date.now });
  const probe = new Probe(target, keys, client);
  try {
    const { windowMs } = target.limits;
    const notes: string[] = [];
    let reset = await firstReset(probe, target, signal);
    if (reset === null) {
      reset = (Math.floor(Date.now() / windowMs) + 1) * windowMs;
      notes.push(
        'No response announces the end of the window in milliseconds, so windows aligned to Unix time were assumed.',
      );
    }
    let requests = plainRequests();
    if (which !== 'plain') {
      const fixtures = new Fixtures(target.fixtures, probe, { seed: 1 });
      const all = await allRequests(fixtures, which === 'each' ? 1 : undefined);
      requests = all.requests;
      notes.push(...all.missing.map((one) => `Skipped ${one}.`));
    }
    const skewMs = probe.skew.ms;
    const freshAt = reset - skewMs;
    return {
      requests,
      freshAt,
      // A window that starts with a request, or slides, ends up to one length after the last request. If the previous
      // window counts in proportion (ruling 13), a burst must not follow right after its edge.
      notBefore: Math.max(freshAt, probe.latest + windowMs + margin(windowMs)),
      skewMs,
      toleranceMs: isLocal(target.baseUrl)
        ? LOCAL_TOLERANCE_MS
        : REMOTE_TOLERANCE_MS + Math.min(1000, probe.skew.uncertaintyMs),
      notes,
    };
  } finally {
    await client.close();
  }
}

/**
 * The end of the window as announced by the first answer, otherwise by a refusal, which must announce it (§8); null if
 * it is not. Waits for a used-up key, because a refusal says nothing about the path.
 */
async function firstReset(
  probe: Probe,
  { limits: { requests: limit, windowMs } }: Target,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  let { status, reset } = await probe.plain();
  if (status === 429) {
    const until = reset === null ? probe.latest + windowMs : reset - probe.skew.ms;
    const ms = Math.max(0, until - Date.now()) + REMOTE_TOLERANCE_MS;
    await sleep(ms, undefined, { ...(signal !== undefined && { signal }) });
    ({ status, reset } = await probe.plain());
  }
  if (status === 429) {
    throw unusable(
      `GET ${PLAIN} is still refused with 429 after its window has ended.`,
      "The key's monthly quota is used up, or the key is in use elsewhere. Set a different key.",
    );
  }
  if (status !== 200) {
    throw unusable(
      `GET ${PLAIN} returned ${status}; a load scenario needs 200.`,
      'Check the base URL and the key with `assay run --profile smoke` first.',
    );
  }
  for (let more = 0; reset === null && status !== 429 && more <= limit; more += 1) {
    ({ status, reset } = await probe.plain());
    if (status !== 429) reset = null;
  }
  return reset;
}

/** Sends the preparation requests, alternating the keys. */
class Probe {
  readonly skew = new SkewEstimate();
  /** Local time of the last answer. */
  latest = 0;
  #sent = 0;
  readonly #target: Target;
  readonly #keys: readonly string[];
  readonly #client: Client;

  constructor(target: Target, keys: readonly string[], client: Client) {
    this.#target = target;
    this.#keys = keys;
    this.#client = client;
  }

  /** Sends the plain request; the announced reset is null if missing or implausible, which is left to the judge. */
  async plain(): Promise<{ status: number; reset: number | null }> {
    const { status, headers } = (await this.#send(PLAIN)).response;
    const reset = Number(headers[RATE_HEADERS.reset] ?? Number.NaN);
    const now = this.latest + this.skew.ms;
    const uncertain = Math.min(2000, this.skew.uncertaintyMs);
    const isPlausible =
      reset > now - uncertain && reset <= now + this.#target.limits.windowMs + uncertain;
    return { status, reset: Number.isInteger(reset) && isPlausible ? reset : null };
  }

  get(path: string, { query = {} }: { query?: Query } = {}): Promise<Answer> {
    return this.#send(path, query, this.#sent % this.#keys.length);
  }

  json({ response }: Answer): unknown {
    try {
      const body = jsonValue(response?.text ?? '');
      const { envelope } = this.#target;
      return envelope !== null && isObject(body) ? body[envelope] : body;
    } catch {
      return undefined;
    }
  }

  async #send(path: string, query: Query = {}, keyIndex = 0) {
    const { baseUrl, auth, http } = this.#target;
    this.#sent += 1;
    const { sentAt, receivedAt, response, error } = await this.#client.send({
      method: 'GET',
      ...requestTarget(baseUrl, path, {}, query),
      headers: {
        accept: 'application/json',
        ...http.headers,
        [auth.header]: this.#keys[keyIndex] ?? '',
      },
    });
    this.latest = receivedAt;
    if (response === null) {
      throw unusable(
        `The target cannot be reached: ${error?.message ?? 'no response'}`,
        'Check that it is running and that --base-url is correct.',
      );
    }
    const { status, headers, body } = response;
    this.skew.observe(headers['date'], sentAt, receivedAt);
    const text = body.toString('utf8');
    return {
      id: `x${this.#sent}`,
      response: { status, headers, text, bytes: body.length },
      error: null,
    };
  }
}

type Query = Readonly<Record<string, string>>;

const unusable = (message: string, hint: string): LoadError =>
  new LoadError('ASSAY_LOAD_TARGET', message, hint);
