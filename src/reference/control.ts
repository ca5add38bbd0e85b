import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { MovableClock } from './clock.ts';

/** Path to read (GET) and advance (POST) the clock. Not part of the API: no key, no limits. */
export const CONTROL_PATH = '/_reference/clock';

const USAGE = 'Send {"advanceMs": <whole milliseconds, 0 or more>}.';

/** Answers a request to the control path: `{"now": <epoch ms>}`, or 400 or 405 with `{"error": …}`. */
export async function handleControl(
  clock: MovableClock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, value: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (request.method === 'POST') {
    try {
      clock.advance(stepIn(await json(request)));
    } catch (error) {
      answer(400, { error: `${error instanceof Error ? error.message : ''} ${USAGE}`.trimStart() });
      return;
    }
  } else if (request.method !== 'GET') {
    request.resume();
    answer(405, { error: 'Use GET to read the clock and POST to move it.' });
    return;
  }
  answer(200, { now: clock.now() });
}

function stepIn(body: unknown): number {
  const step =
    typeof body === 'object' && body !== null && 'advanceMs' in body ? body.advanceMs : undefined;
  if (typeof step !== 'number') throw new Error('advanceMs is missing.');
  return step;
}
