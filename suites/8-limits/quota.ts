import { STATUS } from '../../src/spec/finding.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer } from '../../src/judge/errors.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** What became of the key near its monthly quota. */
interface Spent {
  /** Requests that it had left when the run began, as the target file says. */
  readonly left: number;
  readonly served: readonly View[];
  /** The refusal after which nothing was admitted any more, if there was one. */
  readonly refused: View | undefined;
  /** Requests of which it is not known whether they counted. */
  readonly unknown: number;
}

/**
 * §8, ruling 15: the key has as many requests left as the target file says; those are admitted, and the one after them is
 * refused. A key that is refused from its first request on was used up before the run and proves nothing, and so does a
 * target that refuses nothing or everything.
 */
function spentQuota(views: readonly View[], context: Context): Spent | null {
  const { quotaLeft: left, quotaUnseen = 0 } = context;
  if (left === undefined) return null;
  const asked = views.filter(
    ({ exchange: { role, request } }) => role === 'nearQuota' && request.method === 'GET',
  );
  const own = asked.filter(({ status }) => status < 500);
  if (own[0]?.ok !== true) return null;
  const lastAdmitted = own.findLastIndex(({ ok }) => ok);
  // What is admitted again after a refusal was refused by the limit of the window.
  const refusalAt = own.findIndex((view, index) => isRefusal(view) && index > lastAdmitted);
  // What the limit of the window refused has used up nothing of the quota.
  const served = own
    .slice(0, refusalAt === -1 ? own.length : refusalAt)
    .filter(({ status }) => status !== 429);
  // Whether a request that fails in the server counts is not stated.
  const unknown = quotaUnseen + asked.length - own.length;
  return { left, served, refused: own[refusalAt], unknown };
}

/** `8/quota`. */
export const quota = judgeAll((views, context, it) => {
  const spent = spentQuota(views, context);
  const after = spent?.served[spent.left];
  if (after !== undefined) {
    it.found(after, {
      kind: 'answered-beyond-quota',
      facts: { left: spent?.left ?? 0 },
      expected: 'a refusal in the error shape; keys.nearQuota.remaining must be right for this',
      actual: `status ${after.status}`,
      header: STATUS,
    });
  } else if (spent?.refused !== undefined) {
    it.expect(spent.refused, hasErrorShape(spent.refused), wrongShape(spent.refused));
  }
});

/** `8/quota-not-early`. */
export const quotaNotEarly = judgeAll((views, context, it) => {
  const spent = spentQuota(views, context);
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

/** `8/quota-answer`. */
export const quotaAnswer = judgeAll((views, context, it) => {
  const spent = spentQuota(views, context);
  if (spent?.refused === undefined || spent.served.length > spent.left) return;
  it.read(QUOTA_ANSWER, answerTo(spent.refused), spent.refused);
});

/** The question which answer a used-up quota gives. */
export const QUOTA_ANSWER = 'Answer when the monthly quota is used up';

/** How a target answers when the quota is used up. */
export const answerTo = (refusal: View): string =>
  `status ${refusal.status}, code ${codeOf(refusal) ?? 'none'}`;

/** What is wrong with a refusal that is not in the error shape. */
export const wrongShape = (refusal: View) => (): FindingText => ({
  kind: 'quota-refusal-shape',
  expected: 'code (number), message (string), details (object)',
  actual: show(refusal.isJson ? refusal.body : refusal.response.text),
  pointer: '',
});

/** A refusal that an otherwise good request got: what is wrong with a request has other statuses. */
const isRefusal = ({ status }: View): boolean => [401, 402, 403, 429].includes(status);

/** Whether the answer of a used-up quota has the shape of an error. */
export const hasErrorShape = ({ body }: View): boolean =>
  isObject(body) &&
  typeof body['code'] === 'number' &&
  typeof body['message'] === 'string' &&
  isObject(body['details']);
