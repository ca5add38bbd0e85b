import { createHmac } from 'node:crypto';
import { EnvHttpProxyAgent, request } from 'undici';
import { withoutLogin } from '../../http/dispatcher.ts';
import { OptionError } from '../../run/option-error.ts';
import { toolVersion } from '../../run/version.ts';
import type { Secret } from '../../text/secret-scan.ts';
import { oneLine } from '../../text/text.ts';
import type { Notification } from './notification.ts';

/** Receiver of notifications. Both texts may be secret and are never printed or written. */
export interface Receiver {
  readonly url: URL;
  /** Signing secret; null for none. */
  readonly secret: Buffer | null;
}

/** Result of an attempt. */
export type Attempt =
  | { readonly delivered: true; readonly status: number }
  /** Why not, with only the host of the address. */
  | { readonly delivered: false; readonly why: string };

/** Timeout of an attempt, from connecting to the end of the response, ms. */
const ATTEMPT_MS = 10_000;
/** Maximum size of a response, whose body is ignored, bytes. */
const MOST_ANSWER = 16 * 1024;
const LEAST_SECRET = 16;
/** Prefix of a Standard Webhooks secret in base64. */
const PREFIX = 'whsec_';

/**
 * A receiver from the user's settings.
 * @throws OptionError for an invalid address or a short secret; the message contains neither
 */
export function receiverOf(url: string, secret: string | null): Receiver {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new OptionError(
      'The webhook address is not an http or https URL.',
      'Set --webhook or ASSAY_WEBHOOK_URL to an https:// URL with a host and a path.',
    );
  }
  return { url: new URL(url), secret: secret === null ? null : secretOf(secret.trim()) };
}

function secretOf(text: string): Buffer {
  const bytes = text.startsWith(PREFIX)
    ? Buffer.from(text.slice(PREFIX.length), 'base64')
    : Buffer.from(text, 'utf8');
  if (bytes.length >= LEAST_SECRET) return bytes;
  throw new OptionError(
    `The webhook secret is shorter than ${LEAST_SECRET} bytes.`,
    'Generate a secret with: openssl rand -base64 32',
  );
}

/**
 * Sends a notification once. The receiver is not trusted: redirects are not followed, time and size are limited, and
 * the body of the response is ignored. Uses the proxy of `HTTPS_PROXY` and `NO_PROXY`.
 */
export async function deliver(
  { url, secret }: Receiver,
  notification: Notification,
  options: {
    readonly signal: AbortSignal;
    /** Time of the signature, epoch ms; now by default. */
    readonly now?: number;
    /** Timeout, ms; ten seconds by default. */
    readonly timeoutMs?: number;
  },
): Promise<Attempt> {
  const { now = Date.now(), timeoutMs = ATTEMPT_MS } = options;
  const body = JSON.stringify(notification);
  const { href, token } = withoutLogin(url);
  const agent = new EnvHttpProxyAgent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(href, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.any([options.signal, limit]),
      headers: {
        'content-type': 'application/json',
        'user-agent': `assay/${toolVersion()}`,
        ...(token !== null && { authorization: token }),
        ...signed(notification.id, body, secret, now),
      },
      body,
    });
    await answer.body.dump({ limit: MOST_ANSWER }).catch(() => undefined);
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300) return { delivered: true, status };
    const hint = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
    return { delivered: false, why: `${url.host} answered ${status}${hint}` };
  } catch (error) {
    const why = limit.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error);
    return { delivered: false, why: `${url.host}: ${why}` };
  } finally {
    await agent.destroy().catch(() => undefined);
  }
}

/** Standard Webhooks headers: the signature covers id, time and body. */
export function signed(
  id: string,
  body: string,
  secret: Buffer | null,
  now: number,
): Record<string, string> {
  const at = String(Math.floor(now / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': at };
  if (secret === null) return headers;
  const digest = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${digest}` };
}

/**
 * The system error code if there is one, because messages may quote what was sent. Codes of aborted requests are
 * numbers.
 */
function reasonOf(error: unknown): string {
  const { code, cause, name } = error as {
    code?: unknown;
    cause?: { code?: unknown };
    name?: unknown;
  };
  const texts = [code, cause?.code, name].filter((one) => typeof one === 'string');
  return oneLine(texts[0] ?? 'it failed', 60);
}

/** Secret texts of a receiver: path and query of the address, its credentials, the secret. */
export function receiverSecrets(url: string, secret: string | null): readonly Secret[] {
  const { pathname, searchParams, username, password } = new URL(url);
  const login = [username, password, secret?.trim() ?? ''];
  return [...pathname.split('/'), ...searchParams.values(), ...login]
    .filter((value) => value.length >= LEAST_SECRET)
    .map((value) => ({ name: 'webhook', value }));
}
