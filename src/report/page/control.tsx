import type { VNode } from 'preact';
import { BAD_KEYS } from '../../spec/exchange.ts';
import type { ExchangeRow, PageData } from './page-data.ts';
import { ExchangeLink } from './view/parts.tsx';

function requestOf([, , target, , , role]: ExchangeRow) {
  const [path = '', query] = target.split(/\?(.*)/s);
  return { role, path, query: new URLSearchParams(query) };
}

type Request = ReturnType<typeof requestOf>;

function differences(a: Request, b: Request): readonly string[] {
  const names = new Set([...a.query.keys(), ...b.query.keys()]);
  return [
    ...(a.path === b.path ? [] : ['the path']),
    ...[...names].filter((name) => a.query.get(name) !== b.query.get(name)),
    ...(a.role === b.role ? [] : ['the key']),
  ];
}

/**
 * The successful exchange of the same endpoint and method that differs least from a refused one, in two things at most. Null for a refusal by the
 * rate limiter or the quota, which is not about the request.
 */
export function findControl(data: Pick<PageData, 'exchanges'>, id: string) {
  const row = data.exchanges.find(([name]) => name === id);
  if (row === undefined || row[3] < 400 || row[3] === 429 || row[6] < 0) return null;
  const refused = requestOf(row);
  const [best] = data.exchanges
    .filter((other) => other[6] === row[6] && other[1] === row[1])
    .filter(([, , , status, , role]) => status >= 200 && status <= 299 && !BAD_KEYS.includes(role))
    .map((other) => ({ id: other[0], differs: differences(refused, requestOf(other)) }))
    .filter(({ differs }) => differs.length <= 2)
    .toSorted((a, b) => a.differs.length - b.differs.length);
  return best ?? null;
}

/** The control of a refused exchange, and how they differ; nothing without one. */
export function Control(props: { data: Pick<PageData, 'exchanges'>; id: string }): VNode | null {
  const control = findControl(props.data, props.id);
  if (control === null) return null;
  const { differs } = control;
  const words =
    differs.length === 0
      ? 'is the same request at another time'
      : `differs in ${differs.join(' and ')}`;
  return (
    <p>
      Control <ExchangeLink id={control.id} /> <span class="note">{`${words}, and succeeds.`}</span>
    </p>
  );
}
