import { groupCauses } from '../causes.ts';
import { verdictTitle } from '../labels.ts';
import { dataElement, html, scriptElement, styleElement } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Results } from '../results.ts';
import { assets } from './assets.ts';
import { behaviourSection } from './behaviour.ts';
import { changesSection } from './changes.ts';
import { encodeData } from './data.ts';
import { endpointsSection } from './endpoints.ts';
import { createEvidence } from './evidence.ts';
import { exchangesSection } from './exchanges.ts';
import { factsList } from './facts.ts';
import { findingsSection } from './findings.ts';
import { gapsSection } from './gaps.ts';
import { loadSection } from './load.ts';
import { matrixSection } from './matrix.ts';
import { text } from './parts.ts';
import { legendSection, runSection } from './run-log.ts';
import { areasBox, changesBox, findingsIndex, gapsBox, verdictBanner } from './summary.ts';
import { timelineSection } from './timeline.ts';

/** Where style and script of the page come from, and the policy that allows just them. */
interface Frame {
  readonly style: Markup;
  readonly script: Markup;
  readonly policy: string;
}

interface View {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

/** Allows nothing but the page's own style and script; even a missed escape could not run, load or send anything. */
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

function viewsOf(results: Results): readonly View[] {
  const causes = groupCauses(results);
  const evidence = createEvidence(results.exchanges);
  // Findings come first: they show their exchanges, the rest of the page links to them.
  const findings = findingsSection(causes, results, evidence);
  const load = loadSection(results);
  const summary = html`${verdictBanner(results)} ${factsList(results)}
    <div class="first">
      <section class="box" aria-labelledby="found-title">
        <h3 id="found-title">What was found</h3>
        ${findingsIndex(causes, results)}
      </section>
      <div>${changesBox(results)} ${gapsBox(results)}</div>
    </div>
    ${areasBox(results)}
    <span id="first-screen-end"></span>
    ${findings} ${gapsSection(results)}`;
  const view = (id: string, title: string, content: Markup): View => ({ id, title, content });
  return [
    view('summary', 'Summary', summary),
    view('requirements', 'Requirements', matrixSection(results, evidence)),
    view('behaviour', 'Behaviour', behaviourSection(results, evidence)),
    view('changes', 'Changes', changesSection(results, evidence)),
    view('endpoints', 'Endpoints', endpointsSection(results)),
    view('rate-limit', 'Rate limit', timelineSection(results)),
    ...(load === null ? [] : [view('load', 'Load', load)]),
    view('run', 'Run', runSection(results, evidence)),
    view('exchanges', 'Exchanges', exchangesSection(results, evidence)),
    view('legend', 'Legend', legendSection(results)),
  ];
}

function pageOf(results: Results, frame: Frame): string {
  const data = encodeData(results, groupCauses(results));
  const word = verdictTitle(results);
  const views = viewsOf(results);
  const target = text(results.target.baseUrl, 200);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${frame.policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${word}: conformance of ${target}</title>
        ${frame.style}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <h1>Assay <span>conformance of ${target}</span></h1>
          <div id="tools"></div>
        </header>
        <nav aria-label="Sections">
          <ul>
            ${views.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li> `)}
          </ul>
        </nav>
        <main id="main" tabindex="-1">
          ${views.map(
            ({ id, content }) => html`<section class="view" id="${id}">${content}</section> `,
          )}
        </main>
        <footer>
          <p class="note">
            Assay ${results.tool.version}, specification ${results.spec.sha256.slice(0, 12)}. Keys
            were redacted when they were recorded; bodies may hold other data of the target.
          </p>
        </footer>
        <div id="status" role="status" class="sr"></div>
        ${dataElement('index', data.index)}${data.chunks.map((chunk, index) =>
          dataElement(String(index), chunk),
        )}${frame.script}
      </body>
    </html> `.toString();
}

/**
 * Renders `report.html`: one file that opens from a disk, loads nothing and sends nothing. Verdict, findings, matrix
 * and the rest are plain HTML; the script adds search, evidence and review. What a target sent is escaped text or
 * compressed data, never markup.
 * @throws ReportAppMissing when the explorer was not built
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

/** A file of the folder form, named relative to the folder. */
export interface PageFile {
  readonly name: 'index.html' | 'report.css' | 'report.js';
  readonly text: string;
}

/**
 * Renders the folder form, with style and script in files of their own, for viewers that forbid inline code.
 * @throws ReportAppMissing when the explorer was not built
 */
export function renderHtmlFolder(results: Results): readonly PageFile[] {
  const { script, style } = assets();
  const page = pageOf(results, {
    style: html`<link rel="stylesheet" href="report.css" />`,
    script: html`<script defer src="report.js"></script>`,
    policy: policyOf("'self'", "'self'"),
  });
  return [
    { name: 'index.html', text: page },
    { name: 'report.css', text: style },
    { name: 'report.js', text: script },
  ];
}
