import { setTimeout as sleep } from 'node:timers/promises';
import { RATE_HEADERS } from '../spec/limits.ts';
import { SessionError } from '../http/errors.ts';
import { SkewEstimate } from '../http/pace/skew.ts';
import { parsedJson } from '../text/json-value.ts';
import { openSession } from '../http/session.ts';
import type { Target } from '../target/target.ts';
import { LoadError } from './errors.ts';
import { margin } from './schedule.ts';
import { allRequests, PLAIN, plainRequests } from './requests.ts';

/** Facts about the target, collected before k6 starts. */
export type Prepared = Awaited<ReturnType<typeof prepare>>;

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
 * @returns also `toleranceMs`: the maximum difference of local times and times of the target
 * @throws LoadError `ASSAY_LOAD_TARGET` if the target cannot be reached or rejects the key
 */
export async function prepare(
  given: Target,
  keys: readonly string[],
  which: 'plain' | 'each' | 'all',
  signal?: AbortSignal,
) {
  const { clock: _, ...target } = given;
  const { windowMs } = target.limits;
  const skew = new SkewEstimate();
  let latest = 0;
  const session = openSession(
    { ...target, keys: { valid: [...keys] } },
    {
      seed: 1,
      signal,
      onExchange({ response, sentAt, receivedAt }) {
        latest = receivedAt;
        skew.observe(response?.headers['date'], sentAt, receivedAt);
      },
    },
  );
  /**
   * Sends the plain request.
   * @returns the announced `reset`, epoch ms of the target, null if missing or implausible, which is left to the judge;
   * the time until then, or a whole window (`leftMs`)
   */
  const plain = async () => {
    const once = { keyIndex: 0, force: true, repeat: false };
    const { response, error } = await session.get(PLAIN, once);
    if (response === null) {
      throw unusable(
        `The target cannot be reached: ${error?.message ?? 'no response'}`,
        'Check that it is running and that --base-url is correct.',
      );
    }
    if (response.status === 200 && parsedJson(response.text) === undefined) {
      const type = response.headers['content-type'] ?? 'no content type';
      throw unusable(
        `GET ${PLAIN} returned 200 with a body that is not JSON (${type}): this is not the service, or a proxy answers in its place.`,
        'Check the base URL: the host and the base path, such as /v1.',
      );
    }
    const reset = Number(response.headers[RATE_HEADERS.reset] ?? Number.NaN);
    const now = latest + skew.ms;
    const uncertain = Math.min(2000, skew.uncertaintyMs);
    const isPlausible = reset > now - uncertain && reset <= now + windowMs + uncertain;
    return {
      status: response.status,
      reset: Number.isInteger(reset) && isPlausible ? reset : null,
      leftMs: isPlausible ? reset - now : windowMs,
    };
  };
  try {
    const notes: string[] = [];
    let reset = await firstReset(plain, target.limits.requests, signal);
    if (reset === null) {
      reset = (Math.floor(Date.now() / windowMs) + 1) * windowMs;
      notes.push(
        'No response announces the end of the window in milliseconds, so windows aligned to Unix time were assumed.',
      );
    }
    let requests = plainRequests();
    if (which !== 'plain') {
      const all = await allRequests(session.fixtures, which === 'each' ? 1 : undefined);
      requests = all.requests;
      notes.push(...all.missing.map((one) => `Skipped ${one}.`));
    }
    const freshAt = reset - skew.ms;
    return {
      requests,
      freshAt,
      // A window that starts with a request, or slides, ends up to one length after the last request. If the previous
      // window counts in proportion (ruling 13), a burst must not follow right after its edge.
      notBefore: Math.max(freshAt, latest + windowMs + margin(windowMs)),
      skewMs: skew.ms,
      toleranceMs: isLocal(target.baseUrl)
        ? LOCAL_TOLERANCE_MS
        : REMOTE_TOLERANCE_MS + Math.min(1000, skew.uncertaintyMs),
      notes,
    };
  } catch (error) {
    throw error instanceof SessionError ? unusable(error.message, error.hint) : error;
  } finally {
    await session.close();
  }
}

/**
 * The end of the window as announced by the first answer, otherwise by a refusal, which must announce it (§8); null if
 * it is not. Waits for a used-up key, because a refusal says nothing about the path.
 */
async function firstReset(
  plain: () => Promise<{ status: number; reset: number | null; leftMs: number }>,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const first = await plain();
  let { status, reset } = first;
  if (status === 429) {
    const ms = Math.max(0, first.leftMs) + REMOTE_TOLERANCE_MS;
    await sleep(ms, undefined, { ...(signal !== undefined && { signal }) });
    ({ status, reset } = await plain());
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
    ({ status, reset } = await plain());
    if (status !== 429) reset = null;
  }
  return reset;
}

const unusable = (message: string, hint: string): LoadError =>
  new LoadError('ASSAY_LOAD_TARGET', message, hint);
