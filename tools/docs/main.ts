import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '#src/fs/package-root.ts';
import { readProofFile } from '#proof/kill/report.ts';
import { exampleRun, withFigures } from './readme-figures.ts';
import { requirementsDoc } from './requirements-doc.ts';
import { trustDoc } from './trust-doc.ts';
import { keptVerdicts, pendingChanges, verdictsNow } from './verdicts.ts';
import { versionsDoc } from './versions-doc.ts';

/**
 * `npm run docs` writes the generated pages; `--check` fails if one is out of date. Both fail if a verdict change is not
 * announced.
 */
async function main(args: readonly string[]): Promise<number> {
  const readme = await readFile(path.join(packageRoot, 'README.md'), 'utf8');
  const proof = await readProofFile();
  const kept = await keptVerdicts();
  const pending = await pendingChanges(kept, verdictsNow(proof));
  const pages = {
    'docs/requirements.md': requirementsDoc(),
    'docs/trust.md': trustDoc(proof),
    'docs/versions.md': versionsDoc(kept, pending.changes),
    'README.md': withFigures(readme, await exampleRun()),
  };
  for (const problem of pending.problems) process.stderr.write(`${problem}\n`);
  let code = pending.problems.length === 0 ? 0 : 1;
  for (const [name, text] of Object.entries(pages)) {
    const file = path.join(packageRoot, name);
    if (!args.includes('--check')) {
      await writeFile(file, text);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      process.stderr.write(`${name} is out of date: run \`npm run docs\`.\n`);
      code = 1;
    }
  }
  return code;
}

process.exitCode = await main(process.argv.slice(2));
