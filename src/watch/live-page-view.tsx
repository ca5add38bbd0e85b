import type { VNode } from 'preact';
import { VERDICT_WORDS, type Verdict } from '../report/model/results.ts';
import { assets } from '../report/page/assets.ts';
import { renderPage, scriptElement, styleElement } from '../report/page/render.tsx';
import {
  clock,
  code,
  Facts,
  grouped,
  message,
  Shell,
  Table,
  text,
} from '../report/page/view/parts.tsx';
import type { Shown } from './live-page.ts';

/** Replaces the content every second. A response is parsed as a document, never inserted as markup. */
const SCRIPT = `
const again = () => {
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.onload = () => {
    const main = request.response?.querySelector('main');
    if (main) document.querySelector('main').replaceWith(document.adoptNode(main));
    document.querySelector('footer').hidden = Boolean(main);
  };
  request.onerror = () => { document.querySelector('footer').hidden = false; };
  request.onloadend = () => setTimeout(again, 1000);
  request.open('GET', '/');
  request.send();
};
document.querySelector('footer').hidden = true;
setTimeout(again, 1000);
`;

/** CSS class of a verdict. */
const CLASSES: Readonly<Partial<Record<Verdict, string>>> = {
  conforms: 'passed',
  'no-violation': 'passed',
  violates: 'failed',
};

/** The live page as one file. @throws Error with the code ASSAY_REPORT_APP_MISSING when its style was not built */
export function renderLivePage(shown: Shown, perSecond: number | null): string {
  const style = styleElement(assets().style);
  const script = scriptElement(SCRIPT);
  const { baseUrl, findings, keys, exchanges } = shown;
  return renderPage({
    title: 'assay watch',
    policy: [`style-src ${style.source}`, `script-src ${script.source}`, "connect-src 'self'"],
    style: style.element,
    body: () => (
      <Shell
        title={`watch of ${text(baseUrl, 200)}`}
        views={[
          ['summary', 'Summary', summary(shown, perSecond), null],
          ['findings', 'Findings', findingTable(findings), null],
          ['keys', 'Keys', keyTable(keys), null],
          ['left-out', 'Not judged', leftOutTable(exchanges.leftOut), null],
        ]}
        footer="Not connected, or without JavaScript: this page does not change."
      />
    ),
    end: script.element,
  });
}

function summary(shown: Shown, perSecond: number | null): VNode {
  const { verdict, exchanges, statuses, sampled, isSampling } = shown;
  const skipped = `${grouped(sampled)} exchanges were skipped because the judge was behind.`;
  const behind = 'The judge is behind and skips exchanges. Traffic is not affected.';
  const answers = Object.entries(statuses).toSorted(([a], [b]) => a.localeCompare(b));
  return (
    <>
      <div class={`verdict ${CLASSES[verdict] ?? ''}`} role="status">
        <h2 class="word">
          {verdict === 'incomplete' ? 'NOTHING VERIFIED YET' : VERDICT_WORDS[verdict]}
        </h2>
        <p class="sentence">{message(shown.sentence)}</p>
      </div>
      <Facts
        rows={[
          ['Since', `${clock(shown.since)}; updated ${clock(shown.at)}`],
          ['Exchanges per second', perSecond !== null && perSecond.toFixed(1)],
          ['Requests', grouped(exchanges.passed)],
          ['Judged', grouped(exchanges.judged)],
          ['Waiting for the judge', grouped(exchanges.waiting)],
          ['Skipped', isSampling ? behind : sampled > 0 && skipped],
          ['Open connections', grouped(shown.connections)],
          ['Responses', answers.map(([name, count]) => `${name}: ${grouped(count)}`).join(', ')],
        ]}
      />
    </>
  );
}

const findingTable = (items: Shown['findings']): VNode => (
  <Table
    name="findings"
    caption="Findings, newest first"
    empty="No findings."
    columns={['time', 'requirement', 'finding', 'expected', 'actual', 'evidence']}
    items={items}
    row={({ at, level, requirement, expected, actual, exchange, ...finding }) => [
      at === null ? 'before' : clock(at),
      `${level} ${requirement}`,
      message(finding.message),
      code(expected, 400),
      code(actual, 400),
      <a href={`/evidence/${exchange}`}>{exchange}</a>,
    ]}
  />
);

const keyTable = (items: Shown['keys']): VNode => (
  <Table
    name="keys"
    caption="Keys, by fingerprint"
    empty="No keys yet."
    columns={['key', 'role', 'requests', 'accepted', '429', '401', '403', 'addresses']}
    items={items}
    row={({ key, role, isTold, requests, accepted, limited, ...refused }) => [
      code(key),
      `${role}${isTold ? '' : ' (inferred)'}`,
      ...[requests, accepted, limited].map(grouped),
      ...[refused.unauthorized, refused.forbidden, refused.clients].map(grouped),
    ]}
  />
);

const leftOutTable = (items: Shown['exchanges']['leftOut']): VNode => (
  <Table
    name="left-out"
    caption="Not judged"
    empty="All exchanges were judged."
    columns={['reason', 'exchanges']}
    items={items}
    row={({ reason, count }) => [message(reason), grouped(count)]}
  />
);
