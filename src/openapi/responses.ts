import { ERRORS } from '../spec/error-codes.ts';
import { NEWS_MAX_ITEMS, RATE_LIMIT } from '../spec/limits.ts';
import type { Endpoint, EndpointPath } from '../spec/endpoints.ts';
import { component, pascalCase, type Node } from './node.ts';
import { errorsOf, schemaExamples, statusSchema } from './schemas.ts';

/** The rate-limit headers in the case of §8. */
const HEADERS: Readonly<Record<string, Node>> = {
  'X-RateLimit-Limit': {
    description: 'Requests per key per window (§8).',
    schema: { type: 'integer', minimum: 1 },
    example: RATE_LIMIT,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window (§8).',
    schema: { type: 'integer', minimum: 0 },
    example: 0,
  },
  'X-RateLimit-Reset': {
    description: 'When the window resets, epoch milliseconds (§8).',
    schema: component('schemas', 'LongMs'),
    example: 1_767_225_600_000,
  },
};

/** Name of the component of a header, which is required on a refusal and may come with other answers. */
const headerId = (name: string, prefix: '' | 'Optional'): string =>
  prefix + name.replace('X-', '').replaceAll('-', '');

export const headerComponents = (): Node =>
  Object.fromEntries(
    Object.entries(HEADERS).flatMap(([name, header]) => [
      [headerId(name, ''), { ...header, required: true }],
      [headerId(name, 'Optional'), { ...header, required: false }],
    ]),
  );

const rateHeaders = (prefix: '' | 'Optional'): Node =>
  Object.fromEntries(
    Object.keys(HEADERS).map((name) => [name, component('headers', headerId(name, prefix))]),
  );

/** Name and description of the answers with each status of §7. */
const REFUSALS: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'A parameter is missing, malformed or not allowed (§7).'],
  401: ['Unauthorized', 'The key is missing, unknown, disabled or expired (§5).'],
  403: ['Forbidden', 'The key has no access to the endpoint (§5).'],
  404: ['NotFound', 'The resource does not exist (§7).'],
  429: ['TooManyRequests', 'The rate limit of the key is reached (§8).'],
  500: ['InternalError', 'The service failed (§7).'],
  503: ['Unavailable', 'The service is under maintenance (§7).'],
};

/** One response for every status of §7. */
export function responseComponents(): Node {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, [name, description]]) => {
      const errors = errorsOf(Number(status));
      const examples = errors.map((error) => [
        error,
        { summary: ERRORS[error].meaning, value: schemaExamples('errors', error)[0] },
      ]);
      const schema = statusSchema(Number(status));
      return [
        name,
        {
          description,
          headers: rateHeaders(status === '429' ? '' : 'Optional'),
          content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
        },
      ];
    }),
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
      headers: rateHeaders('Optional'),
      content: { 'application/json': success(path, endpoint) },
      ...(Object.keys(links).length === 0 ? {} : { links }),
    },
    ...Object.fromEntries(
      Object.entries(REFUSALS)
        .filter(([status]) => may[status] ?? true)
        .map(([status, [name]]) => [status, component('responses', name)]),
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
  // Most records that one answer may hold. §4.2 rule 4 states a larger number next to the maximum of page_size; both
  // readings are allowed (ruling 4).
  const { limit, page_size: size } = endpoint.query;
  const most = path === '/news' ? NEWS_MAX_ITEMS : (limit ?? size)?.maximum;
  const records = { type: 'array', items: record, ...(most !== undefined && { maxItems: most }) };
  if (kind === 'array') return { schema: records, examples: { sample: { value: examples } } };
  const page = { list: examples, page: 1, page_size: 20, total: examples.length };
  const allOf = [component('schemas', 'Page')];
  return {
    schema: { allOf, type: 'object', properties: { list: records } },
    examples: { sample: { value: page } },
  };
}
