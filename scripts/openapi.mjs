// Writes schemas/openapi.json from the facts and schemas of this project. Needs `npm run build` first.
// Usage: node scripts/openapi.mjs [--out FILE] [--server URL] [--fixtures FILE.json]
// --fixtures: values of another target for the examples, in the form of `fixtures` of a target file.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    out: {
      type: 'string',
      default: fileURLToPath(new URL('../schemas/openapi.json', import.meta.url)),
    },
    server: { type: 'string' },
    fixtures: { type: 'string' },
  },
});
const { openApiText } = await import('../dist/src/openapi/document.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(`${error.message}\nRun npm run build first.`);
  process.exit(2);
});
const text = openApiText({
  ...(values.server === undefined ? {} : { serverUrl: values.server }),
  ...(values.fixtures === undefined
    ? {}
    : { examples: JSON.parse(readFileSync(values.fixtures, 'utf8')) }),
});
writeFileSync(values.out, text);
console.log(`wrote ${values.out}`);
