import { STATUS } from '../../src/contract/finding.ts';
import { codeOf, describeAnswer } from '../../src/rules/errors.ts';
import { show, type Judgement, type Rule } from '../../src/rules/judgement.ts';
import { place } from '../../src/rules/transport.ts';
import { isObject, type View } from '../../src/rules/view.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_QUOTA = criteria('quota', 'quotaNotEarly', 'quotaAnswer');

/**
 * §8, ruling 15: the key near its monthly quota has as many requests left as the target file says; those are admitted,
 * and the one after them is refused in the error shape. A key that is refused from its first request on was used up
 * before the run and proves nothing, and so does a target that refuses nothing or everything.
 */
const quota: Rule = {
  name: 'monthly-quota',
  judges: [LIMIT_QUOTA.quota, LIMIT_QUOTA.quotaNotEarly, LIMIT_QUOTA.quotaAnswer],
  all(views, context, into) {
    const { quotaLeft, quotaUnseen = 0 } = context;
    if (quotaLeft === undefined) return;
    const asked = views.filter(
      ({ exchange: { role, request } }) => role === 'nearQuota' && request.method === 'GET',
    );
    const own = asked.filter(({ status }) => status < 500);
    // Whether a request that fails in the server counts is not stated.
    const failed = asked.length - own.length;
    const lastAdmitted = own.findLastIndex(({ ok }) => ok);
    // What is admitted again after a refusal was refused by the limit of the window.
    const refusalAt = own.findIndex((view, index) => isRefusal(view) && index > lastAdmitted);
    const served = own.slice(0, refusalAt === -1 ? own.length : refusalAt).filter(usesQuota);
    const admitted = served.length;
    const after = served[quotaLeft];
    const [first] = own;
    if (first === undefined || !first.ok) return;
    if (after !== undefined) {
      into.found(LIMIT_QUOTA.quota, after, {
        message: `${place(after)} was answered after the ${quotaLeft} requests that keys.nearQuota had left`,
        expected: 'a refusal in the error shape; keys.nearQuota.remaining must be right for this',
        actual: `status ${after.status}`,
        header: STATUS,
      });
      return;
    }
    const refused = own[refusalAt];
    if (refused === undefined) return;
    into.expect(
      LIMIT_QUOTA.quotaNotEarly,
      refused,
      admitted >= quotaLeft - quotaUnseen - failed,
      () => ({
        message: `${place(refused)} was refused after ${admitted} of the ${quotaLeft} requests that keys.nearQuota had left`,
        expected: `${quotaLeft} admitted requests, if keys.nearQuota.remaining is up to date`,
        actual: describeAnswer(refused),
      }),
    );
    judgeQuotaRefusal(refused, into);
  },
};

/** What the refusal of a key whose quota is used up carries; which code is the target's choice. */
export function judgeQuotaRefusal(refusal: View, into: Judgement): void {
  into.expect(LIMIT_QUOTA.quota, refusal, hasErrorShape(refusal), () => ({
    message: 'The refusal of a key whose monthly quota is used up is not in the error shape',
    expected: 'code (number), message (string), details (object)',
    actual: show(refusal.isJson ? refusal.body : refusal.response.text),
    pointer: '',
  }));
  into.read(
    'Answer when the monthly quota is used up',
    `status ${refusal.status}, code ${codeOf(refusal) ?? 'none'}`,
    refusal,
    LIMIT_QUOTA.quotaAnswer,
  );
}

/** What the limit of the window refused has used up nothing of the quota. */
const usesQuota = ({ status }: View): boolean => status !== 429;

/** A refusal that an otherwise good request got: what is wrong with a request has other statuses. */
function isRefusal({ status }: View): boolean {
  return status === 429 || status === 403 || status === 401 || status === 402;
}

function hasErrorShape({ body }: View): boolean {
  return (
    isObject(body) &&
    typeof body['code'] === 'number' &&
    typeof body['message'] === 'string' &&
    isObject(body['details'])
  );
}

export const LIMIT_QUOTA_RULES: readonly Rule[] = [quota];
