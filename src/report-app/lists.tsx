import type { PageData } from '../report/page-data.ts';
import { withoutMarks } from '../report/plain.ts';
import { visible } from '../text/text.ts';
import type { Row } from './explorer.tsx';
import { Badge } from './parts.tsx';

/** Every check of every requirement; a requirement without checks is a row of its own. */
export function checkRows(data: PageData): readonly Row[] {
  const endpointOf = new Map(
    data.exchanges.map(([id, , , status, , , endpoint]) => [
      id,
      { path: data.endpoints[endpoint] ?? '', status },
    ]),
  );
  return data.requirements.flatMap((requirement) => {
    const { id, level, section } = requirement;
    const href = `#r-${id.replace(/[^\w./-]/g, '_')}`;
    const checks =
      requirement.checks.length > 0
        ? requirement.checks
        : [
            {
              title: 'no check ran',
              outcome: requirement.outcome,
              reason: requirement.reason,
              exchanges: requirement.exchanges,
            },
          ];
    return checks.map(({ title, outcome, reason, exchanges }): Row => {
      const seen = exchanges.slice(0, 20).flatMap((one) => endpointOf.get(one) ?? []);
      return {
        href,
        words: `${id} ${requirement.title} ${title} ${reason ?? ''}`.toLowerCase(),
        values: {
          is: `${outcome}${requirement.isNew ? ' new' : ''}`,
          level,
          s: section,
          r: id.toLowerCase(),
          e: seen
            .map(({ path }) => path)
            .join(' ')
            .toLowerCase(),
          http: seen.map(({ status }) => status).join(' '),
        },
        content: () => (
          <>
            <Badge outcome={outcome} />
            <span class="id">{id}</span>
            <span class="what">
              {visible(withoutMarks(reason === null ? title : `${title}: ${reason}`))}
            </span>
          </>
        ),
      };
    });
  });
}

/** Every exchange on record. */
export function exchangeRows(data: PageData): readonly Row[] {
  const against = new Set(
    data.requirements.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)),
  );
  return data.exchanges.map(([id, method, target, status, ms, role, endpoint, code]): Row => {
    const answer = status === 0 ? 'no answer' : String(status);
    return {
      href: `#x-${id.replace(/[^\w./-]/g, '_')}`,
      words: `${id} ${method} ${target} ${answer} ${role}`.toLowerCase(),
      values: {
        is: `${against.has(id) ? 'found' : ''} ${status >= 400 ? 'refused' : ''}`,
        e: (data.endpoints[endpoint] ?? '').toLowerCase(),
        http: String(status),
        code: String(code),
        role: role.toLowerCase(),
        method: method.toLowerCase(),
      },
      content: () => (
        <>
          <span
            class={`outcome ${status >= 500 || status === 0 ? 'failed' : status >= 400 ? 'observed' : 'passed'}`}
          >
            {answer}
          </span>
          <span class="id">{id}</span>
          <span class="what">
            <code>{visible(`${method} ${target}`)}</code>
          </span>
          <span class="time">{`${ms} ms`}</span>
        </>
      ),
    };
  });
}
