import type { Exchange } from '../../spec/exchange.ts';
import { jsonValue } from '../../text/json-value.ts';

/** Type names by path in a body; array items share the path `/*`. */
export type BodyShape = ReadonlyMap<string, ReadonlySet<string>>;

/** Larger bodies are skipped. */
const PARSE_BOUND = 1_000_000;
/** Exchanges used per endpoint. */
const SAMPLES = 25;
const MAX_DEPTH = 12;

/** Shapes of successful JSON bodies by endpoint. */
export function shapesByEndpoint(exchanges: readonly Exchange[]): ReadonlyMap<string, BodyShape> {
  const shapes = new Map<string, Map<string, Set<string>>>();
  const samples = new Map<string, number>();
  for (const { endpoint, response, request } of exchanges) {
    if (endpoint === null || response === null || request.method !== 'GET') continue;
    if (response.status < 200 || response.status > 299) continue;
    if (response.truncated === true || response.text.length > PARSE_BOUND) continue;
    const seen = samples.get(endpoint) ?? 0;
    if (seen >= SAMPLES) continue;
    samples.set(endpoint, seen + 1);
    const shape = shapes.get(endpoint) ?? new Map<string, Set<string>>();
    shapes.set(endpoint, shape);
    try {
      collect(jsonValue(response.text), '', shape, 0);
    } catch {
      add(shape, '', 'not JSON');
    }
  }
  return shapes;
}

function add(shape: Map<string, Set<string>>, place: string, type: string): void {
  const types = shape.get(place);
  if (types === undefined) shape.set(place, new Set([type]));
  else types.add(type);
}

function collect(
  value: unknown,
  place: string,
  shape: Map<string, Set<string>>,
  depth: number,
): void {
  if (value === null || typeof value !== 'object') {
    add(shape, place, value === null ? 'null' : typeof value);
    return;
  }
  add(shape, place, Array.isArray(value) ? 'array' : 'object');
  if (depth >= MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${place}/*`, shape, depth + 1);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const key = name.replaceAll('~', '~0').replaceAll('/', '~1');
    collect(inner, `${place}/${key}`, shape, depth + 1);
  }
}

/**
 * Differences between two shapes, in words. A path is only compared when its parent exists in both: an empty list says nothing
 * about the fields of its items. Nullability is not compared.
 */
export function shapeDifferences(before: BodyShape, after: BodyShape): readonly string[] {
  const differences: string[] = [];
  const parent = (place: string): string => place.slice(0, place.lastIndexOf('/'));
  const both = (place: string): boolean => {
    const up = parent(place);
    return place === '' || (before.has(up) && after.has(up));
  };
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    if (!both(place)) continue;
    const [old, now] = [before.get(place), after.get(place)];
    // A missing item means an empty list.
    if ((old === undefined || now === undefined) && place.endsWith('/*')) continue;
    if (old === undefined) differences.push(`${place} added (${names(now)})`);
    else if (now === undefined) differences.push(`${place} removed (was ${names(old)})`);
    else {
      const [left, right] = [names(old), names(now)];
      if (left === right || left === '' || right === '') continue;
      differences.push(`${place === '' ? 'the body' : place} changed from ${left} to ${right}`);
    }
  }
  return differences.toSorted();
}

function names(types: ReadonlySet<string> | undefined): string {
  return [...(types ?? [])]
    .filter((type) => type !== 'null')
    .toSorted()
    .join(' or ');
}
