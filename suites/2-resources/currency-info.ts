// §2.1: currency info.
import { check } from '../../src/ask/index.ts';
import { about, must, should } from '../../src/requirements/definition.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { IDENTIFIER_ECHO, URLS } from './advice.ts';
import { everyValue, isLinkOrEmpty, isText } from './judge.ts';

const INFO = '/currencies/{currency_id}';

export const CURRENCY_INFO = {
  ...fieldsOf('currency-info'),
  ...about([INFO], {
    '2.1/currency-id-echo': must({
      title: 'Currency info has the requested `currency_id`',
      clauses: ['2.1 currency_id'],
      hinderedBy: ['2.1/currency-id'],
      ...IDENTIFIER_ECHO,
      checks: [check(shownAt(INFO))],
      judge: judgeAll((views, context, it) => {
        // Ruling 22: the answer is about the requested currency. Lists may use other identifiers
        // than answers, so a discovered identifier counts only if the answer names another one, or if
        // two of them get the same answer.
        const answers = views.flatMap((view) => {
          const asked = view.exchange.pathParameters['currency_id'];
          return objectsOf(view, context, 'currency-info').flatMap(({ pointer, value }) => {
            const sent = value['currency_id'];
            if (asked === undefined || (typeof sent !== 'string' && typeof sent !== 'number'))
              return [];
            return [{ view, pointer, asked, sent: String(sent), shown: show(sent) }];
          });
        });
        const discovered = context.discoveredIds?.['currency_id'] ?? [];
        for (const { view, pointer, asked, sent, shown } of answers) {
          const holds = sent === asked;
          const certain =
            (context.partial !== true && !discovered.includes(asked)) ||
            discovered.includes(sent) ||
            answers.some((other) => other.asked !== asked && other.sent === sent);
          if (!holds && !certain) continue;
          it.expect(view, holds, () => ({
            kind: 'other-currency',
            expected: `currency_id "${asked}"`,
            actual: `currency_id ${shown}`,
            pointer: `${pointer}/currency_id`,
          }));
        }
      }),
    }),
    '2.1/urls': should({
      title: 'Icon, whitepaper, explorers and community links are http(s) URLs or empty',
      clauses: ['2.1 icon', '2.1 white_paper', '2.1 explorers', '2.1 community'],
      ...URLS,
      checks: [check(shownAt(INFO))],
      judge: everyValue(
        'currency-info',
        [
          '/icon',
          '/white_paper',
          '/explorers/*',
          '/community/social_primary',
          '/community/social_forum',
        ],
        isText,
        {
          kind: 'not-a-url',
          expected: 'an http(s) URL, or an empty string',
          holds: (value) => isLinkOrEmpty(String(value)),
        },
      ),
    }),
  }),
};
