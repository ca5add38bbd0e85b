import { folded } from '../../src/text/letter-case.ts';
import { errorNamed } from '../../src/spec/error-codes.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf, detailsOf } from '../../src/judge/errors.ts';
import { expectationOf } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { holdsText } from './unknown-resources.ts';
import { faultOf, isUnlistedMessage, isValidationFailure } from '../families/validation.ts';
import type { View } from '../../src/judge/view.ts';

/** Keys of details for validation failures; §7 does not say which error has which. */
const VALIDATION_KEYS = ['field', 'value', 'issue', 'constraint', 'suggestion'] as const;

/** §7, ruling 10: keys of details vary, so one of those listed for the kind of error is enough. */
export const detailsKeys = judgeEach((view, context, it) => {
  const invalid = isInvalid(view, context);
  if (!invalid && !isNotFound(view, context)) return;
  const keys = invalid ? VALIDATION_KEYS : ['suggestion'];
  const details = detailsOf(view);
  // Details may contain the offending value under another name, as §7 does for identifiers.
  const sent = [...Object.values(view.exchange.pathParameters), ...view.query.values()];
  const holds =
    keys.some((key) => saysSomething(details[key])) ||
    sent.some((text) => text !== '' && holdsText(details, text));
  it.expect(view, holds, () => ({
    kind: invalid ? 'details-without-invalid' : 'details-without-unknown',
    expected: `at least one of ${[...keys, 'the value that was sent'].join(', ')}`,
    actual: `details: ${show(details)}`,
    pointer: '/details',
  }));
});

const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** Validation failures with specified details; not for ranges, unknown filters and §4.7 (ruling 10). */
const isInvalid = (view: View, context: Context): boolean =>
  isValidationFailure(view, context) &&
  (isUnlistedMessage(view) || faultOf(view, context) !== undefined);

function isNotFound(view: View, context: Context): boolean {
  if (errorNamed(codeOf(view) ?? 0) !== 'notFound' || view.status !== 404) return false;
  const expectation = expectationOf(view, context);
  return expectation.kind === 'refused' && expectation.errors[0]?.error === 'notFound';
}

/** §7, ruling 10: `details.value`, if present, is the value sent. */
export const detailsValue = judgeEach((view, context, it) => {
  const faulty = faultOf(view, context);
  const { value, field } = detailsOf(view);
  // The message for an unlisted pair names two parameters, either of which may be the field.
  if (faulty === undefined || !saysSomething(value) || isUnlistedMessage(view)) return;
  const names = faulty.map(({ name }) => name);
  const asked = typeof field === 'string' && names.includes(field) ? [field] : names;
  const inPath = new Map(Object.entries(view.exchange.pathParameters));
  const sent = asked.flatMap((name) => view.query.get(name) ?? inPath.get(name) ?? []);
  // A missing parameter has no value to repeat.
  if (sent.length === 0) return;
  it.expect(
    view,
    sent.some((text) => repeats(value, text)),
    () => ({
      kind: 'details-other-value',
      expected: sent.map((text) => `details.value: ${show(text)}`).join(' or '),
      actual: `details.value: ${show(value)}`,
      pointer: '/details/value',
    }),
  );
});

/** Whether a value repeats what was sent: as text or number, trimmed, in another letter case, or truncated. */
function repeats(value: unknown, sent: string): boolean {
  if (typeof value === 'number')
    return value === Number(sent) || value === Math.trunc(Number(sent));
  if (Array.isArray(value)) return value.some((one) => repeats(one, sent)) || value.length > 1;
  if (typeof value !== 'string') return true;
  const [said, meant] = [value, sent].map((text) => folded(text.trim()));
  if (said === undefined || meant === undefined) return true;
  return said === meant || (said.length >= 20 && meant.startsWith(said.replace(/[.…]+$/, '')));
}
