// Properties: requests drawn by chance, judged by all rules. They look where no check with a fixed request looks: at
// combinations of parameters, any value within bounds, and hostile texts. The seed of the run draws them.
import {
  checkLimiter,
  checkProperty,
  LIMITER_REQUIREMENTS,
  PROPERTIES,
} from '../src/suite/property/index.ts';
import { requirement } from '../src/suite/index.ts';

for (const { name, title, requirements } of PROPERTIES) {
  for (const id of requirements) {
    requirement(id, title, ({ session }) => checkProperty(name, id, session), { profile: 'full' });
  }
}

// The limiter against a model of it: any steps with several keys at once.
for (const id of LIMITER_REQUIREMENTS) {
  requirement(id, 'any traffic of several keys', ({ session }) => checkLimiter(id, session), {
    profile: 'full',
  });
}
