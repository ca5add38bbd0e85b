import exec from 'k6/execution';
import { requestAt } from './draw.ts';
import { countError, guarded } from './guard.ts';
import { keyAt, knownKey } from './keys.ts';
import { plan } from './plan.ts';
import { plainRequest, send } from './request.ts';
import type { PlannedRequest } from '../../src/load/plan.ts';

// Names of this module's own: k6 looks an imported one up at every use.
const { keys } = plan;
const [sendNow, draw, known] = [send, requestAt, knownKey];

/** What an iteration returns: nothing when it is over, since k6 takes long to wait for a promise, even a settled one. */
export type Iteration = Promise<void> | undefined;

/** Counts over all machines; its numbers are those of the moment, so it is fetched once. */
let scenario: typeof exec.scenario | undefined;

/** Number of this iteration over all machines, from 0. */
export function iterationNumber(): number {
  scenario ??= exec.scenario;
  return scenario.iterationInTest;
}

/** One request of the mix. Keys take turns over all machines, so each gets its even share of the rate. */
export function mixed(): Iteration {
  const step = iterationNumber();
  return sendOn(step % keys, draw(step), 'mix', step);
}

const plain = plainRequest();

/** One plain request on one key. */
export function plainOn(index: number, phase: string): Iteration {
  return sendOn(index, plain, phase, 0);
}

/** Sends at once when the key is known, and else when it has been asked for. */
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
