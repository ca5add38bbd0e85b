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
import { fieldsOf, headersOf, listOf, numberOf, pairsOf, textOf } from './values.ts';

const PURPOSES = ['limit-probe', 'interrupted'] as const;

/** True for something that looks like an exchange: a line of NDJSON, or an element of results.json. */
export function looksLikeExchange(value: unknown): boolean {
  const { sentAt, request } = fieldsOf(value);
  return numberOf(sentAt) !== undefined && isObject(request);
}

/** A HAR entry written by Assay, with extensions in `_assay`. */
export function readMarkedEntry(value: unknown): Exchange | undefined {
  const { request, response, startedDateTime, time, _assay } = fieldsOf(value);
  const mark = fieldsOf(_assay);
  const { method, url, queryString, headers } = fieldsOf(request);
  const { status, headers: answered, content } = fieldsOf(response);
  const { text, encoding, size } = fieldsOf(content);
  const encoded = textOf(text) ?? '';
  const sentAt = numberOf(mark['sentAt']) ?? Date.parse(textOf(startedDateTime) ?? '');
  return readExchange({
    ...mark,
    sentAt,
    receivedAt: sentAt + (numberOf(time) ?? Number.NaN),
    request: {
      method,
      url,
      path: mark['path'],
      query: pairsOf(queryString),
      headers: Object.fromEntries(headersOf(headers)),
    },
    response:
      status === 0
        ? null
        : {
            status,
            headers: Object.fromEntries(headersOf(answered)),
            text:
              encoding === 'base64'
                ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(
                    Buffer.from(encoded, 'base64'),
                  )
                : encoded,
            bytes: size,
            truncated: mark['truncated'],
          },
  });
}

/** Validates an exchange written by Assay; the file is untrusted. Undefined when it is invalid. */
export function readExchange(value: unknown): Exchange | undefined {
  const fields = fieldsOf(value);
  const id = textOf(fields['id']) ?? '';
  const request = requestOf(fields['request']);
  const response = responseOf(fields['response']);
  const error = errorOf(fields['error']);
  const [sentAt, receivedAt] = [numberOf(fields['sentAt']), numberOf(fields['receivedAt'])];
  const role = KEY_ROLES.find((one) => one === fields['role']);
  const key = fields['key'] ?? null;
  if (request === undefined || response === undefined || error === undefined) return undefined;
  if (sentAt === undefined || receivedAt === undefined || role === undefined) return undefined;
  if (!/^x\d{1,9}$/.test(id)) return undefined;
  // Anything but a fingerprint might be the key.
  if (key !== null && !/^k:[0-9a-f]{8}$/.test(textOf(key) ?? '')) return undefined;
  const named = textOf(fields['endpoint']);
  const known = named !== undefined && Object.hasOwn(ENDPOINTS, named);
  const match = known ? undefined : matchEndpoint(request.path);
  const parameters = Object.entries(fieldsOf(fields['pathParameters'])).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const oddities = listOf(fields['oddities']);
  const sequence = numberOf(fields['sequence']);
  const purpose = PURPOSES.find((one) => one === fields['purpose']);
  return {
    id,
    request,
    response,
    error,
    sentAt,
    receivedAt,
    ...(oddities.length > 0 ? { oddities: ODDITIES.filter((one) => oddities.includes(one)) } : {}),
    endpoint: known ? (named as EndpointPath) : (match?.endpoint ?? null),
    pathParameters: known ? Object.fromEntries(parameters) : (match?.parameters ?? {}),
    role,
    key: textOf(key) ?? null,
    skewMs: numberOf(fields['skewMs']) ?? 0,
    attempt: numberOf(fields['attempt']) ?? 1,
    ...(sequence === undefined ? {} : { sequence }),
    ...(purpose === undefined ? {} : { purpose }),
  };
}

function requestOf(value: unknown): Exchange['request'] | undefined {
  const fields = fieldsOf(value);
  const [method, url, path] = [fields['method'], fields['url'], fields['path']].map(textOf);
  if (method === undefined || url === undefined || !URL.canParse(url)) return undefined;
  if (path === undefined || !path.startsWith('/')) return undefined;
  const query = listOf(fields['query']).flatMap((pair) => {
    const [name, one] = listOf(pair);
    return typeof name === 'string' && typeof one === 'string' ? [[name, one] as const] : [];
  });
  return { method, url, path, query, headers: Object.fromEntries(headersOf(fields['headers'])) };
}

/** Null for no response, undefined for an invalid one. */
function responseOf(value: unknown): Exchange['response'] | undefined {
  if (value === null) return null;
  const fields = fieldsOf(value);
  const [status, text] = [numberOf(fields['status']), textOf(fields['text'])];
  if (status === undefined || !Number.isInteger(status) || text === undefined) return undefined;
  return {
    status,
    headers: Object.fromEntries(
      headersOf(fields['headers']).map(([name, one]) => [name.toLowerCase(), one]),
    ),
    text,
    bytes: numberOf(fields['bytes']) ?? Buffer.byteLength(text),
    ...(fields['truncated'] === true ? { truncated: true as const } : {}),
  };
}

function errorOf(value: unknown): TransportError | null | undefined {
  if (value === null || value === undefined) return null;
  const { kind: given, message } = fieldsOf(value);
  const kind = TRANSPORT_ERRORS.find((one) => one === given);
  return kind === undefined ? undefined : { kind, message: textOf(message) ?? '' };
}
