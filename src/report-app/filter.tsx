import { useEffect, useMemo } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PageData } from '../report/page/page-data.ts';
import { searchable } from '../report/page/view/lists.tsx';
import { anchor, outcomeWords } from '../report/page/view/parts.tsx';
import { OUTCOMES } from '../report/model/results.ts';
import { Search } from './search.tsx';

const EXAMPLES = ['level:must', 's:4.3', 'e:/etfs', 'role:expired', 'is:unproven'];

interface ShowProps {
  readonly matches: readonly { readonly place: string }[];
  readonly isAsked: boolean;
}

/** Shows the matching rows of the static page and, when searching, unfolds their sections. */
function Show({ matches, isAsked }: ShowProps): null {
  useEffect(() => {
    const fitting = new Set(matches.map(({ place }) => place));
    for (const part of document.querySelectorAll<HTMLDetailsElement>('#requirements .part')) {
      const rows = [...part.querySelectorAll<HTMLElement>('tbody > tr[id]')];
      for (const row of rows) row.hidden = !fitting.has(row.id);
      const some = rows.some(({ hidden }) => !hidden);
      part.hidden = !some;
      if (isAsked && some) part.open = true;
    }
  }, [matches, isAsked]);
  return null;
}

interface FilterProps {
  readonly data: PageData;
  readonly query: string;
}

/** The search of the requirements. */
export function Filter({ data, query }: FilterProps): VNode {
  const { requirements } = data;
  const items = useMemo(
    () => requirements.map((one) => ({ place: anchor('r', one.id), ...searchable(one, data) })),
    [requirements, data],
  );
  const seen = OUTCOMES.filter((outcome) => requirements.some((one) => one.outcome === outcome));
  return (
    <Search
      view="requirements"
      query={query}
      items={items}
      terms={seen.map((outcome) => [`is:${outcome}`, outcomeWords(outcome)])}
      examples={EXAMPLES}
    >
      {(matches, isAsked) => <Show matches={matches} isAsked={isAsked} />}
    </Search>
  );
}
