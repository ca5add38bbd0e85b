import { folded } from '../../src/text/letter-case.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { errorNamed } from '../../src/spec/error-codes.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import {
  codeOf,
  detailsOf,
  isMislabelled,
  messageOf,
  sentDetails,
} from '../../src/judge/errors.ts';
import { expectationOf, soleError, type Wrong } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { isMaintenance } from '../../src/judge/transport.ts';
import { isObject, type View } from '../../src/judge/view.ts';

/** Ruling 11: an unknown identifier never returns a record or crashes, whatever its refusal looks like. */
export const noRecord = judgeEach((view, context, it) => {
  const expectation = expectationOf(view, context);
  if (expectation.kind !== 'refused') return;
  if (expectation.errors[0]?.wrong !== 'unknown resource') return;
  if (isMaintenance(view) || (view.status < 500 && !isJudgeable(view, context))) return;
  const expected = 'status 404 and code 400401 (or 40401), no record';
  if (view.status >= 500) {
    it.found(view, {
      kind: 'unknown-id-crashes',
      expected,
      actual: `status ${view.status}`,
      header: STATUS,
    });
    return;
  }
  if (view.ok && !view.isJson) return;
  const ids = Object.values(view.exchange.pathParameters);
  const none = !view.ok || isMislabelled(view) || !isRecord(view.body, ids);
  it.expect(view, none, () => ({
    kind: 'unknown-id-found',
    expected,
    actual: `status ${view.status} ${show(view.body)}`,
    pointer: '',
  }));
});

/** Members that frame an answer and are not part of the resource. */
const FRAME = new Set(['page', 'page_size', 'total', 'limit', 'count', 'code', 'timestamp']);

/** Whether a body contains a figure or a list of objects. Repeating one of `ids` does not count (ruling 11). */
function isRecord(body: unknown, ids: readonly string[]): boolean {
  if (typeof body === 'number') return !ids.some((id) => Number(id) === body);
  if (typeof body === 'string') return FIGURE.test(body) && !ids.includes(body);
  if (Array.isArray(body)) {
    return body.some((one) => (isObject(one) ? Object.keys(one).length > 0 : isRecord(one, ids)));
  }
  if (!isObject(body)) return false;
  return Object.entries(body).some(([name, value]) => !FRAME.has(name) && isRecord(value, ids));
}

const FIGURE = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*%?$/i;

/** The error of a request whose only error is an unknown identifier, answered as not found. */
function notFoundFor(view: View, context: Context): Wrong | undefined {
  if (errorNamed(codeOf(view) ?? 0) !== 'notFound' || view.status !== 404) return undefined;
  // Not found in place of another error is judged as a wrong code.
  const error = soleError(view, context);
  return error?.error === 'notFound' ? error.wrong : undefined;
}

/** §7 note 2: the message for an unknown currency. */
export const currencyNotFoundMessage = judgeEach((view, context, it) => {
  if (notFoundFor(view, context) !== 'unknown currency') return;
  it.expect(view, messageOf(view) === 'Currency not found', () => ({
    kind: 'wrong-not-found-message',
    expected: '"Currency not found"',
    actual: show(messageOf(view)),
    pointer: '/message',
  }));
});

/** §7 note 2: details contain the unknown identifier. */
export const notFoundDetails = judgeEach((view, context, it) => {
  if (notFoundFor(view, context) === undefined) return;
  const sent = Object.values(view.exchange.pathParameters);
  const holds = sent.some((id) => holdsText(detailsOf(view), id));
  it.expect(view, holds, () => ({
    kind: 'details-without-id',
    expected: `a value ${sent.map((id) => `"${id}"`).join(' or ')} in details`,
    actual: show(sentDetails(view)),
    pointer: '/details',
  }));
});

/** Whether a value equals or contains this text, in any letter case. */
export function holdsText(value: unknown, id: string): boolean {
  if (typeof value === 'number') return String(value) === id;
  if (typeof value === 'string') return folded(value) === folded(id);
  if (Array.isArray(value)) return value.some((one) => holdsText(one, id));
  return isObject(value) && Object.values(value).some((one) => holdsText(one, id));
}
