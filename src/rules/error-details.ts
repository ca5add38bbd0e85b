import { folded } from '../text/letter-case.ts';
import { errorNamed } from '../contract/error-codes.ts';
import type { Context } from './context.ts';
import { codeOf, detailsOf } from './errors.ts';
import { expectationOf } from './expectation.ts';
import { faultyParameters, type FaultyParameter } from './faulty-parameters.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import { isUnlistedMessage, isValidationFailure } from './validation.ts';
import type { View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const ERROR_DETAILS = criteria('detailsKeys', 'detailsValue');

/** Keys of details that validation failures are said to have besides `field`; which error has which is not said (§7). */
const VALIDATION_KEYS = ['value', 'issue', 'constraint', 'suggestion'] as const;
/** Fewer validation failures than this do not show what a target has for others. */
const FEWEST = 4;
/** What others got wrong is of fewer kinds: so many failures, about so many parameters, show it there. */
const FEWEST_OF_OTHERS = { failures: 20, names: 6 };

/** §7, ruling 10: what else details hold. A key may be missing from some errors, not from all of them. */
const detailKeys: Rule = {
  name: 'detail-keys',
  judges: [ERROR_DETAILS.detailsKeys],
  all(views, context, into) {
    const failures = views.filter((view) => faultOf(view, context) !== undefined);
    // Only a value that was sent as a parameter breaks a constraint that can be told: an identifier just has no such form.
    const ofValues = failures.filter((view) => view.query.has(firstFault(view, context)));
    for (const key of VALIDATION_KEYS) {
      const telling = key === 'constraint' ? ofValues : failures;
      const names = new Set(telling.map((view) => firstFault(view, context)));
      const { failures: few, names: kinds } =
        context.partial === true ? FEWEST_OF_OTHERS : { failures: FEWEST, names: 2 };
      if (telling.length < few || names.size < kinds) continue;
      judgeKey(key, 'validation failure', telling, into);
    }
    const missing = views.filter((view) => isNotFound(view, context));
    if (context.partial === true && missing.length < FEWEST_OF_OTHERS.failures) return;
    judgeKey('suggestion', 'resource that is not found', missing, into);
  },
};

function judgeKey(key: string, what: string, views: readonly View[], into: Judgement): void {
  const [first] = views;
  if (first === undefined) return;
  const holder = views.find((view) => saysSomething(detailsOf(view)[key]));
  into.expect(ERROR_DETAILS.detailsKeys, holder ?? first, holder !== undefined, () => ({
    message: `No error about a ${what} has details.${key}; looked at ${views.length}, such as ${place(first)}`,
    expected: `details.${key} where it helps`,
    actual: `details: ${show(detailsOf(first))}`,
    pointer: '/details',
  }));
}

const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '';

/** The parameters that a validation failure is about; undefined for other answers. */
const faultOf = (view: View, context: Context): readonly FaultyParameter[] | undefined =>
  isValidationFailure(view, context) ? faultyParameters(view, context) : undefined;

const firstFault = (view: View, context: Context): string =>
  faultOf(view, context)?.[0]?.name ?? '';

function isNotFound(view: View, context: Context): boolean {
  if (errorNamed(codeOf(view) ?? 0) !== 'notFound' || view.status !== 404) return false;
  const expectation = expectationOf(view, context);
  return expectation.kind === 'refused' && expectation.errors[0]?.error === 'notFound';
}

/** §7, ruling 10: `details.value`, where there is one, is what was sent. */
const detailValue: Rule = {
  name: 'detail-value',
  judges: [ERROR_DETAILS.detailsValue],
  each(view, context, into) {
    const faulty = faultOf(view, context);
    const { value, field } = detailsOf(view);
    // The message on a pair that is not listed names two parameters, and either may be the field.
    if (faulty === undefined || !saysSomething(value) || isUnlistedMessage(view)) return;
    const names = faulty.map(({ name }) => name);
    const asked = typeof field === 'string' && names.includes(field) ? [field] : names;
    const sent = asked.flatMap((name) => view.query.get(name) ?? pathValue(view, name) ?? []);
    // What was not sent has no value to repeat.
    if (sent.length === 0) return;
    into.expect(
      ERROR_DETAILS.detailsValue,
      view,
      sent.some((text) => repeats(value, text)),
      () => ({
        message: `The details of the refusal of ${place(view)} hold another value than was sent`,
        expected: sent.map((text) => `details.value: ${show(text)}`).join(' or '),
        actual: `details.value: ${show(value)}`,
        pointer: '/details/value',
      }),
    );
  },
};

const pathValue = ({ exchange }: View, name: string): string | undefined =>
  Object.hasOwn(exchange.pathParameters, name) ? exchange.pathParameters[name] : undefined;

/** Whether a value is what was sent: as text, as a number, trimmed, in another letter case, or the beginning of a long text. */
function repeats(value: unknown, sent: string): boolean {
  if (typeof value === 'number')
    return value === Number(sent) || value === Math.trunc(Number(sent));
  if (Array.isArray(value)) return value.some((one) => repeats(one, sent)) || value.length > 1;
  if (typeof value !== 'string') return true;
  const [said, meant] = [value, sent].map((text) => folded(text.trim()));
  if (said === undefined || meant === undefined) return true;
  return said === meant || (said.length >= 20 && meant.startsWith(said.replace(/[.…]+$/, '')));
}

export const ERROR_DETAIL_RULES: readonly Rule[] = [detailKeys, detailValue];
