// tsc writes files without the run bit; `npm link` and a checkout's own `npx assay` need it on the bin.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/cli/main.js', import.meta.url), 0o755);
