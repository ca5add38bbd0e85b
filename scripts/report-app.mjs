// Builds the explorer of the HTML report into dist/report-app: one classic script and one style.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

await build({
  configFile: false,
  logLevel: 'warn',
  root: fileURLToPath(new URL('../src/report-app/', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/report-app/', import.meta.url)),
    // Not emptied: whoever renders a report at this moment would find nothing.
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    // A classic script: modules do not load from a disk.
    lib: {
      entry: 'main.tsx',
      formats: ['iife'],
      name: 'AssayReport',
      fileName: () => 'app.js',
      cssFileName: 'app',
    },
  },
});
