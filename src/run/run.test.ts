import { expect, it } from 'vitest';
import { resolveTarget } from '../target/file/resolve-target.ts';
import { run } from './run.ts';

const FILE = {
  baseUrl: 'http://127.0.0.1:9',
  keys: { valid: ['first-valid-key', 'second-valid-key'] },
};

it('names the keys of the target when interrupted before the first request', async () => {
  const target = resolveTarget({ env: {}, file: FILE });
  const { keys } = (
    await run({
      target: { ...target, sparesNearQuota: true },
      profile: 'standard',
      seed: 1,
      only: [],
      skip: [],
      maxRequests: null,
      reference: false,
      failOn: ['must'],
      runner: () => Promise.resolve('interrupted'),
    })
  ).target;
  expect(keys.valid).toHaveLength(2);
  // Left out by the monitor, in place of unknown.
  expect(keys.nearQuota).toEqual([]);
});
