import exec from 'k6/execution';
import { requestAt } from './draw.ts';
import { countError, guarded } from './guard.ts';
import { keyAt, knownKey } from './keys.ts';
import { plan } from './plan.ts';
import { plainRequest, send } from './request.ts';
import type { PlannedRequest } from '../../src/load/plan.ts';

// Local variables: k6 looks up an import at every use.
const { keys } = plan;
const [sendNow, draw, known] = [send, requestAt, knownKey];

/** Result of an iteration: nothing if it is finished, because k6 is slow to wait for promises, even settled ones. */
export type Iteration = Promise<void> | undefined;

/** Counts over all machines. Its properties are live, so it is fetched once. */
let scenario: typeof exec.scenario | undefined;

/** One request of the mix. Keys alternate over all machines, so each gets an even share of the rate. */
export function mixed(): Iteration {
  scenario ??= exec.scenario;
  const step = scenario.iterationInTest;
  return sendOn(step % keys, draw(step), 'mix', step);
}

const plain = plainRequest();

/** One plain request on one key. */
export function plainOn(index: number, phase: string): Iteration {
  return sendOn(index, plain, phase, 0);
}

/** Sends immediately if the key is loaded, otherwise after loading it. */
function sendOn(index: number, request: PlannedRequest, phase: string, step: number): Iteration {
  const sender = known(index);
  if (sender === undefined) {
    return guarded(async () => {
      send(request, await keyAt(index), phase, step);
    });
  }
  try {
    sendNow(request, sender, phase, step);
  } catch (error) {
    countError();
    throw error;
  }
  return undefined;
}
