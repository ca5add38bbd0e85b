import { cutBytes, visible } from '../../text/text.ts';
import type { Results } from '../model/results.ts';
import type { GateState } from '../model/status.ts';
import { suitesOf, type Case } from './cases.ts';

/** Readers such as GitLab drop larger texts. */
const MESSAGE_BYTES = 2048;
const DETAIL_BYTES = 8192;

/** Escapes XML 1.0 text, including hidden and forbidden characters, and `[[ATTACHMENT|`, with which CI servers publish files. */
function xml(text: string): string {
  return visible(text)
    .replaceAll('[[ATTACHMENT|', '[ [ATTACHMENT|')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

const short = (text: string): string => xml(cutBytes(visible(text), MESSAGE_BYTES));

const property = ([name, value]: readonly [string, string], indent = 8): string =>
  `${' '.repeat(indent)}<property name="${xml(name)}" value="${short(value)}"/>`;

function bodyOf({ state, type, message, lines }: Case): readonly string[] {
  // Cut before escaping, so that no entity is split.
  const shown = cutBytes(lines.map(visible).join('\n'), DETAIL_BYTES);
  const block = shown.split('\n').map(xml).join('\n');
  if (state === 'skipped') return [`      <skipped message="${short(message)}"/>`];
  if (state === 'passed')
    return lines.length === 0 ? [] : [`      <system-out>${block}</system-out>`];
  const name = state === 'failed' ? 'failure' : 'error';
  return [`      <${name} type="${xml(type)}" message="${short(message)}">${block}</${name}>`];
}

function caseLines(suite: string, one: Case): readonly string[] {
  const { name, ms, properties } = one;
  const open = `    <testcase classname="${xml(suite)}" name="${short(name)}" time="${seconds(ms)}"`;
  const body = bodyOf(one);
  if (properties.length + body.length === 0) return [`${open}/>`];
  return [
    `${open}>`,
    ...(properties.length === 0
      ? []
      : ['      <properties>', ...properties.map((each) => property(each)), '      </properties>']),
    ...body,
    '    </testcase>',
  ];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function countsOf(cases: readonly Case[]): string {
  const of = (state: GateState): number => cases.filter((one) => one.state === state).length;
  const time = seconds(cases.reduce((sum, { ms }) => sum + ms, 0));
  return `tests="${cases.length}" failures="${of('failed')}" errors="${of('error')}" skipped="${of('skipped')}" time="${time}"`;
}

/** Renders JUnit XML: a case per requirement, and one each for the run, its waivers and its baseline. Contains no bodies. */
export function renderJUnit(results: Results): string {
  const suites = suitesOf(results);
  const run = [
    ['target', results.target.baseUrl],
    ['profile', results.profile],
    ['seed', String(results.seed)],
    ['verdict', results.verdict],
    ['version', results.tool.version],
  ] as const;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="assay" ${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name, startedAt, cases }, index) => [
      `  <testsuite name="${short(name)}" timestamp="${short(startedAt)}" ${countsOf(cases)}>`,
      ...(index === 0
        ? ['    <properties>', ...run.map((one) => property(one, 6)), '    </properties>']
        : []),
      ...cases.flatMap((one) => caseLines(name, one)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}
