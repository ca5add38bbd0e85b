// Brings suites/order.txt up to date: new checks come last, those that are gone leave.
import { writeFileSync } from 'node:fs';
import { nameOf } from '../dist/suite/bound-check.js';
import { checksInOrder, ORDER } from '../dist/suite/checks.js';

const names = checksInOrder().map(nameOf);
writeFileSync(ORDER, `${names.join('\n')}\n`);
process.stdout.write(`${names.length} checks\n`);
