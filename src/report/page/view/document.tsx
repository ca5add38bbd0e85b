import type { VNode } from 'preact';
import { kindOf } from '../../model/status.ts';
import type { PageData } from '../page-data.ts';
import { Behaviour } from './behaviour.tsx';
import { Changes } from './changes.tsx';
import { exchangesOf } from '../evidence/written-exchange.tsx';
import { Findings, shownInFull } from './findings.tsx';
import { Gaps } from './gaps.tsx';
import { Legend } from './legend.tsx';
import { WrittenExchanges } from './lists.tsx';
import { LoadScenarios } from '../load/load.tsx';
import { Matrix } from './matrix.tsx';
import { Page, type OfCauses } from './page.ts';
import { Shell, text } from './parts.tsx';
import { RoleMatrixView } from './role-matrix.tsx';
import { Run } from './run.tsx';
import { FirstScreen } from './summary.tsx';
import { Timeline } from './timeline.tsx';

interface DocumentProps extends OfCauses {
  readonly data: PageData;
  /** Ids that views link to, known once they are rendered. */
  readonly linked: ReadonlySet<string>;
}

type View = readonly [id: string, title: string, content: VNode];

function viewsOf({ results, causes, data, linked }: DocumentProps): readonly View[] {
  const kind = kindOf(results);
  const isWhole = kind === 'suite' || kind === 'interrupted';
  const shown = exchangesOf(shownInFull(causes));
  const summary = (
    <>
      <FirstScreen results={results} causes={causes} />
      <span id="first-screen-end" />
      {(isWhole || (kind === 'load' && causes.length > 0)) && (
        <Findings causes={causes} results={results} data={data} />
      )}
      {isWhole && <Gaps results={results} />}
    </>
  );
  const load = (
    <>
      <h2>Load</h2>
      <LoadScenarios results={results} causes={causes} />
    </>
  );
  const ofSuites: readonly View[] = [
    ['behaviour', 'Behaviour', <Behaviour results={results} />],
    ['changes', 'Changes', <Changes results={results} causes={causes} />],
    ['access', 'Access', <RoleMatrixView results={results} causes={causes} />],
    ['rate-limit', 'Rate limit', <Timeline results={results} />],
    ['exchanges', 'Exchanges', <WrittenExchanges data={data} shown={shown} linked={linked} />],
    ...(results.load.length > 0 ? [['load', 'Load', load] as const] : []),
  ];
  return [
    ['summary', 'Summary', summary],
    ['requirements', 'Requirements', <Matrix data={data} />],
    ...(kind === 'load' ? [] : ofSuites),
    ['run', 'Run', <Run results={results} />],
    ['legend', 'Legend', <Legend results={results} />],
  ];
}

/** Content of `<body>`, complete without a script. */
export function Body(props: Omit<DocumentProps, 'linked'>): VNode {
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
        views={viewsOf({ ...props, linked })}
        footer={`Assay ${tool.version}, specification ${spec.sha256.slice(0, 12)}. Keys were redacted when recorded; bodies may contain other data from the target.`}
      />
      <div id="status" role="status" class="sr" />
    </Page>
  );
}
