import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';
import { OUTCOME_LABELS } from '../report/labels.ts';
import { OUTCOMES } from '../report/results.ts';
import type { PageData } from '../report/page-data.ts';
import { compileQuery, toggleTerm } from './query.ts';
import { writeParameter } from './route.ts';

export interface MatrixFilterProps {
  readonly data: PageData;
  readonly view: HTMLElement;
  readonly query: string;
}

/** Filters the rows of the requirement matrix, which stand in the page already. */
export function MatrixFilter({ data, view, query }: MatrixFilterProps): ComponentChild {
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const rows = useMemo(
    () =>
      data.requirements.flatMap(({ id, title, outcome, level, section, isNew, reason }) => {
        const element = view.querySelector<HTMLElement>(
          `[id="${CSS.escape(`r-${id.replace(/[^\w./-]/g, '_')}`)}"]`,
        );
        if (element === null) return [];
        return [
          {
            element,
            words: `${id} ${title} ${reason ?? ''}`.toLowerCase(),
            values: {
              is: `${outcome}${isNew ? ' new' : ''}`,
              level,
              s: section,
              r: id.toLowerCase(),
            },
          },
        ];
      }),
    [data, view],
  );
  const shown = useMemo(() => {
    const fits = compileQuery(text);
    let count = 0;
    for (const row of rows) {
      row.element.hidden = !fits(row);
      if (!row.element.hidden) count += 1;
    }
    for (const table of view.querySelectorAll<HTMLTableElement>('table.matrix')) {
      const empty = [...table.tBodies].every((body) => [...body.rows].every((one) => one.hidden));
      table.hidden = empty;
      const heading = table.previousElementSibling;
      if (heading instanceof HTMLElement) heading.hidden = empty;
    }
    return count;
  }, [rows, text, view]);
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
      </div>
      <p class="note" role="status">{`${shown} of ${rows.length} requirements`}</p>
    </div>
  );
}
