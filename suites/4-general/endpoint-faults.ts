import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Answer, Hooks } from '../../src/reference/hooks.ts';
import { endpointIs, onSuccess } from '../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';

/** Changes successful answers of an endpoint. */
const success = (path: EndpointPath, change: (answer: Answer) => Answer): Hooks =>
  onSuccess(endpointIs(path), change);

/** Answers with the wrong status (§4). Missing answers are faults of their sections. */
export const ENDPOINT_FAULTS: readonly Fault[] = [
  ...faultsOf('4.2', {
    'featured-partial-content': {
      title: 'Featured news is returned with status 206',
      kills: ['4.2/featured'],
      hooks: success('/news/featured', (answer) => ({ ...answer, status: 206 })),
    },
  }),
];
