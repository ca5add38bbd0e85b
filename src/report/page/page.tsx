import { groupCauses } from '../analysis/causes.ts';
import { asShown } from '../model/head.ts';
import { withKeyNames } from '../model/key-names.ts';
import type { Results } from '../model/results.ts';
import { Body, Head } from './view/document.tsx';
import { assets } from './assets.ts';
import { dataElement, scriptElement, styleElement } from './code.ts';
import { encode, pageData } from './data.ts';
import { renderView } from './render.ts';

/** Style and script of the page, and the policy that allows only them. */
interface Frame {
  readonly style: string;
  readonly script: string;
  readonly policy: string;
}

/** Allows only the page's own style and script: even a missed escape could not run, load or send anything. */
function policyOf(scriptSource: string, styleSource: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptSource}`,
    `style-src ${styleSource}`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function pageOf(recorded: Results, frame: Frame): string {
  const results = withKeyNames(asShown(recorded));
  const causes = groupCauses(results);
  const { data, chunks } = pageData(results, causes);
  const head = renderView(() => <Head results={results} policy={frame.policy} />);
  const body = renderView(() => <Body results={results} causes={causes} data={data} />);
  const evidence = [
    dataElement('index', encode(data)),
    ...chunks.map((chunk, index) => dataElement(String(index), chunk)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
${head}
${frame.style}
</head>
<body>
${body}
${evidence.join('')}${frame.script}
</body>
</html>
`;
}

/**
 * Renders `report.html`: one file that loads and sends nothing. Its content is plain HTML; the script adds search, evidence
 * and review. Data from the target is escaped text or compressed data, never markup.
 * @throws ReportAppMissing when the script was not built
 */
export function renderHtml(results: Results): string {
  const { script, style } = assets();
  const js = scriptElement(script);
  const css = styleElement(style);
  return pageOf(results, {
    style: css.element,
    script: js.element,
    policy: policyOf(js.source, css.source),
  });
}

/** A file of the folder form. */
export interface PageFile {
  readonly name: 'index.html' | 'report.css' | 'report.js';
  readonly text: string;
}

/**
 * Renders the folder form, with style and script in separate files, for viewers that forbid inline code.
 * @throws ReportAppMissing when the script was not built
 */
export function renderHtmlFolder(results: Results): readonly PageFile[] {
  const { script, style } = assets();
  const page = pageOf(results, {
    style: '<link rel="stylesheet" href="report.css">',
    script: '<script defer src="report.js"></script>',
    policy: policyOf("'self'", "'self'"),
  });
  return [
    { name: 'index.html', text: page },
    { name: 'report.css', text: style },
    { name: 'report.js', text: script },
  ];
}
