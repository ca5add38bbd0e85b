import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import { groupBy } from '../../../text/group-by.ts';
import { formatDuration } from '../../model/labels.ts';
import type { ExchangeRow, PageData, PageRequirement } from '../page-data.ts';
import { anchor, more } from './parts.tsx';

/** Something searchable: words in lower case, and values by name. */
export interface Searchable {
  readonly words: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A row of a searchable list. */
export interface ListRow extends Searchable {
  /** Id of the link target. */
  readonly elementId: string;
  readonly content: () => VNode;
}

/** What a requirement can be found by; endpoint, status and role of a violated one are those of what violates it. */
export function searchable(requirement: PageRequirement, data: PageData): Searchable {
  const { id, title, outcome, level, section, isNew, words, proof, checks } = requirement;
  const { findings, unrecorded = [] } = requirement;
  const against = [...findings.map(({ exchange }) => exchange ?? ''), ...unrecorded];
  const own = new Set(against.length === 0 ? requirement.exchanges : against);
  const seen = data.exchanges.filter(([one]) => own.has(one));
  const of = (value: (row: ExchangeRow) => string): string =>
    [...new Set(seen.map(value))].join(' ').toLowerCase();
  const said = checks.map((check) => `${check.title} ${check.reason ?? ''}`);
  return {
    words: [id, title, words, ...proof, ...said, ...requirement.exchanges].join(' ').toLowerCase(),
    values: {
      is: `${outcome}${isNew ? ' new' : ''}${proof.length > 0 ? ' proven' : ' unproven'}`,
      level,
      s: section,
      r: id.toLowerCase(),
      e: of(([, , , , , , endpoint]) => data.endpoints[endpoint] ?? ''),
      http: of(([, , , status]) => String(status)),
      role: of(([, , , , , role]) => role),
    },
  };
}

/** Every recorded exchange; `bodyOf` is the searchable text of a body. */
export function exchangeRows(data: PageData, bodyOf?: (id: string) => string): readonly ListRow[] {
  const findings = data.requirements.flatMap(({ id, outcome, findings: own, unrecorded = [] }) => [
    ...own.map(({ exchange, message, expected, actual }) => ({
      exchange,
      outcome,
      said: [id, message, expected, actual].join(' '),
    })),
    ...unrecorded.map((exchange) => ({ exchange, outcome, said: id })),
  ]);
  const against = groupBy(findings, ({ exchange }) => exchange);
  return data.exchanges.map(([id, method, target, status, ms, role, endpoint, code]): ListRow => {
    const answer = status === 0 ? 'no response' : String(status);
    const found = against.get(id) ?? [];
    const said = found.map((one) => one.said);
    const tone = status >= 500 || status === 0 ? 'failed' : status >= 400 ? 'observed' : 'passed';
    return {
      elementId: anchor('x', id),
      words: [id, method, target, answer, role, ...said, bodyOf?.(id)].join(' ').toLowerCase(),
      values: {
        is: [
          ...found.map(({ outcome }) => `found ${outcome}`),
          ...(status >= 400 ? ['refused'] : []),
        ].join(' '),
        e: (data.endpoints[endpoint] ?? '').toLowerCase(),
        http: String(status),
        code: String(code),
        role: role.toLowerCase(),
        method: method.toLowerCase(),
      },
      content: () => (
        <>
          <span class={`outcome ${tone}`}>{answer}</span>
          <span class="id">{id}</span>
          <span class="time">{`${role === 'none' ? 'no key' : role}, ${formatDuration(ms)}`}</span>
          <span class="what">
            <code>{`${method} ${target}`}</code>
          </span>
        </>
      ),
    };
  });
}

/** Rows shown without a script, besides plain ones for what links lead to; the explorer lists all. */
const ROWS = 100;

interface WrittenProps {
  readonly data: PageData;
  /** Exchanges shown in full elsewhere, by id. */
  readonly shown: ReadonlyMap<string, unknown>;
  /** Ids that links of the page lead to. */
  readonly linked: ReadonlySet<string>;
}

/** The list of exchanges without a script: those not shown with a finding. */
export function WrittenExchanges({ data, shown, linked }: WrittenProps): VNode {
  const exchanges = data.exchanges.filter(([id]) => !shown.has(id));
  const rows = exchangeRows({ ...data, exchanges: exchanges.slice(0, ROWS) });
  const others = exchanges.slice(ROWS).filter(([id]) => linked.has(id));
  return (
    <>
      <p class="note">
        {`${plural(data.exchanges.length, 'exchange')}. Exchanges that belong to findings are shown with them; all bodies are in `}
        <code>results.json</code>.
      </p>
      <div data-search="exchanges" />
      <ol class="rows">
        {rows.map(({ elementId, content }) => (
          <li id={elementId}>{content()}</li>
        ))}
        {others.map(([id, method, target, status]) => (
          <li id={anchor('x', id)}>
            {`${status === 0 ? 'no response' : status} ${id} ${method} ${target}`}
          </li>
        ))}
      </ol>
      {more(exchanges.length - rows.length - others.length)}
    </>
  );
}
