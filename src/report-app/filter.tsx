import { useEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PageData } from '../report/page/page-data.ts';
import { searchable } from '../report/page/view/lists.tsx';
import { anchor, outcomeWords } from '../report/page/view/parts.tsx';
import { OUTCOMES } from '../report/model/results.ts';
import { compileQuery } from './query.ts';
import { writeQuery } from './route.ts';
import { Search } from './search.tsx';

interface FilterProps {
  readonly data: PageData;
  readonly query: string;
}

/** Shows the matching rows and, when searching, unfolds their sections. */
function show(fitting: ReadonlySet<string>, isAsked: boolean): void {
  for (const part of document.querySelectorAll<HTMLDetailsElement>('#requirements .part')) {
    const rows = [...part.querySelectorAll<HTMLElement>('tbody > tr[id]')];
    for (const row of rows) row.hidden = !fitting.has(row.id);
    const some = rows.some(({ hidden }) => !hidden);
    part.hidden = !some;
    if (isAsked && some) part.open = true;
  }
}

/** The search of the requirements. */
export function Filter({ data, query: asked }: FilterProps): VNode {
  const [query, setQuery] = useState(asked);
  useEffect(() => setQuery(asked), [asked]);
  const items = useMemo(
    () => data.requirements.map((one) => [anchor('r', one.id), searchable(one, data)] as const),
    [data],
  );
  const fitting = useMemo(() => {
    const fits = compileQuery(query);
    return new Set(items.flatMap(([place, item]) => (fits(item) ? [place] : [])));
  }, [items, query]);
  useEffect(() => show(fitting, query.trim() !== ''), [fitting, query]);
  const seen = OUTCOMES.filter((outcome) =>
    data.requirements.some((one) => one.outcome === outcome),
  );
  return (
    <Search
      view="requirements"
      label="Search"
      query={query}
      terms={seen.map((outcome) => [`is:${outcome}`, outcomeWords(outcome)])}
      onChange={(next) => {
        setQuery(next);
        writeQuery('requirements', next);
      }}
    >
      <strong role="status">{`${fitting.size} of ${data.requirements.length} requirements`}</strong>
      <span class="hint">
        {'. Search for words, "phrases" and terms such as '}
        <code>level:must</code> <code>s:4.3</code> <code>e:/etfs</code> <code>role:expired</code>{' '}
        <code>is:unproven</code>, or exclude a word with <code>-word</code>
        {'. Press / to search.'}
      </span>
    </Search>
  );
}
