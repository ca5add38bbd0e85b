import { objectsOf } from './currency-values.ts';
import { show, type Rule } from './judgement.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const CURRENCY_ECHO = criteria('currencyIdEcho');

/**
 * §2.1, ruling 22: the answer is about the currency that was asked for. A list may call its entries otherwise than the
 * answer does: an identifier that was only discovered accuses when the answer is that of another currency on the list, or
 * when two of them get the same one.
 */
const currencyIdEcho: Rule = {
  name: 'currency-id-echo',
  judges: [CURRENCY_ECHO.currencyIdEcho],
  all(views, context, into) {
    const answers = views.flatMap((view) => {
      const asked = view.exchange.pathParameters['currency_id'];
      return objectsOf(view, context, 'currency-info').flatMap(({ pointer, value }) => {
        const sent = value['currency_id'];
        if (asked === undefined || (typeof sent !== 'string' && typeof sent !== 'number'))
          return [];
        return [{ view, pointer, asked, sent: String(sent), shown: show(sent) }];
      });
    });
    const listed = listedIds(views);
    const discovered = context.discoveredIds?.['currency_id'] ?? [];
    for (const { view, pointer, asked, sent, shown } of answers) {
      const holds = sent === asked;
      const certain =
        (context.partial !== true && !discovered.includes(asked)) ||
        discovered.includes(sent) ||
        listed.has(asked) ||
        answers.some((other) => other.asked !== asked && other.sent === sent);
      if (!holds && !certain) continue;
      into.expect(CURRENCY_ECHO.currencyIdEcho, view, holds, () => ({
        message: `${place(view)} answers with another currency`,
        expected: `currency_id "${asked}"`,
        actual: `currency_id ${shown}`,
        pointer: `${pointer}/currency_id`,
      }));
    }
  },
};

/** What entries of the currency list call their currency_id: those are identifiers by name. */
function listedIds(views: readonly View[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const view of views) {
    if (view.exchange.endpoint !== '/currencies' || !view.ok) continue;
    const { body } = view;
    const lists = isObject(body) ? Object.values(body) : [body];
    for (const entry of lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []))) {
      const id = isObject(entry) ? entry['currency_id'] : undefined;
      if (typeof id === 'string' || typeof id === 'number') ids.add(String(id));
    }
  }
  return ids;
}

export const CURRENCY_ECHO_RULES: readonly Rule[] = [currencyIdEcho];
