// Recordings contain the resources of their time. Fields that §2 has gained since then are added from the examples, so
// that a new field does not invalidate recordings; existing fields stay unchanged.
import { endpoint } from '../../src/spec/endpoints.ts';
import { matchEndpoint } from '../../src/spec/match-endpoint.ts';
import { RESOURCE_SCHEMAS, type JsonSchema } from '../../schemas/index.ts';
import { resolved } from '../../src/spec/schema.ts';
import { isObject } from '../../src/text/json-value.ts';

type Changeable = Record<string, unknown>;

/** A value with its missing fields added from an example. */
function filled(value: unknown, stated: JsonSchema, example: unknown): unknown {
  const { items, properties = {} } = resolved(stated).schema;
  if (Array.isArray(value)) {
    const [first] = Array.isArray(example) ? (example as readonly unknown[]) : [];
    return items === undefined ? value : value.map((one: unknown) => filled(one, items, first));
  }
  if (!isObject(value)) return value;
  const examples = isObject(example) ? example : {};
  const complete: Changeable = { ...value };
  for (const [name, schema] of Object.entries(properties)) {
    complete[name] = name in value ? filled(value[name], schema, examples[name]) : examples[name];
  }
  return complete;
}

/** The text of a successful response with missing fields added; unreadable text is unchanged. */
export function completedBody(url: string, text: string): string {
  const { pathname } = new URL(url);
  const segments = pathname.split('/');
  const found = segments
    .map((_, index) => matchEndpoint(`/${segments.slice(index + 1).join('/')}`))
    .find((match) => match !== undefined);
  const resource = found && endpoint(found.endpoint).response.resource;
  const body = parsed(text);
  if (resource === undefined || body === undefined) return text;
  const schema = RESOURCE_SCHEMAS[resource];
  const [example] = schema.examples ?? [];
  const complete = Array.isArray(body)
    ? body.map((one: unknown) => filled(one, schema, example))
    : filled(body, schema, example);
  const written = JSON.stringify(complete);
  return written === JSON.stringify(body) ? text : written;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface HarEntry {
  readonly request: { readonly url: string };
  readonly response: {
    readonly status: number;
    readonly headers: { readonly name: string; value: string }[];
    bodySize?: number;
    readonly content: { size?: number; text?: string; readonly encoding?: string };
  };
}

/** Completes the body of one entry and updates its lengths. */
function completeEntry({ request, response }: HarEntry): boolean {
  const { content } = response;
  if (response.status !== 200 || content.text === undefined || content.text === '') return false;
  const encoding = content.encoding === 'base64' ? 'base64' : 'utf8';
  const before = Buffer.from(content.text, encoding);
  const text = completedBody(request.url, before.toString('utf8'));
  if (text === before.toString('utf8')) return false;
  const { length } = Buffer.from(text);
  content.text = Buffer.from(text).toString(encoding);
  if (content.size === before.length) content.size = length;
  if (response.bodySize === before.length) response.bodySize = length;
  for (const header of response.headers) {
    if (header.name.toLowerCase() === 'content-length') header.value = String(length);
  }
  return true;
}

interface OwnLine {
  readonly request: { readonly url: string };
  readonly response: { readonly status: number; text: string; bytes: number } | null;
}

/** A recording with missing fields added; undefined when none are missing. */
export function completed(name: string, recording: string): string | undefined {
  if (!name.endsWith('.har')) {
    const lines = recording.split('\n').map((line) => {
      if (line === '') return line;
      const exchange = JSON.parse(line) as OwnLine;
      const { request, response } = exchange;
      if (response?.status !== 200) return line;
      const text = completedBody(request.url, response.text);
      if (text === response.text) return line;
      const bytes = Buffer.byteLength(text);
      return JSON.stringify({ ...exchange, response: { ...response, text, bytes } });
    });
    const text = lines.join('\n');
    return text === recording ? undefined : text;
  }
  // Firefox writes a byte order mark.
  const har = JSON.parse(recording.replace(/^\uFEFF/, '')) as { log: { entries: HarEntry[] } };
  const changes = har.log.entries.map(completeEntry);
  return changes.includes(true) ? JSON.stringify(har, null, 2) : undefined;
}
