import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { PageData, PageRequirement } from '../report/page/page-data.ts';
import { OUTCOMES } from '../report/model/results.ts';
import type { Outcome } from '../report/model/results.ts';
import { Matrix, wholeMatrix } from '../report/page/view/matrix.tsx';
import type { MatrixPart } from '../report/page/view/matrix.tsx';
import type { Searchable } from '../report/page/view/lists.tsx';
import { anchor, outcomeWords } from '../report/page/view/parts.tsx';
import { compileQuery } from './query.ts';
import { Search } from './search.tsx';

/** Rows that may stand in the document without being asked for: a page of a few thousand elements opens at once. */
const ROWS = 150;
/** Outcomes that open a section by themselves: what a reader looks for. */
const CALLING: ReadonlySet<Outcome> = new Set(['failed', 'warned', 'inconclusive', 'error']);
/** With more inconclusive ones than this it is the run that calls, and the summary says why. */
const MANY = 60;

function searchable(requirement: PageRequirement): Searchable {
  const { id, title, outcome, level, section, isNew, reason, proof } = requirement;
  return {
    words: `${id} ${title} ${reason ?? ''} ${proof.join(' ')}`.toLowerCase(),
    values: {
      is: `${outcome}${isNew ? ' new' : ''}${proof.length > 0 ? ' proven' : ' unproven'}`,
      level,
      s: section,
      r: id.toLowerCase(),
    },
  };
}

/** Opens sections in their order as long as their rows are few enough: all that fit a query, or those that call. */
function partsFor(
  data: PageData,
  words: ReadonlyMap<string, Searchable>,
  query: string,
): readonly MatrixPart[] {
  const fits = compileQuery(query);
  const { requirements } = data;
  const open = requirements.filter(({ outcome }) => outcome === 'inconclusive').length;
  const calls = ({ outcome }: PageRequirement): boolean =>
    CALLING.has(outcome) && (outcome !== 'inconclusive' || open <= MANY);
  let room = ROWS;
  return wholeMatrix(requirements).map((part) => {
    const shown = part.requirements.filter(({ id }) => {
      const item = words.get(id);
      return item !== undefined && fits(item);
    });
    const wanted = query.trim() !== '' || part.requirements.some(calls);
    const isOpen = wanted && shown.length > 0 && shown.length <= room;
    if (isOpen) room -= shown.length;
    return { ...part, shown, open: isOpen };
  });
}

/** Sections that the reader opened and folded. */
type Turned = ReadonlyMap<string, boolean>;
const NOTHING: Turned = new Map();

export interface MatrixViewProps {
  readonly data: PageData;
  readonly query: string;
  /** All of it, unfolded and whatever the filter says: for printing. */
  readonly unfolded: boolean;
  /** Id of the requirement that is chosen and stands beside the matrix; null without it. */
  readonly chosen: string | null;
  readonly onQuery: (query: string) => void;
  /** Is told the addresses of the rows, in their order. */
  readonly onOrder: (places: readonly string[]) => void;
}

/** The requirement matrix with a filter; sections can be folded. */
export function MatrixView(props: MatrixViewProps): VNode {
  const { data, query, unfolded, chosen, onQuery, onOrder } = props;
  const [turned, setTurned] = useState(NOTHING);
  useEffect(() => setTurned(NOTHING), [query]);
  const words = useMemo(
    () => new Map(data.requirements.map((one) => [one.id, searchable(one)])),
    [data],
  );
  const parts = useMemo(
    () => (unfolded ? wholeMatrix(data.requirements) : partsFor(data, words, query)),
    [data, words, query, unfolded],
  );
  const turn = (sections: readonly string[], open: boolean): void =>
    setTurned(new Map([...turned, ...sections.map((one) => [one, open] as const)]));
  const seen = OUTCOMES.filter((outcome) =>
    data.requirements.some((one) => one.outcome === outcome),
  );
  const shown = parts.reduce((sum, part) => sum + part.shown.length, 0);
  const isOpen = ({ section, open }: MatrixPart): boolean =>
    unfolded || (turned.get(section) ?? open);
  useLayoutEffect(
    () => onOrder(parts.flatMap(({ shown: own }) => own.map(({ id }) => anchor('r', id)))),
    [parts, onOrder],
  );
  useEffect(() => {
    // What is chosen is to be seen in the list: a link may lead to a requirement of a folded part.
    const part = parts.find(({ shown: own }) => own.some(({ id }) => id === chosen));
    if (part !== undefined && !isOpen(part)) turn([part.section], true);
  }, [chosen, query]);
  return (
    <Matrix
      data={data}
      parts={parts.map((part) => ({ ...part, open: isOpen(part) }))}
      chosen={chosen}
      addressed={unfolded}
      onToggle={(section, open) => {
        // Sections that were opened here report that, too.
        const part = parts.find((one) => one.section === section);
        if (part !== undefined && isOpen(part) !== open) turn([section], open);
      }}
    >
      <Search
        view="requirements"
        label="Filter"
        query={query}
        terms={seen.map((outcome) => [`is:${outcome}`, outcomeWords(outcome)])}
        onChange={onQuery}
        tools={
          query === '' && (
            <button
              type="button"
              onClick={() =>
                turn(
                  parts.map(({ section }) => section),
                  true,
                )
              }
            >
              Unfold all
            </button>
          )
        }
      >
        <strong role="status">{`${shown} of ${data.requirements.length} requirements`}</strong>
        <span class="hint">
          {'. Sections with something against the target are open. Also '}
          <code>level:must</code> <code>s:4.3</code> <code>is:unproven</code>
        </span>
      </Search>
    </Matrix>
  );
}
