import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../../test/judge/exchanges.ts';
import { answerOf } from '../ask/answer.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { BudgetExhausted } from '../http/errors.ts';
import { TargetError } from '../target/errors.ts';
import { outcomeOf } from './asking.ts';
import { nothingToJudge } from './conform.ts';

describe('an answer with nothing to judge', () => {
  const page = exchangeOf('/currencies/{currency_id}/pairs', {
    body: { list: [], page: 1, page_size: 100, total: 0 },
  });
  const said = (id: Parameters<typeof requirementOf>[0]): string =>
    nothingToJudge(requirementOf(id), [answerOf(page, DEFAULT_FACTS, null)], DEFAULT_FACTS).message;

  it('says which case is wanted', () => {
    expect(said('4.1/pairs-page-full')).toContain('needs a page of a list with enough items');
    expect(said('4.1/pairs-total')).toContain('needs two pages of the same list with `total`');
  });

  it('names three requests at most, and none of a whole run as being in the way', () => {
    const refused = exchangeOf('/news', { status: 422, query: { page_size: '100' } });
    const answers = Array.from({ length: 5 }, () => answerOf(refused, DEFAULT_FACTS, null));
    const requirement = requirementOf('4.2/page-full');
    const why = (isOfRun: boolean) => nothingToJudge(requirement, answers, DEFAULT_FACTS, isOfRun);
    expect(why(false).message.match(/GET /g)).toHaveLength(3);
    expect(why(false).message).toContain(' and 2 more');
    expect(why(false).hinderedBy).not.toEqual([]);
    expect(why(true).hinderedBy).toEqual([]);
  });

  it('is a server error, where the request need not have succeeded, either', () => {
    const nameOf = (status: number) => {
      const query = { symbol: 'BTC', country_code: 'US', limit: '301' };
      const answer = exchangeOf('/etfs/summary-history', { status, query });
      const answers = [answerOf(answer, DEFAULT_FACTS, null)];
      return nothingToJudge(requirementOf('4.3/limit-max'), answers, DEFAULT_FACTS).name;
    };
    expect([400, 502, 503].map(nameOf)).toEqual(['Untested', 'Inconclusive', 'Inconclusive']);
  });

  it('says that a body is not JSON', () => {
    const broken = answerOf(exchangeOf('/analyses', { text: '[{' }), DEFAULT_FACTS, null);
    const why = nothingToJudge(requirementOf('4/no-5xx'), [broken], DEFAULT_FACTS);
    expect(why.message).toContain('GET /analyses (200, not JSON)');
  });

  it('says what the requirement is about where no case is described', () => {
    expect(said('2.5/non-negative')).toContain(requirementOf('2.5/non-negative').title);
  });
});

it('a clock of the target that cannot be advanced is no error of Assay', () => {
  const error = new TargetError('ASSAY_TARGET_CLOCK', 'reset', 'Check the URL.');
  const { kind, reason } = outcomeOf(error, requirementOf('4.3/order'));
  expect([kind, reason]).toEqual(['inconclusive', 'reset']);
});

describe('a budget that is used up', () => {
  it('leaves a requirement untested, unless failures of the target used it up', () => {
    const kindOf = (bound: BudgetExhausted['bound']) =>
      outcomeOf(new BudgetExhausted(bound, 'x'), requirementOf('4.3/order')).kind;
    expect((['profile', 'max-requests', 'monitor'] as const).map(kindOf)).toEqual(
      Array.from({ length: 3 }, () => 'untested'),
    );
    expect(kindOf('retries')).toBe('inconclusive');
  });
});
