// Builds the script and the style of the HTML report into dist/report-app.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

await build({
  configFile: false,
  logLevel: 'warn',
  root: fileURLToPath(new URL('../src/report-app/', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/report-app/', import.meta.url)),
    // Not emptied: another process may be rendering a report.
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    // A classic script: browsers do not load modules from file: URLs.
    lib: {
      entry: 'main.tsx',
      formats: ['iife'],
      name: 'AssayReport',
      fileName: () => 'app.js',
      cssFileName: 'app',
    },
  },
});
