// Writes schemas/openapi.json from the facts and schemas of this project. Needs `npm run build` first.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { openApiText } = await import('../dist/src/openapi/document.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(`${error.message}\nRun npm run build first.`);
  process.exit(2);
});
const file = fileURLToPath(new URL('../schemas/openapi.json', import.meta.url));
writeFileSync(file, openApiText());
console.log(`wrote ${file}`);
