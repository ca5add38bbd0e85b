// Every check of every requirement, as one test each: `src/requirements` says what is asked and how it is judged. An editor
// runs and debugs one by its name, such as "4.3/symbol-enum refuses symbol="USDT"".
import { checksInOrder, register } from '../src/suite/index.ts';

for (const check of checksInOrder()) register(check);
