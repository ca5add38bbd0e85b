import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { OUTCOME_LABELS } from '../report/labels.ts';
import { OUTCOMES } from '../report/results.ts';
import type { Outcome } from '../report/results.ts';
import type { PageData } from '../report/page-data.ts';
import { compileQuery, toggleTerm } from './query.ts';
import { openSome, partsOf, setOpen } from './folded.ts';
import { writeParameter } from './route.ts';

export interface MatrixFilterProps {
  readonly data: PageData;
  readonly view: HTMLElement;
  readonly query: string;
}

/** Outcomes that open a section by themselves: what a reader looks for. */
const CALLING: ReadonlySet<Outcome> = new Set(['failed', 'warned', 'inconclusive', 'error']);
/** With more inconclusive ones than this it is the run that calls, and the summary says why. */
const MANY = 60;

/** Filters the rows of the requirement matrix, which stand in the page already, and folds its sections. */
export function MatrixFilter({ data, view, query }: MatrixFilterProps): ComponentChild {
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const parts = useMemo(() => partsOf(view), [view]);
  const rows = useMemo(() => {
    const byAnchor = new Map(parts.flatMap((part) => part.rows).map((row) => [row.id, row]));
    const open = data.requirements.filter(({ outcome }) => outcome === 'inconclusive').length;
    return data.requirements.flatMap(
      ({ id, title, outcome, level, section, isNew, reason, proof }) => {
        const element = byAnchor.get(`r-${id.replace(/[^\w./-]/g, '_')}`);
        if (element === undefined) return [];
        return [
          {
            element,
            calling: CALLING.has(outcome) && (outcome !== 'inconclusive' || open <= MANY),
            words: `${id} ${title} ${reason ?? ''} ${proof.join(' ')}`.toLowerCase(),
            values: {
              is: `${outcome}${isNew ? ' new' : ''}${proof.length > 0 ? ' proven' : ' unproven'}`,
              level,
              s: section,
              r: id.toLowerCase(),
            },
          },
        ];
      },
    );
  }, [data, parts]);
  const shown = useMemo(() => {
    const fits = compileQuery(text);
    let count = 0;
    for (const row of rows) {
      row.element.hidden = !fits(row);
      if (!row.element.hidden) count += 1;
    }
    for (const { element, rows: own } of parts) element.hidden = own.every((one) => one.hidden);
    const calling = new Set(rows.filter((row) => row.calling).map(({ element }) => element));
    openSome(parts, {
      wanted: (part) => text.trim() !== '' || part.rows.some((row) => calling.has(row)),
    });
    return count;
  }, [rows, parts, text]);
  const change = (next: string): void => {
    setText(next);
    writeParameter('requirements', 'q', next);
  };
  const seen = OUTCOMES.filter((outcome) =>
    data.requirements.some((one) => one.outcome === outcome),
  );
  return (
    <div class="search">
      <label for="search-requirements">Filter</label>
      <input
        id="search-requirements"
        class="search-field"
        type="search"
        value={text}
        autocomplete="off"
        onInput={(event) => change(event.currentTarget.value)}
      />
      <div class="bar-tools">
        {seen.map((outcome) => (
          <button
            type="button"
            aria-pressed={text.split(/\s+/).includes(`is:${outcome}`)}
            onClick={() => change(toggleTerm(text, `is:${outcome}`))}
          >
            {`${OUTCOME_LABELS[outcome].icon} ${OUTCOME_LABELS[outcome].word}`}
          </button>
        ))}
        {text === '' && (
          <button type="button" onClick={() => parts.forEach((part) => setOpen(part, true))}>
            Unfold all
          </button>
        )}
      </div>
      <p class="note">
        <strong role="status">{`${shown} of ${rows.length} requirements`}</strong>
        {'. Sections with something against the target are open. Also '}
        <code>level:must</code> <code>s:4.3</code> <code>is:unproven</code>
      </p>
    </div>
  );
}
