import { folded } from '../../src/text/letter-case.ts';
import { STATUS } from '../../src/contract/finding.ts';
import { errorNamed } from '../../src/contract/error-codes.ts';
import { isJudgeable } from '../../src/rules/context.ts';
import { codeOf, detailsOf, isMislabelled, messageOf } from '../../src/rules/errors.ts';
import { REFUSED, expectationOf } from '../../src/rules/expectation.ts';
import { show, type Judgement, type Rule } from '../../src/rules/judgement.ts';
import { isMaintenance, place } from '../../src/rules/transport.ts';
import { isObject, type View } from '../../src/rules/view.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const UNKNOWN_RESOURCES = criteria(
  'unknownResourceNoRecord',
  'currencyNotFoundMessage',
  'notFoundDetails',
);

/** Ruling 11: whatever the refusal of an unknown identifier looks like, no record is made up, and nothing breaks. */
const noRecord: Rule = {
  name: 'unknown-resource-no-record',
  judges: [UNKNOWN_RESOURCES.unknownResourceNoRecord],
  each(view, context, into) {
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused') return;
    if (expectation.errors[0]?.criterion !== REFUSED.unknownResource) return;
    if (isMaintenance(view) || (view.status < 500 && !isJudgeable(view, context))) return;
    judgeRecord(view, into);
  },
};

function judgeRecord(view: View, into: Judgement): void {
  const expected = 'status 404 and code 400401 (or 40401), no record';
  if (view.status >= 500) {
    into.found(UNKNOWN_RESOURCES.unknownResourceNoRecord, view, {
      message: `${place(view)} failed for an identifier that does not exist`,
      expected,
      actual: `status ${view.status}`,
      header: STATUS,
    });
    return;
  }
  if (view.ok && !view.isJson) return;
  const ids = Object.values(view.exchange.pathParameters);
  const none = !view.ok || isMislabelled(view) || !isRecord(view.body, ids);
  into.expect(UNKNOWN_RESOURCES.unknownResourceNoRecord, view, none, () => ({
    message: `${place(view)} answered with a record for an identifier that does not exist`,
    expected,
    actual: `status ${view.status} ${show(view.body)}`,
    pointer: '',
  }));
}

/** Members that say how an answer is made up, not what the resource is like. */
const FRAME = new Set(['page', 'page_size', 'total', 'limit', 'count', 'code', 'timestamp']);

/**
 * True for a body with a figure in it, or with a list that has objects. What merely repeats one of `ids` is no figure
 * (ruling 11).
 */
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

/** §7 note 2: the message and details for what is not found. */
const notFound: Rule = {
  name: 'not-found',
  judges: [UNKNOWN_RESOURCES.currencyNotFoundMessage, UNKNOWN_RESOURCES.notFoundDetails],
  each(view, context, into) {
    if (errorNamed(codeOf(view) ?? 0) !== 'notFound' || view.status !== 404) return;
    const expectation = expectationOf(view, context);
    if (expectation.kind !== 'refused' || expectation.errors.length > 1) return;
    // What is not found although it is something else that is wrong, has the wrong code and no more.
    if (expectation.errors[0]?.error !== 'notFound') return;
    if (expectation.errors[0].criterion === REFUSED.currencyNotFound) {
      into.expect(
        UNKNOWN_RESOURCES.currencyNotFoundMessage,
        view,
        messageOf(view) === 'Currency not found',
        () => ({
          message: `${place(view)} calls an unknown currency something else`,
          expected: '"Currency not found"',
          actual: show(messageOf(view)),
          pointer: '/message',
        }),
      );
    }
    const sent = Object.values(view.exchange.pathParameters);
    const details = detailsOf(view);
    into.expect(
      UNKNOWN_RESOURCES.notFoundDetails,
      view,
      sent.some((id) => holdsText(details, id)),
      () => ({
        message: `The details of ${place(view)} do not hold the identifier that was not found`,
        expected: `a value ${sent.map((id) => `"${id}"`).join(' or ')} in details`,
        actual: show(details),
        pointer: '/details',
      }),
    );
  },
};

/** Whether a value is this text, in any letter case, or holds it. */
export function holdsText(value: unknown, id: string): boolean {
  if (typeof value === 'number') return String(value) === id;
  if (typeof value === 'string') return folded(value) === folded(id);
  if (Array.isArray(value)) return value.some((one) => holdsText(one, id));
  return isObject(value) && Object.values(value).some((one) => holdsText(one, id));
}

export const UNKNOWN_RESOURCE_RULES: readonly Rule[] = [noRecord, notFound];
