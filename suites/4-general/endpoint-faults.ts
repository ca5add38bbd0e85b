import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Answer, Hooks } from '../../src/reference/hooks.ts';
import { endpointIs, onAnswer } from '../../src/reference/vocabulary.ts';
import { faultsOf } from '../../src/reference/faults/fault.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';

/** Changes the successful answers of an endpoint. */
const success = (path: EndpointPath, change: (answer: Answer) => Answer): Hooks =>
  onAnswer((answer, context) => answer.status === 200 && endpointIs(path)(context), change);

/** Answers of one endpoint that are no answers (§4); those that are not there at all stand with their sections. */
export const ENDPOINT_FAULTS: readonly Fault[] = [
  ...faultsOf('4.2', {
    'featured-partial-content': {
      title: 'Featured news is answered with status 206',
      kills: ['4.2/featured'],
      subtle: true,
      hooks: success('/news/featured', (answer) => ({ ...answer, status: 206 })),
    },
  }),
];
