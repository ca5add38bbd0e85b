/**
 * The leanest script that sends what a scenario sends: the same requests at the same rate, and nothing is examined.
 * `npm run bench` holds the scenarios against it.
 */
import http from 'k6/http';
import secrets from 'k6/secrets';
import type { Options, Scenario } from 'k6/options';
import { indexAt } from '../../../../load/lib/draw.ts';
import { flooding, rising, steady } from '../../../../load/lib/options.ts';
import { plan } from '../../../../load/lib/plan.ts';

const EXECUTORS: Readonly<Record<string, () => Scenario>> = {
  mix: steady,
  capacity: rising,
  'rl-flood': flooding,
};

const executor = EXECUTORS[plan.scenario];
if (executor === undefined) throw new Error(`There is no lean form of ${plan.scenario}.`);

export const options: Options = {
  scenarios: { lean: executor() },
  discardResponseBodies: true,
  noCookiesReset: true,
  systemTags: ['status'],
  summaryTrendStats: ['p(95)'],
};

/** The key, asked for once. */
export const setup = (): Promise<string> => secrets.get('key0');

const urls = plan.requests.map(({ path }) => plan.baseUrl + path);
let params: object[] = [];
let sent = __VU * 7;

export default function lean(key: string): void {
  if (params.length === 0) {
    params = plan.requests.map(({ endpoint }) => ({
      headers: { Accept: 'application/json', [plan.keyHeader]: key },
      tags: { name: endpoint },
    }));
  }
  const index = indexAt(sent);
  sent += 1;
  http.get(urls[index] ?? '', params[index]);
}

interface Summary {
  readonly metrics: Readonly<
    Record<string, { readonly values: Readonly<Record<string, number>> } | undefined>
  >;
}

/** How many requests were sent. */
export function handleSummary({ metrics }: Summary): Record<string, string> {
  const file = __ENV['ASSAY_SUMMARY'] ?? 'stdout';
  return { [file]: JSON.stringify({ sent: metrics['http_reqs']?.values['count'] ?? 0 }) };
}
