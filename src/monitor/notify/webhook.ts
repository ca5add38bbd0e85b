import { createHmac } from 'node:crypto';
import { EnvHttpProxyAgent, request } from 'undici';
import { OptionError } from '../../run/option-error.ts';
import { oneLine } from '../../text/text.ts';
import type { Notification } from './notification.ts';

/** Where notifications go. Both texts may be secret: neither is printed or written, whatever happens. */
export interface Receiver {
  readonly url: URL;
  /** What notifications are signed with; null for none. */
  readonly secret: Buffer | null;
}

/** What became of an attempt. */
export type Attempt =
  | { readonly delivered: true; readonly status: number }
  /** Why not, in words that hold nothing of the address but its host. */
  | { readonly delivered: false; readonly why: string };

/** Time for one attempt, from the connection to the end of the answer, ms. */
const ATTEMPT_MS = 10_000;
/** Bytes of an answer that are taken; what it says is of no account. */
const MOST_ANSWER = 16 * 1024;
const LEAST_SECRET = 16;
/** Begins a secret of the Standard Webhooks convention: what follows is base64. */
const PREFIX = 'whsec_';

/**
 * A receiver from what the user gave.
 * @throws OptionError for an address that is none, and for a secret that could be guessed; neither stands in the message
 */
export function receiverOf(url: string, secret: string | null): Receiver {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new OptionError(
      'The address of the webhook is no http or https URL.',
      'Give --webhook or ASSAY_WEBHOOK_URL as https://… with host and path.',
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
    `The secret of the webhook has fewer than ${LEAST_SECRET} bytes.`,
    'Make one with: openssl rand -base64 32',
  );
}

/**
 * Sends a notification once. The receiver is not trusted: redirects are not followed, time and size are bounded, and what it
 * answers is read by nobody. Proxies are those of `HTTPS_PROXY` and `NO_PROXY`.
 */
export async function deliver(
  { url, secret }: Receiver,
  notification: Notification,
  options: {
    readonly signal: AbortSignal;
    readonly now: number;
    readonly userAgent: string;
    /** Time for all of it, ms; ten seconds by default. */
    readonly timeoutMs?: number;
  },
): Promise<Attempt> {
  const { timeoutMs = ATTEMPT_MS } = options;
  const body = JSON.stringify(notification);
  const agent = new EnvHttpProxyAgent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(withoutCredentials(url), {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.any([options.signal, limit]),
      headers: {
        'content-type': 'application/json',
        'user-agent': options.userAgent,
        ...credentials(url),
        ...signed(notification.id, body, secret, options.now),
      },
      body,
    });
    await answer.body.dump({ limit: MOST_ANSWER }).catch(() => undefined);
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300) return { delivered: true, status };
    const hint = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
    return { delivered: false, why: `${url.host} answered ${status}${hint}` };
  } catch (error) {
    const why = limit.aborted ? `no answer in ${timeoutMs / 1000} s` : reasonOf(error);
    return { delivered: false, why: `${url.host}: ${why}` };
  } finally {
    await agent.destroy().catch(() => undefined);
  }
}

/**
 * Headers by the Standard Webhooks convention, which has libraries in most languages to verify them: the signature is over
 * id, time and body.
 */
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

function withoutCredentials(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The code of the system where there is one: messages may quote what was sent. Those of aborted requests are numbers. */
function reasonOf(error: unknown): string {
  const { code, cause, name } = error as {
    code?: unknown;
    cause?: { code?: unknown };
    name?: unknown;
  };
  const texts = [code, cause?.code, name].filter((one) => typeof one === 'string');
  return oneLine(texts[0] ?? 'it failed', 60);
}

/** Texts of a receiver that must stand nowhere: path and query of the address, its credentials, the secret. */
export function receiverSecrets(url: string, secret: string | null): readonly string[] {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const parts =
    parsed === null
      ? []
      : [
          ...parsed.pathname.split('/'),
          ...parsed.searchParams.values(),
          parsed.username,
          parsed.password,
        ];
  return [...parts, secret?.trim() ?? ''].filter((part) => part.length >= LEAST_SECRET);
}
