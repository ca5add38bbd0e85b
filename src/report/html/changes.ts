import { CHANGE_KINDS } from '../diff.ts';
import type { Change, Diff } from '../diff.ts';
import { ageWords, BECAUSE_WORDS, CHANGE_WORDS, changeCount } from '../diff-words.ts';
import { wordsById } from '../history.ts';
import { html } from '../markup.ts';
import type { Content, Markup } from '../markup.ts';
import type { Results } from '../results.ts';
import type { EvidenceBook } from './evidence.ts';
import { historySection } from './history.ts';
import { clock, message, requirementLink, separated, text } from './parts.ts';

const ROWS = 100;

function subject(change: Change, known: ReadonlySet<string>): Content {
  return known.has(change.subject)
    ? requirementLink(change.subject)
    : html`<code>${text(change.subject, 200)}</code>`;
}

function context(diff: Diff): Markup {
  if (diff.context.length === 0) {
    return html`<p>
      Target, specification, Assay, settings and data of both runs are the same: what differs below
      comes from the implementation.
    </p>`;
  }
  return html`<table class="context">
    <caption>
      What was compared is not the same. Read the changes with this in mind.
    </caption>
    <thead>
      <tr>
        <th scope="col">change of</th>
        <th scope="col">what</th>
        <th scope="col">before</th>
        <th scope="col">now</th>
      </tr>
    </thead>
    <tbody>
      ${diff.context.map(
        (one) =>
          html`<tr>
            <th scope="row">${one.of}</th>
            <td>${one.name}</td>
            <td><code>${text(one.before, 300)}</code></td>
            <td><code>${text(one.after, 300)}</code></td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

/** What is different from the earlier run, by kind; says how to get it when none was given. */
export function changesSection(results: Results, evidence: EvidenceBook): Markup {
  const diff = results.changes;
  if (diff === undefined) {
    return html`<h2>Changes</h2>
      <p>
        No earlier run was given. <code>assay run --baseline results.json</code> compares while it
        runs, <code>assay diff A.json B.json</code> compares two finished runs.
      </p>
      ${historySection(results)}`;
  }
  const history = wordsById(results);
  const said = (change: Change): Content => {
    // That a new violation is of today needs no words.
    const age = change.kind === 'new-violation' ? '' : ageWords(change.since, results.startedAt);
    const words = [age, history.get(change.subject) ?? ''].filter((one) => one !== '');
    return words.length > 0 && html`<small>${words.join('; ')}</small>`;
  };
  const known = new Set(results.requirements.map(({ id }) => id));
  return html`<h2>Changes</h2>
    <p>
      Compared with the run of ${clock(diff.before.startedAt)} (Assay ${diff.before.tool}, verdict
      ${diff.before.verdict}).
    </p>
    ${context(diff)} ${diff.changes.length === 0 && html`<p>Nothing came out in another way.</p>`}
    ${CHANGE_KINDS.map((kind) => {
      const list = diff.changes.filter((change) => change.kind === kind);
      if (list.length === 0) return null;
      const { icon, tone } = CHANGE_WORDS[kind];
      return html`<h3 id="changes-${kind}">
          <span class="${tone}">${icon}</span> ${changeCount(kind, list.length)}
        </h3>
        <table class="matrix changes">
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">before</th>
              <th scope="col">now</th>
              <th scope="col">likely comes from</th>
              <th scope="col">evidence</th>
            </tr>
          </thead>
          <tbody>
            ${list.slice(0, ROWS).map(
              (change) =>
                html`<tr>
                  <th scope="row">${subject(change, known)}</th>
                  <td>${message(change.before, 300)}</td>
                  <td>${message(change.after, 600)}${said(change)}</td>
                  <td>${BECAUSE_WORDS[change.because]}</td>
                  <td>${separated(change.exchanges.map((id) => evidence.link(id)))}</td>
                </tr> `,
            )}
          </tbody>
        </table>
        ${list.length > ROWS && html`<p class="note">${list.length - ROWS} more are in results.json.</p>`}`;
    })}
    ${historySection(results)}`;
}
