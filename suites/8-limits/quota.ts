import type { Exchange } from '../../src/spec/exchange.ts';
import { STATUS } from '../../src/spec/finding.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer, hasErrorShape } from '../../src/judge/errors.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/**
 * The month at the target, as `yyyy-MM`, if it began after the target file was written or during these exchanges: the key has
 * a new quota then. The clock of a test target may be ahead, because runs advance it; undefined for the present month.
 */
export function newMonth(exchanges: readonly Exchange[]): string | undefined {
  const months = exchanges.map(({ sentAt, skewMs }) => monthOf(sentAt + skewMs));
  const [first, last] = [months[0], months.at(-1)];
  const present = monthOf(exchanges.at(-1)?.sentAt ?? 0);
  return last !== undefined && (last > present || last !== first) ? last : undefined;
}

/** What happened to the near-quota key. */
interface QuotaUse {
  /** Requests left at the start of the run, according to the target file. */
  readonly left: number;
  readonly served: readonly View[];
  /** Refusals after the last admission. */
  readonly refusals: readonly View[];
  /** Requests that may or may not have counted. */
  readonly unknown: number;
}

/**
 * §8, ruling 15: as many requests as the target file says are admitted, and the next one is refused. Inconclusive if
 * the first request is refused, because the key was already used up, or if the target refuses everything or nothing. In
 * a burst the window may refuse the first one, and the quota one that was sent before the last admission.
 */
function quotaUse(views: readonly View[], context: Context): QuotaUse | null {
  const { quotaLeft: left, quotaUnseen = 0, load } = context;
  if (left === undefined) return null;
  const asked = views.filter(
    ({ exchange: { role, request } }) => role === 'nearQuota' && request.method === 'GET',
  );
  if (newMonth(asked.map(({ exchange }) => exchange)) !== undefined) return null;
  const own = asked.filter(({ status }) => status < 500);
  const lastAdmitted = own.findLastIndex(({ ok }) => ok);
  if (load === undefined ? own[0]?.ok !== true : lastAdmitted === -1) return null;
  // If requests are admitted again later, the window refused, not the quota.
  const refusalAt = own.findIndex((view, index) => isRefusal(view) && index > lastAdmitted);
  // Requests refused by the window do not use up the quota.
  const served = own
    .slice(0, refusalAt === -1 ? own.length : refusalAt)
    .filter(({ ok, status }) => (load === undefined ? status !== 429 : ok));
  // Whether server errors and refusals by the window count is not specified.
  const byWindow = own.slice(0, Math.max(0, refusalAt)).filter(({ status }) => status === 429);
  const unknown = quotaUnseen + asked.length - own.length + byWindow.length;
  const refusals = refusalAt === -1 ? [] : own.slice(refusalAt).filter(isRefusal);
  return { left, served, refusals, unknown };
}

export const quota = judgeAll((views, context, it) => {
  const spent = quotaUse(views, context);
  const after = spent?.served[spent.left];
  if (after !== undefined) {
    // Before its last admitted request, the window may have refused the key.
    const usedUpAt = spent?.served[spent.left - 1]?.exchange.receivedAt ?? 0;
    const refusal = views.find(
      (one) =>
        one.exchange.role === 'nearQuota' &&
        isRefusal(one) &&
        one.exchange.sentAt >= usedUpAt &&
        one.exchange.receivedAt <= after.exchange.sentAt,
    );
    const found = { actual: `status ${after.status}`, header: STATUS };
    if (refusal === undefined)
      it.found(after, {
        ...found,
        kind: 'answered-beyond-quota',
        facts: { left: spent?.left ?? 0 },
        expected: 'a refusal in the error shape, if keys.nearQuota.remaining is up to date',
      });
    else
      it.found(after, {
        ...found,
        kind: 'answered-after-quota',
        expected: `a refusal, as in ${refusal.exchange.id}`,
        against: [refusal],
      });
    return;
  }
  for (const refusal of spent?.refusals ?? []) {
    it.expect(refusal, hasErrorShape(refusal), () => ({
      kind: 'quota-refusal-shape',
      expected: 'code (number), message (string), details (object)',
      actual: show(refusal.isJson ? refusal.body : refusal.response.text),
      pointer: '',
    }));
  }
});

export const quotaNotEarly = judgeAll((views, context, it) => {
  const spent = quotaUse(views, context);
  const [refused] = spent?.refusals ?? [];
  if (spent === null || refused === undefined) return;
  const { served, left, unknown } = spent;
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
  if (spent === null || spent.served.length > spent.left) return;
  for (const refusal of spent.refusals) {
    const answer = `status ${refusal.status}, code ${codeOf(refusal) ?? 'none'}`;
    it.read('Answer when the monthly quota is used up', answer, refusal);
  }
});

/** A refusal of a valid request: invalid ones have other statuses. */
const isRefusal = ({ status }: View): boolean => [401, 402, 403, 429].includes(status);
