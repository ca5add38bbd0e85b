import { decimalOf } from './decimals.ts';
import { historyRows } from './etf-rows.ts';
import { show } from './judgement.ts';
import { judgeAll, judgeEach } from './own-rule.ts';
import { isSameTicker } from './tickers.ts';
import { place } from './transport.ts';

/** What §2.8 says about fields of ETF rows beyond presence and type. */
export const ETFS = {
  /** §2.8 ticker: the rows are those of the ETF that was asked for. Letter case is left open. */
  tickerEcho: judgeEach((view, context, it) => {
    const asked = view.exchange.pathParameters['ticker'];
    if (asked === undefined) return;
    const rows = historyRows(view, context).filter(
      ({ fields }) => typeof fields['ticker'] === 'string',
    );
    if (rows.length === 0) return;
    const others = rows.filter(({ fields }) => !isSameTicker(String(fields['ticker']), asked));
    const [first] = others;
    it.expect(view, first === undefined, () => ({
      message: `${place(view)}: ${others.length} of ${rows.length} rows carry another ticker`,
      expected: `"${asked}"`,
      actual: show(first?.fields['ticker']),
      pointer: `${first?.pointer ?? ''}/ticker`,
    }));
  }),

  /**
   * §2.8 currency_share: the unit is not stated. A value above 1 cannot be a fraction; small values can be either, so one
   * word is said about everything seen.
   */
  currencyShareUnit: judgeAll((views, context, it) => {
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
} as const;
