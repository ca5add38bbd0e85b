// Writes the outline of the specification (one key per table row and numbered rule) and its digest to test/spec/outline.json,
// and the digest to src/requirements/clauses.ts. test/spec/outline.test.ts compares the outline with the file in ASSAY_SPEC.
// Usage: node scripts/spec-outline.mjs SPECIFICATION.md
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** Keys such as `2.1 currency_id`, `4.2 rule 3`, `7 400001`: the section, then the first cell or the rule's number. */
export function outline(text) {
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
    if (rule) found.push(`${section} ${heading}${rule[1]}`);
    else if (/^(Rules|Notes)\b/.test(line)) heading = line.startsWith('Notes') ? 'note ' : 'rule ';
    if (line.startsWith('|')) {
      rowsOfTable += 1;
      if (rowsOfTable === 1) table += 1;
      const cell = line.split('|')[1].trim();
      if (rowsOfTable > 2) {
        found.push(`${section} ${table > 1 ? `table ${table} ` : ''}${cell}`);
      }
    } else {
      rowsOfTable = 0;
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(process.argv[2], 'utf8');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const rows = outline(text);
  writeFileSync(file('test/spec/outline.json'), `${JSON.stringify({ sha256, rows }, null, 2)}\n`);
  const clauses = file('src/requirements/clauses.ts');
  const digest = /(?<=SPEC_SHA256 = ')[0-9a-f]{64}(?=')/;
  writeFileSync(clauses, readFileSync(clauses, 'utf8').replace(digest, sha256));
  console.log(`${rows.length} rows, ${sha256}`);
}
