// §2.8: rows of the ETF summary history (table 1) and of an ETF's history (table 2).
import { check } from '../../src/ask/index.ts';
import { history } from '../4.4-etf-history/requests.ts';
import { about, must, observe } from '../../src/requirements/definition.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { historyRows } from '../../src/judge/etf-rows.ts';
import { expectationOf } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach } from '../../src/judge/judge.ts';
import { isSameTicker } from '../../src/judge/tickers.ts';
import { fieldsOf } from '../families/field.ts';
import { IDENTIFIER_ECHO } from './advice.ts';

export const ETF_ROWS = {
  ...fieldsOf('etf-summary-row', 'etf-history-row'),
  ...about(['/etfs/summary-history', '/etfs/{ticker}/history'], {
    '2.8/currency-share-unit': observe({
      title: 'Whether market share is a fraction or a percentage',
      clauses: ['2.8 table 2 currency_share'],
      checks: [check(history)],
      // A value above 1 must be a percentage, but smaller ones may be either, so all values are judged together.
      judge: judgeAll((views, context, it) => {
        const seen = views.flatMap((view) => {
          const shares = historyRows(view, context).flatMap(
            ({ fields }) => decimalOf(fields['currency_share']) ?? [],
          );
          return shares.length === 0
            ? []
            : [{ view, largest: shares.reduce((a, b) => Math.max(a, b)) }];
        });
        const [top] = seen.toSorted((a, b) => b.largest - a.largest);
        if (top === undefined) return;
        const answer =
          top.largest > 1 ? 'a percentage' : 'never above 1: a fraction, or small percentages';
        it.read('Unit of currency_share in ETF history', answer, top.view);
      }),
    }),
    '2.8/ticker-echo': must({
      title: 'Rows of an ETF have the requested ticker',
      clauses: ['2.8 table 2 ticker'],
      hinderedBy: ['2.8/history-ticker'],
      ...IDENTIFIER_ECHO,
      checks: [check(history)],
      // Letter case is unspecified.
      judge: judgeEach((view, context, it) => {
        const asked = view.exchange.pathParameters['ticker'];
        if (asked === undefined || expectationOf(view, context).kind === 'refused') return;
        const rows = historyRows(view, context).filter(
          ({ fields }) => typeof fields['ticker'] === 'string',
        );
        if (rows.length === 0) return;
        const others = rows.filter(({ fields }) => !isSameTicker(String(fields['ticker']), asked));
        it.none(view, others, ({ pointer, fields }) => ({
          kind: 'other-ticker',
          facts: { others: others.length, rows: rows.length },
          expected: `"${asked}"`,
          actual: show(fields['ticker']),
          pointer: `${pointer}/ticker`,
        }));
      }),
    }),
  }),
};
