// §2.11: metadata and data of charts.
import { check } from '../../src/ask/index.ts';
import { about, observe, should, type Advice } from '../../src/requirements/definition.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt } from '../../src/judge/values-at.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { readShape } from '../families/unstated-shapes.ts';
import { judgeValues } from './judge.ts';

const ANALYSES = '/analyses';
const CHART = '/analyses/{chart_name}';
const checks = [check(shownAt(ANALYSES))];

const ADVICE: Advice = {
  why: 'Clients draw charts from this list: the time column must be one of the listed fields, and chart names must be unique.',
  usually: ['The column name is an internal one, or differs in case from the name in `fields`.'],
};

export const CHARTS = {
  ...fieldsOf('chart'),
  ...about([ANALYSES], {
    '2.11/time-field-listed': should({
      title: '`time_field` names one of the listed fields of the chart',
      clauses: ['2.11 time_field', '2.11 fields'],
      ...ADVICE,
      checks,
      judge: judgeEach((view, context, it) => {
        const described = objectsOf(view, context, 'chart')
          .filter(
            ({ value }) =>
              typeof value['time_field'] === 'string' &&
              Array.isArray(value['fields']) &&
              value['fields'].length > 0,
          )
          .map((record) => ({
            pointer: `${record.pointer}/time_field`,
            value: record.value['time_field'],
            isListed: valuesAt(record, '/fields/*/name').some(
              ({ value }) => value === record.value['time_field'],
            ),
          }));
        // Services may keep the time column separate from the fields: if most charts omit it, it is not required.
        const listing = described.filter(({ isListed }) => isListed);
        if (listing.length * 2 < described.length) return;
        judgeValues(
          view,
          described,
          {
            kind: 'unlisted-time-field',
            expected: 'the name of one of the fields',
            holds: (_value, { pointer }) => listing.some((one) => one.pointer === pointer),
          },
          it,
        );
      }),
    }),
    '2.11/names-unique': should({
      title: 'Chart names are unique',
      clauses: ['2.11 chart_name'],
      ...ADVICE,
      checks,
      judge: judgeEach((view, context, it) => {
        const named = objectsOf(view, context, 'chart').flatMap((record) =>
          valuesAt(record, '/chart_name'),
        );
        const first = new Map(named.toReversed().map(({ pointer, value }) => [value, pointer]));
        judgeValues(
          view,
          named,
          {
            kind: 'chart-twice',
            expected: 'each chart_name once',
            holds: (value, { pointer }) => first.get(value) === pointer,
          },
          it,
        );
      }),
    }),
  }),
  '2.11/data-shape': observe({
    title: 'Shape of the records of one chart',
    endpoints: [CHART],
    clauses: ['2.11 chart data'],
    needs: ['chartNames'],
    checks: [check(shownAt(CHART))],
    judge: readShape([CHART]),
  }),
};
