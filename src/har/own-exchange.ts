import { matchEndpoint } from '../spec/match-endpoint.ts';
import type { Exchange } from '../spec/exchange.ts';
import { validate } from '../judge/schema/schemas.ts';
import { bodyText } from '../text/decoded-text.ts';
import { isObject } from '../text/json-value.ts';
import { fieldsOf, headersOf, numberOf, pairsOf, textOf } from './values.ts';

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
            text: encoding === 'base64' ? bodyText(Buffer.from(encoded, 'base64')) : encoded,
            bytes: size,
            ...(mark['truncated'] === true && { truncated: true }),
          },
  });
}

const ID = /^x\d{1,9}$/;
const FINGERPRINT = /^k:[0-9a-f]{8}$/;

/** Validates an exchange written by Assay; the file is untrusted. Undefined when it is invalid. */
export function readExchange(value: unknown): Exchange | undefined {
  const optional = { endpoint: null, pathParameters: {}, key: null, error: null };
  const given = { ...optional, skewMs: 0, attempt: 1, ...fieldsOf(value) };
  if (validate('results', given, '#/$defs/exchange').length > 0) return undefined;
  const exchange = given as unknown as Exchange;
  const { id, key, role, error, sentAt, receivedAt, skewMs, attempt } = exchange;
  const { method, url, path, query, headers } = exchange.request;
  // Anything but a fingerprint might be the key.
  if (!ID.test(id) || (key !== null && !FINGERPRINT.test(key))) return undefined;
  if (!URL.canParse(url) || !path.startsWith('/')) return undefined;
  const known = exchange.endpoint !== null;
  const match = known ? undefined : matchEndpoint(path);
  const { response, variation, oddities, sequence, purpose } = exchange;
  // Only what the schema describes: a file may contain anything else.
  return {
    id,
    endpoint: known ? exchange.endpoint : (match?.endpoint ?? null),
    pathParameters: known ? exchange.pathParameters : (match?.parameters ?? {}),
    role,
    key,
    ...(variation && { variation }),
    request: { method, url, path, query, headers },
    response: response && {
      status: response.status,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, one]) => [name.toLowerCase(), one]),
      ),
      text: response.text,
      bytes: response.bytes,
      ...(response.truncated && { truncated: true }),
    },
    error: error && { kind: error.kind, message: error.message },
    sentAt,
    receivedAt,
    skewMs,
    attempt,
    ...(oddities && { oddities }),
    ...(sequence !== undefined && { sequence }),
    ...(purpose && { purpose }),
  };
}
