import { createRequire } from 'node:module';
import path from 'node:path';

/** Folder of the package, whether it runs from `src` or from `dist`. */
export const packageRoot = path.dirname(
  createRequire(import.meta.url).resolve('assay/package.json'),
);
