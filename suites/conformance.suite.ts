// One test per check of every requirement, for editors and plain Vitest. Run or debug a check by its name, such as
// "4.3/symbol-enum refuses symbol="XBT"". `assay run` registers the same tests without this file
// (`src/run/vitest-runner.ts`).
import { editedRun } from '../src/suite/editor.ts';
import { checksInOrder, register } from '../src/suite/index.ts';

const run = editedRun();
register(checksInOrder(), run);
