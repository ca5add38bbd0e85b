// Requests of a run with the near-quota key.
import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../src/ask/index.ts';
import { SuiteSession } from '../../src/ask/session.ts';
import { localReference } from '../../src/run/embedded.ts';
import { WORLD } from '../kept/data.ts';
import { usedUpQuota } from '../../suites/8-limits/quota-requests.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { exchangeOf } from '../judge/exchanges.ts';

type Session = CheckContext['session'];

/** A target that answers the near-quota key with these statuses in turn; null is a lost connection. */
function sessionWith(statuses: readonly (number | null)[], skewMs = 0): Session {
  const exchanges: Exchange[] = [{ ...exchangeOf('/analyses', { body: [] }), skewMs }];
  const answers = [...statuses];
  const session = {
    exchanges,
    facts: { ...DEFAULT_FACTS, quotaLeft: 2 },
    async send(_path: string, { role }: { role?: string }): Promise<Exchange> {
      // Other news do not matter here.
      if (role !== 'nearQuota') return exchangeOf('/news', { status: 404 });
      const status = answers.shift() ?? null;
      const exchange = exchangeOf('/analyses', { status: status ?? 200, role: 'nearQuota' });
      const sent = status === null ? { ...exchange, response: null } : exchange;
      exchanges.push(sent);
      return sent;
    },
  };
  return session as unknown as Session;
}

const statusesOf = (session: Session): (number | null)[] =>
  session.exchanges.slice(1).map(({ response }) => response?.status ?? null);

describe('exhausting the quota', () => {
  it('sends the remaining requests and one more', async () => {
    const session = sessionWith([200, 200, 429, 429]);
    await usedUpQuota({ session });
    expect(statusesOf(session)).toEqual([200, 200, 429]);
  });

  it('continues after a lost connection, also on the last request', async () => {
    const session = sessionWith([200, null, 200, null, 429]);
    await usedUpQuota({ session });
    expect(statusesOf(session)).toEqual([200, null, 200, null, 429]);
  });

  it('sends nothing if the target is in another month than the target file', async () => {
    const session = sessionWith([200, 200, 429], 40 * 86_400_000);
    await expect(usedUpQuota({ session })).rejects.toThrow(
      /^it is \d{4}-\d\d at the target, so the near-quota key has a new quota: /,
    );
    expect(statusesOf(session)).toEqual([]);
  });

  it('gives up when nothing answers', async () => {
    const session = sessionWith([200, null, null, null, null, null]);
    await usedUpQuota({ session });
    expect(statusesOf(session)).toEqual([200, null, null, null]);
  });
});

it('an answer whose body was truncated may have counted', async () => {
  const target = await localReference(WORLD);
  const body = Buffer.from(JSON.stringify({ list: ['x'.repeat(7 * 1024 * 1024)] }));
  const large = { status: 200, headers: ['content-type', 'application/json'], body };
  const session = new SuiteSession({
    runId: 'test',
    target: { ...target, service: () => large },
    profile: 'standard',
    seed: 1,
    only: [],
    skip: [],
    maxRequests: null,
    path: null,
    tell: null,
  });
  try {
    for (const page of [1, 2, 3])
      await session.send('/news', { role: 'nearQuota', query: { page } }).catch(() => null);
    expect(session.exchanges.map(({ response }) => response?.truncated ?? false)).toEqual([
      false,
      false,
      true,
    ]);
    expect(session.facts.quotaUnseen).toBe(1);
  } finally {
    await session.close();
  }
});
