import type { VNode } from 'preact';
import { VERDICT_WORDS } from '../report/model/head.ts';
import { OUTCOME_LABELS } from '../report/model/labels.ts';
import type { Outcome, Verdict } from '../report/model/results.ts';
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

/** The live page as one file. @throws ReportAppMissing when its style was not built */
export function renderLivePage(shown: Shown, perSecond: number | null): string {
  const style = styleElement(assets().style);
  const script = scriptElement(SCRIPT);
  return renderPage({
    title: 'assay watch',
    policy: [`style-src ${style.source}`, `script-src ${script.source}`, "connect-src 'self'"],
    style: style.element,
    body: () => <Body shown={shown} perSecond={perSecond} />,
    end: script.element,
  });
}

interface OfState {
  readonly shown: Shown;
}

function Body({ shown, perSecond }: OfState & { readonly perSecond: number | null }): VNode {
  return (
    <Shell
      title={`watch of ${text(shown.baseUrl, 200)}`}
      views={[
        ['summary', 'Summary', <Summary shown={shown} perSecond={perSecond} />],
        ['findings', 'Findings', <Findings shown={shown} />],
        ['requirements', 'Requirements', <Coverage shown={shown} />],
        ['keys', 'Keys', <Keys shown={shown} />],
        ['left-out', 'Not judged', <LeftOut shown={shown} />],
      ]}
      footer="Not connected, or without JavaScript: this page does not change."
    />
  );
}

function Summary({ shown, perSecond }: OfState & { readonly perSecond: number | null }): VNode {
  const { verdict, sentence, exchanges, statuses, sampled, isSampling } = shown;
  const skipped = `${grouped(sampled)} exchanges were skipped because the judge was behind.`;
  const leftOut = exchanges.leftOut.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <div class={`verdict ${CLASSES[verdict] ?? ''}`} role="status">
        <h2 class="word">
          {verdict === 'incomplete' ? 'NOTHING VERIFIED YET' : VERDICT_WORDS[verdict]}
        </h2>
        <p class="sentence">{message(sentence)}</p>
      </div>
      <Facts
        rows={[
          ['Since', `${clock(shown.since)}; updated ${clock(shown.at)}`],
          ['Exchanges per second', perSecond !== null && perSecond.toFixed(1)],
          ['Forwarded', grouped(exchanges.passed)],
          ['Judged', grouped(exchanges.judged)],
          ['Waiting for the judge', grouped(exchanges.waiting)],
          ['Not judged', grouped(leftOut)],
          [
            'Skipping',
            isSampling
              ? 'The judge is behind and skips exchanges. Traffic is not affected.'
              : sampled > 0 && skipped,
          ],
          ['Open connections', grouped(shown.connections)],
          [
            'Responses',
            Object.entries(statuses)
              .toSorted(([a], [b]) => a.localeCompare(b))
              .map(([name, count]) => `${name}: ${grouped(count)}`)
              .join(', '),
          ],
        ]}
      />
    </>
  );
}

const Findings = ({ shown }: OfState): VNode => (
  <>
    <h2>Findings, newest first</h2>
    <Table
      name="findings"
      empty="No findings."
      columns={['time', 'requirement', 'finding', 'expected', 'actual', 'evidence']}
      items={shown.findings}
      row={({ at, level, requirement, expected, actual, exchange, ...finding }) => [
        at === null ? 'before' : clock(at),
        `${level} ${requirement}`,
        message(finding.message),
        code(expected, 400),
        code(actual, 400),
        <a href={`/evidence/${exchange}`}>{exchange}</a>,
      ]}
    />
  </>
);

const OUTCOMES = Object.keys(OUTCOME_LABELS) as Outcome[];

const Coverage = ({ shown }: OfState): VNode => (
  <>
    <h2>Requirements</h2>
    <p class="note">Untested requirements include those that no client has exercised yet.</p>
    <Table
      name="coverage"
      columns={['level', ...OUTCOMES.map((one) => OUTCOME_LABELS[one].word)]}
      items={Object.entries(shown.coverage)}
      row={([level, counts]) => [level, ...OUTCOMES.map((one) => grouped(counts[one] ?? 0))]}
    />
  </>
);

const Keys = ({ shown }: OfState): VNode => (
  <>
    <h2>Keys, by fingerprint</h2>
    <Table
      name="keys"
      empty="No keys yet."
      columns={['key', 'role', 'requests', 'accepted', '429', '401', '403', 'addresses']}
      items={shown.keys}
      row={({ key, role, isTold, requests, accepted, limited, ...refused }) => [
        code(key),
        `${role}${isTold ? '' : ' (inferred)'}`,
        ...[requests, accepted, limited].map(grouped),
        ...[refused.unauthorized, refused.forbidden, refused.clients].map(grouped),
      ]}
    />
  </>
);

const LeftOut = ({ shown }: OfState): VNode => (
  <>
    <h2>Not judged</h2>
    <Table
      name="left-out"
      empty="All exchanges were judged."
      columns={['reason', 'exchanges']}
      items={shown.exchanges.leftOut}
      row={({ reason, count }) => [message(reason), grouped(count)]}
    />
  </>
);
