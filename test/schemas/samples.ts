import { RESOURCE_NAMES } from '../../src/spec/resources.ts';
import type { ResourceName } from '../../src/spec/resources.ts';
import type { JsonObject } from '../../src/reference/world.ts';
import { schemaFile } from '../../src/judge/schema/schema-files.ts';

function examples(resource: ResourceName): readonly JsonObject[] {
  return schemaFile(resource)['examples'] as readonly JsonObject[];
}

/** One valid record of every resource: the first example of its schema file. Do not change one; copy it. */
export const SAMPLES = Object.fromEntries(
  RESOURCE_NAMES.map((resource) => [resource, examples(resource)[0]]),
) as Readonly<Record<ResourceName, JsonObject>>;

/** A copy of the sample, free to be changed. */
export function sample(resource: ResourceName): Record<string, unknown> {
  return structuredClone(SAMPLES[resource]);
}

/** A copy of a JSON value in which the value at the pointer is replaced, or taken out when it is undefined. */
export function changed(value: unknown, pointer: string, replacement: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const keys = pointer.split('/').slice(1);
  const last = keys.pop();
  let holder = copy;
  for (const key of keys) holder = (holder as Record<string, unknown>)[key];
  const target = holder as Record<string, unknown>;
  if (last === undefined || !(last in target)) throw new Error(`nothing at ${pointer}`);
  if (replacement === undefined) delete target[last];
  else target[last] = replacement;
  return copy;
}
