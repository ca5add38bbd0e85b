import { expect, it } from 'vitest';
import type { CheckContext } from '../../src/ask/index.ts';
import type { QueryParameter } from '../../src/spec/endpoints.ts';

/** A bound that nobody states, so that wherever it is seen it comes from the facts. */
const ELSEWHERE = 117;

it('a bound that changes in the facts changes in documents, requests and judgement', async () => {
  const { ENDPOINTS } = await import('../../src/spec/endpoints.ts');
  const limit: { -readonly [Name in keyof QueryParameter]: QueryParameter[Name] } =
    ENDPOINTS['/macro/events/{event}/history'].query.limit;
  limit.maximum = ELSEWHERE;
  // Loaded now, so that all of them see the other bound.
  const { openApiDocument } = await import('../../src/openapi/document.ts');
  const { requirementOf } = await import('../../src/requirements/catalogue.ts');
  const { requirementsDoc } = await import('../../tools/docs/requirements-doc.ts');
  const { bigPart } = await import('../../suites/families/series-requests.ts');
  const { MACRO_RELEASES } = await import('../../src/judge/series.ts');
  const { found, macro, NOW, weeks } = await import('../judge/parameter-exchanges.ts');

  expect(JSON.stringify(openApiDocument())).toContain(`"maximum":${ELSEWHERE}`);

  const title = `A macro \`limit\` above ${ELSEWHERE} is refused or clamped`;
  expect(requirementOf('4.6/macro-limit-max').title).toBe(title);
  expect(requirementsDoc()).toContain(title);

  const session = { http: { targetAtStart: () => NOW } } as CheckContext['session'];
  const asked = bigPart(MACRO_RELEASES, { session } as CheckContext);
  expect(asked).toMatchObject({ limit: ELSEWHERE });

  const many = weeks(150);
  const answered = (rows: number): string[] =>
    found([macro(many.slice(0, rows), { limit: rows }), macro(many.slice(0, 50))]);
  expect(answered(ELSEWHERE)).toEqual([]);
  expect(answered(ELSEWHERE + 1).join()).toContain('4.6/macro-limit-max');
});
