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
  const probe = new Probe(target, keys, client, signal);
  try {
    const { requests: limit, windowMs } = target.limits;
    const notes: string[] = [];
    let reset = (await probe.firstReset()) ?? (await probe.resetOfRefusal(limit + 1));
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

/** Sends the preparation requests, alternating the keys. */
class Probe {
  readonly skew = new SkewEstimate();
  /** Local time of the last answer. */
  latest = 0;
  readonly #target: Target;
  readonly #keys: readonly string[];
  readonly #client: Client;
  readonly #signal: AbortSignal | undefined;
  #sent = 0;

  constructor(
    target: Target,
    keys: readonly string[],
    client: Client,
    signal: AbortSignal | undefined,
  ) {
    this.#target = target;
    this.#keys = keys;
    this.#client = client;
    this.#signal = signal;
  }

  /**
   * The end of the window as announced by the first answer; null if it is not. Waits for a used-up key, because a
   * refusal says nothing about the path.
   */
  async firstReset(): Promise<number | null> {
    let { response } = await this.#send(PLAIN);
    if (response.status === 429) {
      const { windowMs } = this.#target.limits;
      const reset = this.#announced(response.headers);
      const until = reset === null ? this.latest + windowMs : reset - this.skew.ms;
      await sleep(Math.max(0, until - Date.now()) + REMOTE_TOLERANCE_MS, undefined, {
        ...(this.#signal !== undefined && { signal: this.#signal }),
      });
      ({ response } = await this.#send(PLAIN));
    }
    const { status, headers } = response;
    if (status === 200) return this.#announced(headers);
    throw status === 429
      ? unusable(
          `GET ${PLAIN} is still refused with 429 after its window has ended.`,
          "The key's monthly quota is used up, or the key is in use elsewhere. Set a different key.",
        )
      : unusable(
          `GET ${PLAIN} returned ${status}; a load scenario needs 200.`,
          'Check the base URL and the key with `assay run --profile smoke` first.',
        );
  }

  /** Sends up to `most` requests until one is refused: a refusal must have the headers (§8). */
  async resetOfRefusal(most: number): Promise<number | null> {
    for (let index = 0; index < most; index += 1) {
      const { response } = await this.#send(PLAIN);
      if (response.status === 429) return this.#announced(response.headers);
    }
    return null;
  }

  get(
    path: string,
    { query = {} }: { query?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
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

  /** The announced reset if it is plausible. Others are left to the judge. */
  #announced(headers: Readonly<Record<string, string>>): number | null {
    const reset = Number(headers[RATE_HEADERS.reset] ?? Number.NaN);
    const now = this.latest + this.skew.ms;
    const { windowMs } = this.#target.limits;
    const uncertain = Math.min(2000, this.skew.uncertaintyMs);
    const plausible = reset > now - uncertain && reset <= now + windowMs + uncertain;
    return Number.isInteger(reset) && plausible ? reset : null;
  }

  async #send(
    path: string,
    query: Readonly<Record<string, string>> = {},
    keyIndex = 0,
  ): Promise<Answer & { readonly response: NonNullable<Answer['response']> }> {
    const { baseUrl, auth, http } = this.#target;
    const { origin, requestPath } = requestTarget(baseUrl, path, {}, query);
    this.#sent += 1;
    const key = this.#keys[keyIndex] ?? '';
    const headers = { accept: 'application/json', ...http.headers, [auth.header]: key };
    const { sentAt, receivedAt, response, error } = await this.#client.send({
      method: 'GET',
      origin,
      requestPath,
      headers,
    });
    this.latest = receivedAt;
    if (response === null) {
      throw unusable(
        `The target cannot be reached: ${error?.message ?? 'no response'}`,
        'Check that it is running and that --base-url is correct.',
      );
    }
    this.skew.observe(response.headers['date'], sentAt, receivedAt);
    const { status, headers: answered, body } = response;
    const text = body.toString('utf8');
    return {
      id: `x${this.#sent}`,
      response: { status, headers: answered, text, bytes: body.length },
      error: null,
    };
  }
}

const unusable = (message: string, hint: string): LoadError =>
  new LoadError('ASSAY_LOAD_TARGET', message, hint);
