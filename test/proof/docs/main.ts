import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '#src/run/vitest-runner.ts';
import { readProofFile } from '../kill/proof-file.ts';
import { requirementsDoc } from './requirements-doc.ts';
import { trustDoc } from './trust-doc.ts';

/** `npm run docs` writes the generated pages; `--check` fails when one is out of date. */
async function main(args: readonly string[]): Promise<number> {
  const pages = {
    'requirements.md': requirementsDoc(),
    'trust.md': trustDoc(await readProofFile()),
  };
  let code = 0;
  for (const [name, text] of Object.entries(pages)) {
    const file = path.join(packageRoot, 'docs', name);
    if (!args.includes('--check')) {
      await writeFile(file, text);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      process.stderr.write(`docs/${name} is out of date: run \`npm run docs\`.\n`);
      code = 1;
    }
  }
  return code;
}

process.exitCode = await main(process.argv.slice(2));
