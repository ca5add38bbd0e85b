import type { VNode } from 'preact';
import { headOf } from '../../model/head.ts';
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
import { Page } from './page.ts';
import { anchor, text } from './parts.tsx';
import { RoleMatrixView } from './role-matrix.tsx';
import { Run } from './run.tsx';
import { FirstScreen } from './summary.tsx';
import type { OfCauses } from './summary.tsx';
import { Timeline } from './timeline.tsx';

export interface DocumentProps extends OfCauses {
  readonly data: PageData;
}

interface View {
  readonly id: string;
  readonly title: string;
  readonly content: VNode;
}

function viewsOf({ results, causes, data }: DocumentProps): readonly View[] {
  const { kind } = headOf(results);
  const isWhole = kind === 'suite' || kind === 'interrupted';
  const shown = exchangesOf(shownInFull(causes));
  const places = new Set([...shown.keys()].map((id) => anchor('x', id)));
  const view = (id: string, title: string, content: VNode): View => ({ id, title, content });
  const summary = (
    <>
      <FirstScreen results={results} causes={causes} />
      <span id="first-screen-end" />
      {(isWhole || (kind === 'load' && causes.length > 0)) && (
        <Findings causes={causes} results={results} shown={shown} data={data} />
      )}
      {isWhole && <Gaps results={results} />}
    </>
  );
  const exchanges = <WrittenExchanges data={data} isShown={(place) => places.has(place)} />;
  const load = (
    <>
      <h2>Load</h2>
      <LoadScenarios results={results} causes={causes} />
    </>
  );
  return [
    view('summary', 'Summary', summary),
    view('requirements', 'Requirements', <Matrix data={data} />),
    ...(kind === 'load'
      ? []
      : [
          view('behaviour', 'Behaviour', <Behaviour results={results} />),
          view('changes', 'Changes', <Changes results={results} />),
          view('access', 'Access', <RoleMatrixView results={results} causes={causes} />),
          view('rate-limit', 'Rate limit', <Timeline results={results} />),
          view('exchanges', 'Exchanges', exchanges),
          ...(results.load.length > 0 ? [view('load', 'Load', load)] : []),
        ]),
    view('run', 'Run', <Run results={results} />),
    view('legend', 'Legend', <Legend results={results} />),
  ];
}

function Navigation({ views }: { views: readonly View[] }): VNode {
  return (
    <nav aria-label="Sections">
      <ul>
        {views.map(({ id, title }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Content of `<body>`, complete without a script. */
export function Body(props: DocumentProps): VNode {
  const { results } = props;
  const views = viewsOf(props);
  const known = new Set(results.exchanges.map(({ id }) => id));
  return (
    <Page value={{ holds: (id) => known.has(id), copy: null }}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <h1>
          Assay <span>{`conformance of ${text(results.target.baseUrl, 200)}`}</span>
        </h1>
      </header>
      <Navigation views={views} />
      <main id="main" tabIndex={-1}>
        {views.map(({ id, content }) => (
          <section class="view" id={id}>
            {content}
          </section>
        ))}
      </main>
      <footer>
        <p class="note">
          {`Assay ${results.tool.version}, specification ${results.spec.sha256.slice(0, 12)}. Keys were redacted when recorded; bodies may contain other data from the target.`}
        </p>
      </footer>
      <div id="status" role="status" class="sr" />
    </Page>
  );
}
