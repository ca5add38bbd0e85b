import { STATUS } from '../../src/spec/finding.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer, hasErrorShape } from '../../src/judge/errors.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';

/** What happened to the near-quota key. */
interface QuotaUse {
  /** Requests left at the start of the run, according to the target file. */
  readonly left: number;
  readonly served: readonly View[];
  /** The refusal after which nothing was admitted, if any. */
  readonly refused: View | undefined;
  /** Requests that may or may not have counted. */
  readonly unknown: number;
}

/**
 * §8, ruling 15: as many requests as the target file says are admitted, and the next one is refused. Inconclusive if
 * the first request is refused, because the key was already used up, or if the target refuses everything or nothing.
 */
function quotaUse(views: readonly View[], context: Context): QuotaUse | null {
  const { quotaLeft: left, quotaUnseen = 0 } = context;
  if (left === undefined) return null;
  const asked = views.filter(
    ({ exchange: { role, request } }) => role === 'nearQuota' && request.method === 'GET',
  );
  const own = asked.filter(({ status }) => status < 500);
  if (own[0]?.ok !== true) return null;
  const lastAdmitted = own.findLastIndex(({ ok }) => ok);
  // If requests are admitted again later, the window refused, not the quota.
  const refusalAt = own.findIndex((view, index) => isRefusal(view) && index > lastAdmitted);
  // Requests refused by the window do not use up the quota.
  const served = own
    .slice(0, refusalAt === -1 ? own.length : refusalAt)
    .filter(({ status }) => status !== 429);
  // Whether server errors count is not specified.
  const unknown = quotaUnseen + asked.length - own.length;
  return { left, served, refused: own[refusalAt], unknown };
}

export const quota = judgeAll((views, context, it) => {
  const spent = quotaUse(views, context);
  const after = spent?.served[spent.left];
  if (after !== undefined) {
    it.found(after, {
      kind: 'answered-beyond-quota',
      facts: { left: spent?.left ?? 0 },
      expected: 'a refusal in the error shape, if keys.nearQuota.remaining is up to date',
      actual: `status ${after.status}`,
      header: STATUS,
    });
  } else if (spent?.refused !== undefined) {
    it.expect(spent.refused, hasErrorShape(spent.refused), wrongShape(spent.refused));
  }
});

export const quotaNotEarly = judgeAll((views, context, it) => {
  const spent = quotaUse(views, context);
  if (spent?.refused === undefined) return;
  const { refused, served, left, unknown } = spent;
  if (served.length > left) return;
  it.expect(refused, served.length >= left - unknown, () => ({
    kind: 'refused-before-quota',
    facts: { served: served.length, left },
    expected: `${left} admitted requests, if keys.nearQuota.remaining is up to date`,
    actual: describeAnswer(refused),
  }));
});

export const quotaAnswer = judgeAll((views, context, it) => {
  const spent = quotaUse(views, context);
  if (spent?.refused === undefined || spent.served.length > spent.left) return;
  it.read(QUOTA_ANSWER, answerTo(spent.refused), spent.refused);
});

export const QUOTA_ANSWER = 'Answer when the monthly quota is used up';

export const answerTo = (refusal: View): string =>
  `status ${refusal.status}, code ${codeOf(refusal) ?? 'none'}`;

export const wrongShape = (refusal: View) => (): FindingText => ({
  kind: 'quota-refusal-shape',
  expected: 'code (number), message (string), details (object)',
  actual: show(refusal.isJson ? refusal.body : refusal.response.text),
  pointer: '',
});

/** A refusal of a valid request: invalid ones have other statuses. */
const isRefusal = ({ status }: View): boolean => [401, 402, 403, 429].includes(status);
