import type { VNode } from 'preact';
import { groupCauses } from '../analysis/causes.ts';
import { asShown } from '../analysis/shown.ts';
import { titleOf } from '../model/head.ts';
import { withKeyNames } from '../model/key-names.ts';
import type { Results } from '../model/results.ts';
import { kindOf } from '../model/status.ts';
import { assets } from './assets.ts';
import { encode, pageData } from './data.ts';
import { exchangesOf } from './evidence/exchange.tsx';
import { LoadScenarios } from './load/load.tsx';
import type { PageData } from './page-data.ts';
import { dataElement, renderPage, scriptElement, styleElement } from './render.tsx';
import type { CodeElement } from './render.tsx';
import { Behaviour } from './view/behaviour.tsx';
import { Changes } from './view/changes.tsx';
import { Findings, shownInFull } from './view/findings.tsx';
import { Gaps } from './view/gaps.tsx';
import { Legend } from './view/legend.tsx';
import { WrittenExchanges } from './view/lists.tsx';
import { Matrix } from './view/matrix.tsx';
import { Page, Shell, text, type OfCauses, type View } from './view/parts.tsx';
import { RoleMatrixView } from './view/role-matrix.tsx';
import { Run } from './view/run.tsx';
import { FirstScreen } from './view/summary.tsx';
import { Timeline } from './view/timeline.tsx';

type DocumentProps = OfCauses & { readonly data: PageData };

/** @param linked ids that views link to, known once they are rendered */
function viewsOf({ data, ...of }: DocumentProps, linked: ReadonlySet<string>): readonly View[] {
  const { results, causes } = of;
  const kind = kindOf(results);
  const isWhole = kind === 'suite' || kind === 'interrupted';
  const shown = exchangesOf(shownInFull(causes));
  const summary = (
    <>
      <FirstScreen {...of} />
      <span id="first-screen-end" />
      {(isWhole || (kind === 'load' && causes.length > 0)) && <Findings {...of} data={data} />}
      {kind !== 'unjudged' && <Gaps results={results} />}
    </>
  );
  const ofSuites: readonly View[] = [
    ['behaviour', 'Behaviour', <Behaviour results={results} />],
    ['changes', 'Changes', <Changes {...of} />],
    ['access', 'Access', <RoleMatrixView {...of} />, 'Access by key role'],
    ['rate-limit', 'Rate limit', <Timeline results={results} />],
    ['exchanges', 'Exchanges', <WrittenExchanges data={data} shown={shown} linked={linked} />],
    ...(results.load.length > 0 ? [['load', 'Load', <LoadScenarios {...of} />] as const] : []),
  ];
  return [
    ['summary', 'Summary', summary, null],
    ['requirements', 'Requirements', <Matrix data={data} />],
    ...(kind === 'load' ? [] : ofSuites),
    ['run', 'Run', <Run results={results} />],
    ['legend', 'Legend', <Legend results={results} data={data} />, 'Legend and method'],
  ];
}

/** Content of `<body>`, complete without a script. */
function Body(props: DocumentProps): VNode {
  const { exchanges, requirements, target, tool, spec } = props.results;
  const known = new Set([...exchanges, ...requirements].map(({ id }) => id));
  // The list of exchanges is rendered after the views that link to it, and has whatever they asked for.
  const linked = new Set<string>();
  const holds = (id: string): boolean => {
    linked.add(id);
    return known.has(id);
  };
  return (
    <Page value={{ holds, copy: null }}>
      <Shell
        title={`conformance of ${text(target.baseUrl, 200)}`}
        views={viewsOf(props, linked)}
        footer={`Assay ${tool.version}, specification ${spec.sha256.slice(0, 12)}. Keys were redacted when recorded; bodies may contain other data from the target.`}
      />
      <div id="status" role="status" class="sr" />
    </Page>
  );
}

function pageOf(recorded: Results, script: CodeElement, style: CodeElement): string {
  const results = withKeyNames(asShown(recorded));
  const causes = groupCauses(results);
  const { data, chunks } = pageData(results, causes);
  const evidence = [
    dataElement('index', encode(data)),
    ...chunks.map((chunk, index) => dataElement(String(index), chunk)),
  ];
  return renderPage({
    title: `${titleOf(results)}: conformance of ${text(results.target.baseUrl, 200)}`,
    policy: [`script-src ${script.source}`, `style-src ${style.source}`, "connect-src 'none'"],
    style: style.element,
    body: () => <Body results={results} causes={causes} data={data} />,
    end: evidence.join('') + script.element,
  });
}

/**
 * Renders `report.html`: one file that loads and sends nothing. Its content is plain HTML; the script adds search, evidence
 * and review. Data from the target is escaped text or compressed data, never markup.
 * @throws Error with the code ASSAY_REPORT_APP_MISSING when the script was not built
 */
export function renderHtml(results: Results): string {
  const { script, style } = assets();
  return pageOf(results, scriptElement(script), styleElement(style));
}

/** Renders the folder form, for viewers that forbid inline code. @throws Error with the code ASSAY_REPORT_APP_MISSING when the script was not built */
export function renderHtmlFolder(results: Results) {
  const { script, style } = assets();
  const source = "'self'";
  const page = pageOf(
    results,
    { element: '<script defer src="report.js"></script>', source },
    { element: '<link rel="stylesheet" href="report.css">', source },
  );
  return [
    { name: 'index.html', text: page },
    { name: 'report.css', text: style },
    { name: 'report.js', text: script },
  ];
}
