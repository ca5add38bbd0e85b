import { READINGS } from '../contract/readings.ts';
import { isJudgeable } from './context.ts';
import { agree, decimalOf, sameFigure } from './decimals.ts';
import { ETF_SETTLEMENT_RULES, historyRows } from './etf-settlement.ts';
import { ETF_TODAY_RULES } from './etf-today.ts';
import { show, type Rule } from './judgement.ts';
import { isSameTicker } from './tickers.ts';
import { place } from './transport.ts';
import { isObject } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const ETFS = criteria(
  'volumeEqualsTurnover',
  'volumeReading',
  'volumeOfShares',
  'snapshotVolume',
);

/**
 * §4.4 rule 3, ruling 1: `volume` is a number, or by the known issue a string that repeats `value_traded`. A string
 * that is no decimal violates the field itself.
 */
const volume: Rule = {
  name: 'etf-volume',
  judges: [ETFS.volumeEqualsTurnover, ETFS.volumeReading],
  each(view, context, into) {
    const rows = historyRows(view, context);
    const judged = rows.flatMap((row) => {
      const { volume: sent, value_traded } = row.fields;
      const [value, traded] = [decimalOf(sent), decimalOf(value_traded)];
      return value === undefined || traded === undefined
        ? []
        : [{ row, sent, value_traded, traded }];
    });
    if (judged.length > 0) {
      const others = judged.filter(
        ({ sent, value_traded }) => typeof sent === 'string' && !sameFigure(sent, value_traded),
      );
      const [first] = others;
      into.expect(ETFS.volumeEqualsTurnover, view, first === undefined, () => ({
        message: `${place(view)}: volume is a string that differs from value_traded in ${others.length} of ${judged.length} rows`,
        expected: `a number, or "${String(first?.traded)}", the value_traded of the row`,
        actual: show(first?.sent),
        pointer: `${first?.row.pointer ?? ''}/volume`,
      }));
    }
    const kinds = new Set(rows.map(({ fields }) => typeof fields['volume']));
    for (const kind of kinds) {
      if (kind !== 'string' && kind !== 'number') continue;
      into.read(READINGS.volumeType.question, kind, view, ETFS.volumeReading);
    }
  },
};

/** Rows from which on it is no chance that a share count is the turnover in USD. */
const MANY_ROWS = 3;

/** §4.4 rule 3: the known issue is a string. A number is the share count of §2.8, which is not the turnover in USD. */
const volumeOfShares: Rule = {
  name: 'etf-volume-of-shares',
  judges: [ETFS.volumeOfShares],
  each(view, context, into) {
    const rows = historyRows(view, context).filter(
      ({ fields }) =>
        typeof fields['volume'] === 'number' && (decimalOf(fields['value_traded']) ?? 0) > 0,
    );
    if (rows.length < MANY_ROWS) return;
    const [first] = rows;
    const other = rows.some(({ fields }) => !sameFigure(fields['volume'], fields['value_traded']));
    into.expect(ETFS.volumeOfShares, view, other, () => ({
      message: `${place(view)}: volume is a number and yet the turnover, in all ${rows.length} rows`,
      expected: 'the number of shares, or the string of the known issue',
      actual: `${show(first?.fields['volume'])}, and a value_traded of ${show(first?.fields['value_traded'])}`,
      pointer: `${first?.pointer ?? ''}/volume`,
    }));
  },
};

/** Below this turnover, USD, a share count may be the same by chance. */
const TELLING_TURNOVER = 1000;
/** Figures of fewer digits than tell them apart within this share prove nothing. */
const PRECISE = 1e-4;

/**
 * §4.4 rule 3: the volume of the snapshot is that of shares, so it is not the turnover in USD of a day of the history.
 * What else the snapshot looks like is not shown (§4.7).
 */
const snapshotVolume: Rule = {
  name: 'etf-snapshot-volume',
  judges: [ETFS.snapshotVolume],
  all(views, context, into) {
    for (const view of views) {
      if (view.exchange.endpoint !== '/etfs/{ticker}/market-snapshot') continue;
      if (!view.ok || !isObject(view.body) || !isJudgeable(view, context)) continue;
      const sent = view.body['volume'];
      const count = decimalOf(sent);
      const asked = view.exchange.pathParameters['ticker'];
      if (count === undefined || asked === undefined) continue;
      const days = views
        .filter(({ exchange }) => isSameTicker(exchange.pathParameters['ticker'] ?? '', asked))
        .flatMap((other) => historyRows(other, context).map((row) => ({ row, other })))
        .filter(
          ({ row: { fields } }) => (decimalOf(fields['value_traded']) ?? 0) >= TELLING_TURNOVER,
        );
      if (days.length === 0) continue;
      const same = days.find(({ row: { fields } }) => {
        const traded = fields['value_traded'];
        return sameFigure(sent, traded) && agree(count, decimalOf(traded) ?? 0, PRECISE);
      });
      into.expect(ETFS.snapshotVolume, view, same === undefined, () => ({
        message: `${place(view)}: volume is the turnover in USD`,
        expected: 'the number of shares traded',
        actual: `${show(sent)}, the value_traded of ${same?.row.date ?? ''} in ${same?.other.exchange.id ?? ''}`,
        pointer: `${view.root}/volume`,
      }));
    }
  },
};

/** Rules on ETFs (§4.4) beyond presence and type of fields, refusals, limits and ranges. */
export const ETF_RULES: readonly Rule[] = [
  ...ETF_SETTLEMENT_RULES,
  ...ETF_TODAY_RULES,
  volume,
  volumeOfShares,
  snapshotVolume,
];
