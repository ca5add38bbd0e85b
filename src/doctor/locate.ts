import { recognize } from '../judge/origin/recognition.ts';
import { viewOf } from '../judge/view.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import type { Target } from '../target/target.ts';
import { ask } from './ask.ts';
import { findBaseUrl } from './base-path.ts';

/** An endpoint with a specified shape and no required parameters. */
const PROBE = '/news';

/**
 * Searches the same host for the service when the base URL of the target is wrong (ruling 23); null when it is not found.
 * @throws the reason of the signal when it aborts
 */
export const locateService = (target: Target, signal?: AbortSignal): Promise<string | null> =>
  findBaseUrl(
    target.baseUrl,
    (baseUrl, role) => ask({ ...target, baseUrl }, PROBE, { role, signal }),
    (exchange) => {
      const view = viewOf(exchange, { ...DEFAULT_FACTS, envelope: target.envelope });
      return view !== undefined && recognize(view) === 'service';
    },
  );
