import { TargetError } from '../../target/errors.ts';
import { isObject, parsedJson } from '../../text/json-value.ts';
import type { Client } from '../client.ts';
import type { AdvanceClock } from './run-clock.ts';

/** A function that calls the clock control of a test target, without keys and configured headers. */
export function clockControl(control: string, client: Pick<Client, 'send'>): AdvanceClock {
  const url = new URL(control);
  return async (advanceMs) => {
    const { response, error } = await client.send({
      method: 'POST',
      origin: url.origin,
      requestPath: `${url.pathname}${url.search}`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs }),
    });
    const told = response?.status === 200 ? parsedJson(response.body.toString('utf8')) : null;
    if (isObject(told) && typeof told['now'] === 'number') return told['now'];
    throw new TargetError(
      'ASSAY_TARGET_CLOCK',
      `clock.control did not advance the clock: ${error === null ? `status ${response?.status ?? 0} without {"now": epoch ms}` : `${error.kind}: ${error.message}`}`,
      'Check the URL, or remove clock.control so that waits take real time.',
    );
  };
}
