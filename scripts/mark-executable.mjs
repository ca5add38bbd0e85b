// tsc does not set the executable bit, which `npm link` and `npx assay` in a checkout need.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';

const folder = new URL('../dist/cli/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('main.js', folder), "#!/usr/bin/env node\nimport '../src/cli/main.js';\n");
chmodSync(new URL('main.js', folder), 0o755);
