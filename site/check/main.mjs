// `npm run site:check`: lists the problems of the built site, and fails if there are any.
import { existsSync } from 'node:fs';
import { checkInBrowser } from './browser.mjs';
import { checkLinks } from './links.mjs';
import { DIST } from './pages.mjs';

if (!existsSync(DIST)) {
  process.stderr.write('No site found: run `npm run site` first.\n');
  process.exit(2);
}
const links = checkLinks();
const browser = await checkInBrowser();
const problems = [...links.problems, ...browser.problems];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(
  `${links.pages} pages, ${links.links} links, ${browser.looks} page views in a browser: ${problems.length === 0 ? 'no problems' : `${problems.length} problems`}\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
