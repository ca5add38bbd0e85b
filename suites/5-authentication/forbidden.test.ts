import { expect, it } from 'vitest';
import type { CheckContext } from '../../src/ask/index.ts';
import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { forbidden, forbiddenWithParameters } from './requests.ts';

it('asks for every endpoint that is closed to the restricted key', async () => {
  const closed = ENDPOINT_PATHS.slice(4);
  const asked = new Set<string>();
  const context = {
    session: { target: { keys: { restricted: { forbidden: closed } } } },
    api: {
      get: async (path: string, _query: unknown, { role }: { role?: string } = {}) => {
        if (role === 'restricted') asked.add(path);
        return { status: role === 'restricted' ? 403 : 200 };
      },
    },
  } as unknown as CheckContext;
  await forbidden(context);
  expect(closed.filter((path) => !asked.has(path))).toEqual([]);
  asked.clear();
  await forbiddenWithParameters(context);
  expect([...asked]).toContain('/macro/events/{event}/history');
});
