import { STATUS } from '../../src/spec/finding.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { describeAnswer } from '../../src/judge/errors.ts';
import { mayBeFirewall } from '../../src/judge/origin/hostile.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { bodyFault, isBlank, isMaintenance } from '../../src/judge/transport.ts';
import type { View } from '../../src/judge/view.ts';

/** Whether the service itself answered, with a body: not a firewall or a redirect. */
const isOfService = (view: View): boolean =>
  view.exchange.request.method === 'GET' &&
  (view.status < 300 || (view.status >= 400 && view.status < 500)) &&
  !isBlank(view) &&
  !mayBeFirewall(view);

/** §1, §4: every answer is JSON. */
export const jsonBody = judgeEach((view, _context, it) => {
  if (!isOfService(view)) return;
  const fault = bodyFault(view);
  it.expect(view, fault === null, () => ({
    kind: fault?.kind ?? 'not-json',
    facts: { status: view.status },
    expected: fault?.expected ?? '',
    actual: fault?.actual ?? show(view.response.text.slice(0, 80)),
    ...(fault?.header === undefined ? {} : { header: fault.header }),
  }));
});

/** §1: JSON is declared as such. */
export const contentType = judgeEach((view, _context, it) => {
  if (!isOfService(view) || !view.isJson) return;
  const type = view.response.headers['content-type'] ?? '';
  it.expect(view, /^[\w.-]+\/[^;]*\bjson\b/i.test(type), () => ({
    kind: 'json-not-declared',
    expected: 'content-type: application/json',
    actual: type === '' ? 'no content-type' : `content-type: ${type}`,
    header: 'content-type',
  }));
});

/**
 * Ruling 20: no 5xx, except the documented 503 for maintenance (§7), which the client retries. Only a genuine answer
 * counts as a pass, not HTML, a blank body or a refusal by the limiter.
 */
export const no5xx = judgeEach((view, context, it) => {
  if (view.exchange.request.method !== 'GET' || isMaintenance(view)) return;
  if (view.status < 500 && (!isJudgeable(view, context) || !view.isJson || isBlank(view))) return;
  it.expect(view, view.status < 500, () => ({
    kind: 'server-error',
    expected: 'a status below 500',
    actual: `status ${view.status}`,
    header: STATUS,
  }));
});

/** Ruling 21: the bare body is specified. */
export const bareBody = judgeEach((view, context, it) => {
  if (!view.ok || !view.isJson || view.endpoint === null || isBlank(view)) return;
  if (view.endpoint.response.kind === 'unstated' || context.envelope !== null) return;
  it.expect(view, !view.wrapped, () => ({
    kind: 'wrapped-body',
    expected: 'the object or array of §2 itself; set `envelope: data` to judge the content',
    actual: `an object with the keys ${Object.keys(view.body as object).join(', ')}`,
  }));
});

/** §4, ruling 20: records answers to methods other than GET. */
export const otherMethods = judgeEach((view, _context, it) => {
  const { method } = view.exchange.request;
  if (method === 'GET' || view.status === 429) return;
  it.read(`Answer to ${method}`, describeAnswer(view), view);
});
