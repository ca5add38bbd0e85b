import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listFaults } from '#src/reference/catalog.ts';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import { toolVersion } from '#src/run/version.ts';
import { packageRoot } from '#src/fs/package-root.ts';
import { readProofFile } from '#proof/kill/report.ts';
import type { Proof } from '#proof/kill/report.ts';
import { onSite, type Document } from './documents.ts';
import type { Shown } from './examples.ts';
import { catalogueData, listPages } from './list-pages.ts';
import { sidebars } from './navigation.ts';
import { requirementPage } from './requirement-page.ts';
import { samplePage } from './sample-page.ts';

const SITE = path.join(packageRoot, 'site');
/** Input of VitePress, generated each time. */
const PAGES = path.join(SITE, '.pages');
const CACHE = path.join(SITE, '.cache');

/** Documents outside `docs`, with their pages. */
const OTHERS: readonly Document[] = [
  { file: 'README.md', page: 'index.md' },
  { file: 'CONTRIBUTING.md', page: 'contributing.md' },
  { file: 'CHANGELOG.md', page: 'changelog.md' },
];
/** The site has separate pages for these. */
const NOT_AS_DOCUMENT = ['requirements.md'];

/** First step of `npm run site`: writes the pages from which the site is built. Returns the exit code. */
async function main(): Promise<number> {
  if (!existsSync(path.join(SITE, 'node_modules', 'vitepress'))) {
    process.stderr.write('VitePress is not installed: run `npm ci --prefix site`.\n');
    return 2;
  }
  const repository = process.env['ASSAY_SITE_REPOSITORY']?.replace(/\/$/, '') || undefined;
  const proof = await readProofFile();
  const shown = await gathered(proof);
  await rm(PAGES, { recursive: true, force: true });
  const write = async (page: string, text: string): Promise<void> => {
    const file = path.join(PAGES, page);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const documents = documentsOf();
  const titles = new Map<string, string>();
  for (const document of documents) {
    const pictures: string[] = [];
    const text = await readFile(path.join(packageRoot, document.file), 'utf8');
    const links = { documents, root: packageRoot, repository };
    const rewritten = onSite(document, text, links, (file) => {
      pictures.push(file);
      return `/${file}`;
    });
    titles.set(document.page.replace(/\.md$/, ''), /^# (.*)$/m.exec(text)?.[1] ?? document.page);
    await write(document.page, rewritten);
    for (const file of pictures) await publish(file);
  }
  const faults = new Map(listFaults().map((fault) => [fault.id, fault]));
  for (const requirement of REQUIREMENTS) {
    const own = (proof.killedBy[requirement.id] ?? []).flatMap((id) => faults.get(id) ?? []);
    const input = { requirement, faults: own, shown };
    await write(`requirements/${requirement.id}.md`, requirementPage(input));
  }
  for (const [page, text] of listPages()) await write(page, text);
  await write('sample-report.md', samplePage());
  await publish('reports/sample/report.html');
  await write(
    'site.json',
    JSON.stringify({
      version: toolVersion(),
      repository: repository ?? null,
      sidebar: sidebars(documents, titles),
    }),
  );
  await write('catalogue.json', JSON.stringify(catalogueData()));
  await write('colours.css', await coloursOfReport());
  process.stdout.write(
    `${REQUIREMENTS.length} requirements, ${documents.length} documents: ${path.relative('', PAGES)}\n`,
  );
  return 0;
}

/** Copies a file of the repository to the same path of the site. */
async function publish(file: string): Promise<void> {
  await cp(path.join(packageRoot, file), path.join(PAGES, 'public', file));
}

const documentsOf = (): readonly Document[] => [
  ...OTHERS,
  ...readdirSync(path.join(packageRoot, 'docs'))
    .filter((name) => name.endsWith('.md') && !NOT_AS_DOCUMENT.includes(name))
    .map((name) => ({ file: `docs/${name}`, page: name })),
];

/** The colour variables of the report, which the site shares. */
async function coloursOfReport(): Promise<string> {
  const style = await readFile(path.join(packageRoot, 'src', 'report-app', 'style.css'), 'utf8');
  const [, block] = /^:root \{([^}]*)\}/m.exec(style) ?? [];
  if (block === undefined) throw new Error('src/report-app/style.css does not start with :root.');
  const variables = block.split('\n').filter((line) => line.includes('light-dark('));
  return `:root {\n${variables.map((line) => line.replace('--', '--report-')).join('\n')}\n}\n`;
}

/** Runs take half a minute, so their results are cached for the same code. They are in another process, which sets its time. */
async function gathered(proof: Proof): Promise<Shown> {
  const digest = await digestOfCode(JSON.stringify(proof.killedBy));
  const file = path.join(CACHE, `examples-${digest}.json`);
  if (!existsSync(file)) {
    await rm(CACHE, { recursive: true, force: true });
    await mkdir(CACHE, { recursive: true });
    execFileSync(process.execPath, [path.join(import.meta.dirname, 'examples.js'), file]);
  }
  return JSON.parse(await readFile(file, 'utf8')) as Shown;
}

/** Digest of everything that determines the results of the runs. */
async function digestOfCode(killedBy: string): Promise<string> {
  const hash = createHash('sha256').update(killedBy);
  const folders = [path.join(packageRoot, 'dist'), import.meta.dirname];
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .toSorted();
    for (const name of files) hash.update(name).update(await readFile(path.join(folder, name)));
  }
  return hash
    .update(await readFile(path.join(packageRoot, 'suites', 'order.txt')))
    .digest('hex')
    .slice(0, 16);
}

process.exitCode = await main();
