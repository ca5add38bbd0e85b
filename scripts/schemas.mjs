// Writes the endpoint lists in schemas/tool/target.json and schemas/tool/results.json. Needs `npm run build` first.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENDPOINT_PATHS } from '../dist/src/spec/endpoints.js';

const fileOf = (name) => fileURLToPath(new URL(`../schemas/tool/${name}.json`, import.meta.url));

/** A list that starts with the first endpoint. */
const first = ENDPOINT_PATHS[0].replaceAll(/[{}]/g, String.raw`\$&`);
const LIST = new RegExp(String.raw`"enum": \[\s*"${first}"[^\]]*\]`, 'g');
for (const name of ['target', 'results']) {
  const text = readFileSync(fileOf(name), 'utf8').replaceAll(LIST, (list) => {
    const others = JSON.parse(`{${list}}`).enum.filter((one) => one === null);
    return `"enum": ${JSON.stringify([...ENDPOINT_PATHS, ...others])}`;
  });
  writeFileSync(fileOf(name), text);
}
execFileSync('npx', ['oxfmt', fileOf('target'), fileOf('results')]);
