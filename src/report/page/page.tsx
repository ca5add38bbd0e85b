import { groupCauses } from '../analysis/causes.ts';
import { asShown } from '../analysis/shown.ts';
import { titleOf } from '../model/head.ts';
import { withKeyNames } from '../model/key-names.ts';
import type { Results } from '../model/results.ts';
import { Body } from './view/document.tsx';
import { text } from './view/parts.tsx';
import { assets } from './assets.ts';
import { dataElement, renderPage, scriptElement, styleElement } from './render.tsx';
import type { CodeElement } from './render.tsx';
import { encode, pageData } from './data.ts';

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
 * @throws ReportAppMissing when the script was not built
 */
export function renderHtml(results: Results): string {
  const { script, style } = assets();
  return pageOf(results, scriptElement(script), styleElement(style));
}

/** Renders the folder form, for viewers that forbid inline code. @throws ReportAppMissing when the script was not built */
export function renderHtmlFolder(
  results: Results,
): readonly { readonly name: string; readonly text: string }[] {
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
