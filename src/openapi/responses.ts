import { ERRORS } from '../spec/error-codes.ts';
import { NEWS_MAX_ITEMS, RATE_LIMIT } from '../spec/limits.ts';
import type { RATE_HEADERS } from '../spec/limits.ts';
import type { Endpoint, EndpointPath } from '../spec/endpoints.ts';
import { component, pascalCase } from './node.ts';
import type { Node } from './node.ts';
import { ERROR_NAMES, schemaExamples, statusSchema } from './schemas.ts';

type RateHeader = keyof typeof RATE_HEADERS;

/** Names of the rate-limit headers in the case of §8. */
const HEADER_NAMES: Readonly<Record<RateHeader, string>> = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
};
const HEADERS: Readonly<Record<RateHeader, Node>> = {
  limit: {
    description: 'Requests per key per window (§8).',
    schema: { type: 'integer', minimum: 1 },
    example: RATE_LIMIT,
  },
  remaining: {
    description: 'Requests left in the current window (§8).',
    schema: { type: 'integer', minimum: 0 },
    example: 0,
  },
  reset: {
    description: 'When the window resets, epoch milliseconds (§8).',
    schema: component('schemas', 'LongMs'),
    example: 1_767_225_600_000,
  },
};
const RATE_HEADER_KEYS = Object.keys(HEADER_NAMES) as RateHeader[];

/** The rate-limit headers, once as they are required on a refusal and once as they may come with other answers. */
export function headerComponents(): Node {
  return Object.fromEntries(
    RATE_HEADER_KEYS.flatMap((key) => [
      [headerComponent(key, true), { ...HEADERS[key], required: true }],
      [headerComponent(key, false), { ...HEADERS[key], required: false }],
    ]),
  );
}

function headerComponent(key: RateHeader, required: boolean): string {
  return `${required ? '' : 'Optional'}RateLimit${pascalCase(key)}`;
}

function rateHeaders(required: boolean): Node {
  return Object.fromEntries(
    RATE_HEADER_KEYS.map((key) => [
      HEADER_NAMES[key],
      component('headers', headerComponent(key, required)),
    ]),
  );
}

const REFUSALS: Readonly<Record<number, { name: string; description: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter is missing, malformed or not allowed (§7).',
  },
  401: {
    name: 'Unauthorized',
    description: 'The key is missing, unknown, disabled or expired (§5).',
  },
  403: { name: 'Forbidden', description: 'The key has no access to the endpoint (§5).' },
  404: { name: 'NotFound', description: 'The resource does not exist (§7).' },
  429: { name: 'TooManyRequests', description: 'The rate limit of the key is reached (§8).' },
  500: { name: 'InternalError', description: 'The service failed (§7).' },
  503: { name: 'Unavailable', description: 'The service is under maintenance (§7).' },
};

/** One response for every status of §7. */
export function responseComponents(): Node {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, { name, description }]) => [
      name,
      {
        description,
        headers: rateHeaders(status === '429'),
        content: {
          'application/json': {
            schema: statusSchema(Number(status)),
            examples: Object.fromEntries(
              ERROR_NAMES.filter((error) => ERRORS[error].status === Number(status)).map(
                (error) => [
                  error,
                  { summary: ERRORS[error].meaning, value: schemaExamples('errors', error)[0] },
                ],
              ),
            ),
          },
        },
      },
    ]),
  );
}

/**
 * The answers of one endpoint. 404 is left out where no parameter names a resource and 400 where there is no
 * parameter at all, so that a tool can tell that such an answer is wrong. Endpoints whose parameters are not stated
 * (§4.7) may answer 400.
 */
export function responses(path: EndpointPath, endpoint: Endpoint, links: Node): Node {
  const hasPath = Object.keys(endpoint.path).length > 0;
  const names = Object.keys(endpoint.query);
  const may: Readonly<Record<string, boolean>> = {
    400: hasPath || names.length > 0 || endpoint.response.kind === 'unstated',
    404: hasPath || names.some((name) => name.endsWith('_id')),
  };
  return {
    200: {
      description: `The ${endpoint.purpose}.`,
      headers: rateHeaders(false),
      content: { 'application/json': success(path, endpoint) },
      ...(Object.keys(links).length === 0 ? {} : { links }),
    },
    ...Object.fromEntries(
      Object.entries(REFUSALS)
        .filter(([status]) => may[status] ?? true)
        .map(([status, { name }]) => [status, component('responses', name)]),
    ),
  };
}

function success(path: EndpointPath, endpoint: Endpoint): Node {
  const { kind, resource } = endpoint.response;
  if (kind === 'unstated' || resource === undefined) {
    return { schema: { description: 'The specification does not state the shape (§4.7).' } };
  }
  const record = component('schemas', pascalCase(resource));
  const examples = schemaExamples(resource);
  if (kind === 'object') return { schema: record, examples: { sample: { value: examples[0] } } };
  const most = largest(path, endpoint);
  const records = {
    type: 'array',
    items: record,
    ...(most === undefined ? {} : { maxItems: most }),
  };
  if (kind === 'array') return { schema: records, examples: { sample: { value: examples } } };
  const page = { list: examples, page: 1, page_size: 20, total: examples.length };
  return {
    schema: {
      allOf: [component('schemas', 'Page')],
      type: 'object',
      properties: { list: records },
    },
    examples: { sample: { value: page } },
  };
}

/** Most records that one answer may hold: the maximum of `limit` or `page_size`. */
function largest(path: EndpointPath, endpoint: Endpoint): number | undefined {
  // §4.2 rule 4 states a larger number next to the maximum of page_size; both readings are allowed (ruling 4).
  if (path === '/news') return NEWS_MAX_ITEMS;
  return (endpoint.query['limit'] ?? endpoint.query['page_size'])?.maximum;
}
