// Every check of every requirement, as one test each, for editors and plain Vitest: `src/requirements` says what is asked
// and how it is judged. One is run and debugged by its name, such as "4.3/symbol-enum refuses symbol="USDT"". `assay run`
// binds the same tests without this file (`src/run/vitest-runner.ts`).
import { editedRun } from '../src/suite/editor.ts';
import { checksInOrder, register } from '../src/suite/index.ts';

const run = editedRun();
register(checksInOrder(), run);
