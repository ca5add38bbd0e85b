import { describe, expect, it } from 'vitest';
import { endpointFacts } from '../../src/report/analysis/endpoint-facts.ts';
import { renderView } from '../../src/report/page/render.ts';
import type { Results } from '../../src/report/model/results.ts';
import { Endpoints } from '../../src/report/page/view/endpoints.tsx';
import { Latency, timeScale } from '../../src/report/page/view/latency.tsx';
import { Page } from '../../src/report/page/view/page.ts';
import { makeExchange, makeResults } from './fixture.ts';

/** A run in which one endpoint answered in these times, ms. */
const timed = (...times: readonly number[]): Results => ({
  ...makeResults(),
  requirements: [],
  exchanges: times.map((ms, index) => {
    const exchange = makeExchange(index + 1, { endpoint: '/news', path: '/news' });
    return { ...exchange, receivedAt: exchange.sentAt + ms };
  }),
});

const strip = (...times: readonly number[]): string => {
  const facts = endpointFacts(timed(...times));
  const [own] = facts;
  if (own === undefined) throw new Error('no endpoint');
  return renderView(() => <Latency facts={own} scale={timeScale(facts)} />);
};

describe('answer times', () => {
  it('are kept by endpoint, the slowest with its exchange', () => {
    const [facts] = endpointFacts(timed(30, 900, 10, 20));
    expect(facts).toMatchObject({
      times: [10, 20, 30, 900],
      median: 20,
      slowest: 900,
      slowestExchange: 'x2',
    });
  });

  it('share a scale that ends at the next power of ten, and begins at 1 ms', () => {
    const { x, marks } = timeScale(endpointFacts(timed(3, 900)));
    expect(marks).toEqual([1, 10, 100, 1000]);
    expect(x(0)).toBe(x(1));
    expect(x(10) - x(1)).toBeCloseTo(x(1000) - x(100));
    expect(timeScale(endpointFacts(timed(100))).marks).toEqual([1, 10, 100]);
    expect(timeScale([]).marks).toEqual([1, 10]);
  });

  it('are dots with the number of the median', () => {
    const markup = strip(10, 20, 900);
    expect(markup.match(/<circle/g)).toHaveLength(3);
    expect(markup).toContain('>20 ms</text>');
    expect(markup).toContain('aria-label="3 answers, median 20 ms, from 10 ms to 900 ms"');
  });

  it('keep the number inside of the strip, at whichever end the median is', () => {
    expect(strip(1, 1, 1000)).toContain('text-anchor="start"');
    expect(strip(1, 1000, 1000)).toContain('text-anchor="end"');
  });

  it('are as many dots as have room, however many answers there are', () => {
    const markup = strip(...Array.from({ length: 5000 }, (_, index) => index + 1));
    expect(markup.match(/<circle/g)?.length).toBeLessThan(230);
  });

  it('are none where nothing was answered', () => {
    const results = makeResults();
    const exchanges = results.exchanges.filter(({ response }) => response === null);
    const silent = { ...results, exchanges };
    expect(endpointFacts(silent)[0]).toMatchObject({ times: [], slowestExchange: null });
    const markup = renderView(() => (
      <Page value={{ holds: () => true, copy: null }}>
        <Endpoints results={silent} causes={[]} />
      </Page>
    ));
    expect(markup).toContain('no answer');
    expect(markup).not.toContain('latency-strip');
  });
});
