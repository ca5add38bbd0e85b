// Brings the lists of endpoints in schemas/target.json and schemas/results.json up to date. Needs `npm run build` first.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ENDPOINT_PATHS } from '../dist/contract/endpoints.js';

/** A list that begins with the first endpoint, up to its end. */
const first = ENDPOINT_PATHS[0].replaceAll(/[{}]/g, String.raw`\$&`);
const LIST = new RegExp(String.raw`"enum": \[\s*"${first}"[^\]]*\]`, 'g');

for (const name of ['target', 'results']) {
  const file = fileURLToPath(new URL(`../schemas/${name}.json`, import.meta.url));
  const text = readFileSync(file, 'utf8').replaceAll(LIST, (list) => {
    const others = JSON.parse(`{${list}}`).enum.filter((one) => one === null);
    return `"enum": ${JSON.stringify([...ENDPOINT_PATHS, ...others])}`;
  });
  const options = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(text, options));
}
