// Volume of rows and of the snapshot (§4.4 rule 3).
import { MANY_ROWS, TELLING_TURNOVER } from '../numbers.ts';
import { READINGS } from '../../src/spec/readings.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { agree, decimalOf, sameFigure } from '../../src/judge/text/decimals.ts';
import { historyRows } from '../../src/judge/etf-rows.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach } from '../../src/judge/judge.ts';
import { isSameTicker } from '../../src/judge/tickers.ts';
import { isObject } from '../../src/judge/view.ts';
import { check } from '../../src/ask/index.ts';
import { must, observe, should } from '../../src/requirements/definition.ts';
import { history, snapshotAndHistory } from './requests.ts';

/** Precision that a figure needs to be conclusive, as a share. */
const PRECISE = 1e-4;

/** Requirements of rule 3. */
export const VOLUME = {
  '4.4/volume-equals-turnover': must({
    title: 'A `volume` that is a string equals `value_traded`',
    clauses: ['4.4 rule 3'],
    basis: 'contradictory',
    rulings: [1],
    why: 'The specification documents a known issue: `volume` is a string that contains the turnover. Any other string is neither the issue nor its fix.',
    usually: [
      'The share count is sent as a string.',
      'The two figures are rounded differently, or taken at different times.',
    ],
    checks: [check(history)],
    judge: judgeEach((view, context, it) => {
      const rows = historyRows(view, context).filter(({ fields: { volume, value_traded } }) =>
        [volume, value_traded].every((figure) => decimalOf(figure) !== undefined),
      );
      if (rows.length === 0) return;
      const others = rows.filter(
        ({ fields: { volume, value_traded } }) =>
          typeof volume === 'string' && !sameFigure(volume, value_traded),
      );
      it.none(view, others, ({ pointer, fields: { volume, value_traded } }) => ({
        kind: 'volume-other-string',
        facts: { others: others.length, rows: rows.length },
        expected: `a number, or "${decimalOf(value_traded)}", the value_traded of the row`,
        actual: show(volume),
        pointer: `${pointer}/volume`,
      }));
    }),
  }),
  '4.4/volume-of-shares': should({
    title: 'A `volume` that is a number is not the turnover',
    clauses: ['4.4 rule 3', '2.8 table 2 volume'],
    rulings: [1],
    why: 'A number means shares; the turnover in USD is that number times the share price.',
    usually: [
      'The string of the known issue was converted to a number without changing its content.',
    ],
    checks: [check(history)],
    judge: judgeEach((view, context, it) => {
      const rows = historyRows(view, context).filter(
        ({ fields }) =>
          typeof fields['volume'] === 'number' && (decimalOf(fields['value_traded']) ?? 0) > 0,
      );
      if (rows.length < MANY_ROWS) return;
      const [first] = rows;
      const other = rows.some(
        ({ fields }) => !sameFigure(fields['volume'], fields['value_traded']),
      );
      it.expect(view, other, () => ({
        kind: 'volume-is-turnover-number',
        facts: { rows: rows.length },
        expected: 'the number of shares, or the string of the known issue',
        actual: `${show(first?.fields['volume'])}, and a value_traded of ${show(first?.fields['value_traded'])}`,
        pointer: `${first?.pointer ?? ''}/volume`,
      }));
    }),
  }),
  '4.4/snapshot-volume': should({
    title: 'The `volume` in the market snapshot of an ETF is not the turnover',
    clauses: ['4.4 rule 3', '4.7 GET /etfs/{ticker}/market-snapshot'],
    endpoints: ['/etfs/{ticker}/market-snapshot', '/etfs/{ticker}/history'],
    rulings: [16, 22],
    why: 'The specification refers clients to the snapshot for the share volume; no other response contains it.',
    usually: ['The snapshot copies `volume` from the history, including the known issue.'],
    checks: [check(snapshotAndHistory)],
    judge: judgeAll((views, context, it) => {
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
        const same = days.filter(({ row: { fields } }) => {
          const traded = fields['value_traded'];
          return sameFigure(sent, traded) && agree(count, decimalOf(traded) ?? 0, PRECISE);
        });
        it.none(view, same, ({ row, other }) => ({
          kind: 'volume-is-turnover',
          expected: 'the number of shares traded',
          actual: `${show(sent)}, the value_traded of ${row.date} in ${other.exchange.id}`,
          against: [other],
          pointer: `${view.root}/volume`,
        }));
      }
    }),
  }),
  '4.4/volume-reading': observe({
    title: 'Whether `volume` in ETF history is a number or a string',
    clauses: ['4.4 rule 3'],
    basis: 'contradictory',
    rulings: [1],
    checks: [check(history)],
    judge: judgeEach((view, context, it) => {
      const kinds = new Set(
        historyRows(view, context).map(({ fields }) => typeof fields['volume']),
      );
      for (const kind of kinds) {
        if (kind === 'string' || kind === 'number')
          it.read(READINGS.volumeType.question, kind, view);
      }
    }),
  }),
};
