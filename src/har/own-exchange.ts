import { ENDPOINTS, type EndpointPath } from '../spec/endpoints.ts';
import { matchEndpoint } from '../spec/match-endpoint.ts';
import {
  KEY_ROLES,
  ODDITIES,
  TRANSPORT_ERRORS,
  type Exchange,
  type TransportError,
} from '../spec/exchange.ts';
import { isObject } from '../text/json-value.ts';
import { headersOf, listOf, member, numberOf, pairsOf, textOf } from './values.ts';

const PURPOSES = ['limit-probe', 'interrupted'] as const;

/** True for something that looks like an exchange: a line of NDJSON, or an element of results.json. */
export function looksLikeExchange(value: unknown): boolean {
  return numberOf(member(value, 'sentAt')) !== undefined && isObject(member(value, 'request'));
}

/**
 * Validates an exchange written by Assay; the file is untrusted. Undefined when it is invalid.
 */
export function readExchange(value: unknown): Exchange | undefined {
  const request = requestOf(member(value, 'request'));
  const response = responseOf(member(value, 'response'));
  const error = errorOf(member(value, 'error'));
  const [sentAt, receivedAt] = [
    numberOf(member(value, 'sentAt')),
    numberOf(member(value, 'receivedAt')),
  ];
  const id = textOf(member(value, 'id'));
  if (request === undefined || response === undefined || error === undefined) return undefined;
  if (
    sentAt === undefined ||
    receivedAt === undefined ||
    id === undefined ||
    !/^x\d{1,9}$/.test(id)
  ) {
    return undefined;
  }
  return withRest(value, { id, request, response, error, sentAt, receivedAt });
}

/** A HAR entry written by Assay, with extensions in `_assay`. */
export function readMarkedEntry(value: unknown): Exchange | undefined {
  const mark = member(value, '_assay');
  const entry = { request: member(value, 'request'), response: member(value, 'response') };
  const sentAt = Date.parse(textOf(member(value, 'startedDateTime')) ?? '');
  const time = numberOf(member(value, 'time'));
  const id = textOf(member(mark, 'id'));
  const status = numberOf(member(entry.response, 'status'));
  const content = member(entry.response, 'content');
  const request = requestOf({
    method: member(entry.request, 'method'),
    url: member(entry.request, 'url'),
    path: member(mark, 'path'),
    query: pairsOf(member(entry.request, 'queryString')),
    headers: Object.fromEntries(headersOf(member(entry.request, 'headers'))),
  });
  const encoded = textOf(member(content, 'text')) ?? '';
  const text =
    member(content, 'encoding') === 'base64'
      ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'))
      : encoded;
  const response =
    status === 0
      ? null
      : responseOf({
          status,
          headers: Object.fromEntries(headersOf(member(entry.response, 'headers'))),
          text,
          bytes: member(content, 'size'),
          ...(member(mark, 'truncated') === true ? { truncated: true } : {}),
        });
  const error = errorOf(member(mark, 'error'));
  if (request === undefined || response === undefined || error === undefined) return undefined;
  if (Number.isNaN(sentAt) || time === undefined || id === undefined || !/^x\d{1,9}$/.test(id))
    return undefined;
  return withRest(mark, { id, request, response, error, sentAt, receivedAt: sentAt + time });
}

type Rest =
  | 'endpoint'
  | 'pathParameters'
  | 'role'
  | 'key'
  | 'skewMs'
  | 'attempt'
  | 'oddities'
  | 'sequence'
  | 'purpose';

function withRest(value: unknown, core: Omit<Exchange, Rest>): Exchange | undefined {
  const role = KEY_ROLES.find((one) => one === member(value, 'role'));
  const key = member(value, 'key') ?? null;
  const fingerprint = textOf(key) ?? null;
  // Anything but a fingerprint might be the key.
  if (role === undefined || (key !== null && !/^k:[0-9a-f]{8}$/.test(fingerprint ?? '')))
    return undefined;
  const named = textOf(member(value, 'endpoint'));
  const known = named !== undefined && Object.hasOwn(ENDPOINTS, named);
  const match = known ? undefined : matchEndpoint(core.request.path);
  const parameters = Object.fromEntries(
    Object.entries(
      isObject(member(value, 'pathParameters')) ? (member(value, 'pathParameters') as object) : {},
    ).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
  const oddities = listOf(member(value, 'oddities'));
  const sequence = numberOf(member(value, 'sequence'));
  const purpose = PURPOSES.find((one) => one === member(value, 'purpose'));
  return {
    ...core,
    ...(oddities.length > 0 ? { oddities: ODDITIES.filter((one) => oddities.includes(one)) } : {}),
    endpoint: known ? (named as EndpointPath) : (match?.endpoint ?? null),
    pathParameters: known ? parameters : (match?.parameters ?? {}),
    role,
    key: fingerprint,
    skewMs: numberOf(member(value, 'skewMs')) ?? 0,
    attempt: numberOf(member(value, 'attempt')) ?? 1,
    ...(sequence === undefined ? {} : { sequence }),
    ...(purpose === undefined ? {} : { purpose }),
  };
}

function requestOf(value: unknown): Exchange['request'] | undefined {
  const [method, url, path] = ['method', 'url', 'path'].map((name) => textOf(member(value, name)));
  if (method === undefined || url === undefined || URL.canParse(url) === false) return undefined;
  if (path === undefined || !path.startsWith('/')) return undefined;
  const query = listOf(member(value, 'query')).flatMap((pair) => {
    const [name, one] = listOf(pair);
    return typeof name === 'string' && typeof one === 'string' ? [[name, one] as const] : [];
  });
  return {
    method,
    url,
    path,
    query,
    headers: Object.fromEntries(headersOf(member(value, 'headers'))),
  };
}

/** Null for no response, undefined for an invalid one. */
function responseOf(value: unknown): Exchange['response'] | undefined {
  if (value === null) return null;
  const status = numberOf(member(value, 'status'));
  const text = textOf(member(value, 'text'));
  if (status === undefined || !Number.isInteger(status) || text === undefined) return undefined;
  return {
    status,
    headers: Object.fromEntries(
      headersOf(member(value, 'headers')).map(([name, one]) => [name.toLowerCase(), one]),
    ),
    text,
    bytes: numberOf(member(value, 'bytes')) ?? Buffer.byteLength(text),
    ...(member(value, 'truncated') === true ? { truncated: true as const } : {}),
  };
}

function errorOf(value: unknown): TransportError | null | undefined {
  if (value === null || value === undefined) return null;
  const kind = TRANSPORT_ERRORS.find((one) => one === member(value, 'kind'));
  return kind === undefined ? undefined : { kind, message: textOf(member(value, 'message')) ?? '' };
}
