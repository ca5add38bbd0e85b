// §8 Limits: 20 requests a minute and key, told in headers, enforced with 429; and the monthly quota.
//
// Runs late on purpose: nearly everything here is judged on requests that other checks sent. The refusal itself comes from
// one request beyond a window that the run used up on its way.
import { requirement, Untested } from '../src/suite/index.ts';
import {
  afterReset,
  answersWith,
  burst,
  failedRequest,
  judgedSoFar,
  refusedWindow,
  traffic,
  twoKeys,
  unjudged,
} from '../src/ask/requests/limits.ts';
import { usedUpQuota } from '../src/ask/requests/quota.ts';
import { restrictedWindow } from '../src/ask/requests/restricted-window.ts';

for (const id of ['8/limit-enforced', '8/limit-not-early'] as const) {
  requirement(id, async ({ expect, session }) => {
    const answers = await refusedWindow(session);
    if (judgedSoFar(session, id) === undefined) throw unjudged(session);
    expect(answers).toConform();
  });
}

requirement(
  '8/limit-enforced',
  'also for requests at the same moment, and until the reset',
  async ({ expect, session }) => {
    await burst(session);
    if (judgedSoFar(session, '8/limit-enforced') === undefined) throw unjudged(session);
    expect(traffic(session)).toConform();
  },
  { profile: 'full' },
);

requirement('8/per-key', async ({ expect, session }) => {
  const answers = await twoKeys(session);
  if (judgedSoFar(session, '8/per-key') === undefined) {
    throw new Untested(
      'no answer tells whether the keys are counted apart: none shows a figure, and none came right after another key was refused',
    );
  }
  expect(answers).toConform();
});

requirement('8/reset', async ({ expect, session }) => {
  const answers = await afterReset(session);
  if (judgedSoFar(session, '8/reset') === undefined) throw unjudged(session);
  expect(answers).toConform();
});

for (const id of [
  '8/refusal-headers',
  '8/refusal-code',
  '8/refusal-message',
  '8/refusal-limit',
  '8/refusal-window',
  '8/retry-after',
  '8/retry-after-fits',
] as const) {
  requirement(id, async ({ expect, session }) => {
    const answers = await refusedWindow(session);
    if (id === '8/retry-after-fits' && judgedSoFar(session, id) === undefined) {
      throw new Untested(
        'no refusal carries both a number in retry_after and a reset to fit it to',
      );
    }
    if (judgedSoFar(session, id) === undefined) throw unjudged(session);
    expect(answers).toConform();
  });
}

const HEADER_CHECKS = [
  ['8/header-limit', 'limit'],
  ['8/header-remaining', 'remaining'],
  ['8/header-reset', 'reset'],
] as const;

for (const [id, name] of HEADER_CHECKS) {
  requirement(
    id,
    async ({ expect, session }) => {
      expect(await answersWith(session, name)).toConform();
    },
    { profile: 'smoke' },
  );
}

requirement(
  '8/remaining-decrements',
  async ({ expect, session }) => {
    const answers = await answersWith(session, 'remaining');
    mustBeSeen(judgedSoFar(session, '8/remaining-decrements'));
    expect(answers).toConform();
  },
  { profile: 'smoke' },
);

requirement(
  '8/reset-steady',
  async ({ expect, session }) => {
    const answers = await answersWith(session, 'reset');
    mustBeSeen(judgedSoFar(session, '8/reset-steady'));
    expect(answers).toConform();
  },
  { profile: 'smoke' },
);

/** Figures that come with single refusals only cannot be compared with each other. */
function mustBeSeen(judged: object | undefined): void {
  if (judged === undefined) {
    throw new Untested(
      'no two answers can be told to be of one window: only refusals have to carry the header, and rounded resets need a clock that agrees with `Date`',
    );
  }
}

requirement('8/headers-present', async ({ observe, session }) => {
  observe(traffic(session));
});

requirement('8/retry-after-unit', async ({ observe, session }) => {
  observe(await refusedWindow(session));
});

requirement('8/window-kind', async ({ observe, session }) => {
  observe(await afterReset(session));
});

requirement('8/refused-counted', async ({ observe, session }) => {
  observe(await failedRequest(session));
});

for (const id of ['8/quota', '8/quota-not-early'] as const) {
  requirement(id, async ({ expect, session }) => {
    expect(await usedUpQuota(session)).toConform();
  });
}

requirement('8/quota-answer', async ({ observe, session }) => {
  observe(await usedUpQuota(session));
});

// Last: what the valid keys are asked for does not depend on what another one shows.
requirement(
  '8/limit-enforced',
  'also for the restricted key, later in the run and until the reset',
  async ({ expect, session }) => {
    const answers = await restrictedWindow(session);
    if (judgedSoFar(session, '8/limit-enforced', 'restricted') === undefined) {
      throw new Untested('the restricted key did not use up a window of its own');
    }
    expect(answers).toConform();
  },
);
