// Brings schemas/ up to date with the facts: resources with their fields, and the lists of endpoints in target.json and
// results.json. Needs `npm run build` first.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ENDPOINT_PATHS } from '../dist/contract/endpoints.js';
import { resourceSchemas, sharedSchemas } from '../dist/openapi/resource-schemas.js';

const fileOf = (name) => fileURLToPath(new URL(`../schemas/${name}.json`, import.meta.url));

async function write(name, text) {
  const file = fileOf(name);
  const options = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(text, options));
}

for (const [name, schema] of Object.entries(resourceSchemas())) {
  await write(name, JSON.stringify(schema, null, 2));
}

const types = JSON.parse(readFileSync(fileOf('types'), 'utf8'));
const $defs = { ...types.$defs, ...sharedSchemas() };
await write('types', JSON.stringify({ ...types, $defs }, null, 2));

/** A list that begins with the first endpoint, up to its end. */
const first = ENDPOINT_PATHS[0].replaceAll(/[{}]/g, String.raw`\$&`);
const LIST = new RegExp(String.raw`"enum": \[\s*"${first}"[^\]]*\]`, 'g');
for (const name of ['target', 'results']) {
  const text = readFileSync(fileOf(name), 'utf8').replaceAll(LIST, (list) => {
    const others = JSON.parse(`{${list}}`).enum.filter((one) => one === null);
    return `"enum": ${JSON.stringify([...ENDPOINT_PATHS, ...others])}`;
  });
  await write(name, text);
}
