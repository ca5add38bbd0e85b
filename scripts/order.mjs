// Updates suites/order.txt: appends new checks to the profile full, and removes deleted ones. `npm run prove -- --order`
// computes the best order.
import { readFileSync, writeFileSync } from 'node:fs';
import { checksInOrder, nameOf, ORDER } from '../dist/src/suite/checks.js';

const lines = readFileSync(ORDER, 'utf8').trimEnd().split('\n');
const names = checksInOrder().map(nameOf);
const known = new Set(lines);
const kept = lines.filter((line) => line.startsWith('# ') || names.includes(line));
const full = kept.indexOf('# full');
const next = kept.findIndex((line, index) => index > full && line.startsWith('# '));
kept.splice(next === -1 ? kept.length : next, 0, ...names.filter((name) => !known.has(name)));
writeFileSync(ORDER, `${kept.join('\n')}\n`);
process.stdout.write(`${names.length} checks\n`);
