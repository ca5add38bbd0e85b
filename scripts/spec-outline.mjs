// Writes down which specification the catalogue is made from: its outline (one key for every table row and every numbered
// rule) to test/spec/outline.json, its digest there and to src/requirements/clauses.ts, and the digest of each row and rule
// to src/requirements/row-digests.ts. test/spec/outline.test.ts compares the outline with the text that ASSAY_SPEC names.
// Sentences elsewhere are pointed to by hand: their digests are in src/requirements/prose-digests.ts, and --line tells
// that of a line.
// Usage: node scripts/spec-outline.mjs SPECIFICATION.md [--line NUMBER]
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** Keys such as `2.1 currency_id`, `4.2 rule 3`, `7 400001`: the section, then the first cell or the rule's number. */
export function outline(text) {
  return passages(text).map(([key]) => key);
}

/** The lines of table rows and numbered rules, each with its key. */
function passages(text) {
  const found = [];
  let section = '';
  let table = 0;
  let rowsOfTable = 0;
  let heading = '';
  for (const line of text.split('\n')) {
    const title = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line);
    if (title) {
      section = title[1];
      table = 0;
      heading = '';
    }
    const rule = /^(\d+)\. /.exec(line);
    if (rule) found.push([`${section} ${heading}${rule[1]}`, line]);
    else if (/^(Rules|Notes)\b/.test(line)) heading = line.startsWith('Notes') ? 'note ' : 'rule ';
    if (line.startsWith('|')) {
      rowsOfTable += 1;
      if (rowsOfTable === 1) table += 1;
      const cell = line.split('|')[1].trim();
      if (rowsOfTable > 2) {
        found.push([`${section} ${table > 1 ? `table ${table} ` : ''}${cell}`, line]);
      }
    } else {
      rowsOfTable = 0;
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { digestOf } = await import('../dist/src/report/quotations.js');
  const text = readFileSync(process.argv[2], 'utf8');
  if (process.argv[3] === '--line') {
    console.log(digestOf(text.split('\n')[Number(process.argv[4]) - 1] ?? ''));
    process.exit();
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const rows = outline(text);
  writeFileSync(file('test/spec/outline.json'), `${JSON.stringify({ sha256, rows }, null, 2)}\n`);
  const clauses = file('src/requirements/clauses.ts');
  const digest = /(?<=SPEC_SHA256 = ')[0-9a-f]{64}(?=')/;
  writeFileSync(clauses, readFileSync(clauses, 'utf8').replace(digest, sha256));
  const entries = passages(text).map(([key, line]) => `  '${key}': '${digestOf(line)}',\n`);
  writeFileSync(
    file('src/requirements/row-digests.ts'),
    `/**
 * Digests of the table rows and numbered rules of the specification, by clause: a report finds by them what it quotes
 * from the file that a user names. Written by scripts/spec-outline.mjs.
 */
export const ROW_DIGESTS: Readonly<Record<string, string>> = {
${entries.join('')}};
`,
  );
  console.log(`${rows.length} rows, ${sha256}`);
}
