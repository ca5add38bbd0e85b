import { describe, expect, it } from 'vitest';
import * as advice from './advice.ts';
import { exchange } from '../../test/judge/parameter-exchanges.ts';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import { contextOf } from '../judge/context.ts';
import { judgeAll } from '../judge/judge.ts';
import { DEFAULT_FACTS } from '../judge/facts.ts';
import { Judgement } from '../judge/judgement.ts';
import { viewOf } from '../judge/view.ts';
import { REQUIREMENTS } from './catalogue.ts';
import { judgeViews } from './judging.ts';

describe('a judgement', () => {
  it('counts for a requirement on the endpoints it is about, and on no other', () => {
    const wrong: string[] = [];
    const judge = judgeAll((views, _context, own) => {
      for (const view of views) {
        own.found(view, {
          kind: 'let-in',
          facts: { because: '', answer: '' },
          expected: 'a',
          actual: 'b',
        });
        own.read('which', 'one', view);
      }
    });
    for (const { id, endpoints } of REQUIREMENTS) {
      for (const path of ENDPOINT_PATHS) {
        const sent = exchange(path, {});
        const view = viewOf(sent, DEFAULT_FACTS);
        if (view === undefined) throw new Error('there is an answer');
        const into = new Judgement();
        const one = { id, judge, ...(endpoints && { endpoints }) };
        judgeViews(one, [view], contextOf(DEFAULT_FACTS, [sent]), into);
        const counted =
          into.requirements.has(id) && into.readings.some(({ requirement }) => requirement === id);
        if (counted !== (endpoints ?? ENDPOINT_PATHS).includes(path))
          wrong.push(`${id} at ${path}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('the advice', () => {
  it.each(REQUIREMENTS.map((one) => [one.id, one] as const))(
    'on %s is whole sentences',
    (_, one) => {
      expect(one.why.length).toBeGreaterThan(30);
      expect(one.usually.length).toBeGreaterThan(0);
      for (const sentence of [one.why, ...one.usually]) expect(sentence).toMatch(/[.]$/);
      // A live run says what it needs in the same words.
      expect(one.shownBy ?? '').not.toMatch(/\brecord(?:ing|ed traffic)/);
    },
  );

  it('that is shared is shared by several', () => {
    const lonely = Object.entries(advice).filter(
      ([, { why }]) => REQUIREMENTS.filter((one) => one.why === why).length < 2,
    );
    expect(lonely.map(([name]) => name)).toEqual([]);
  });

  it('is specific: no text serves more than a twelfth of what can be red', () => {
    const red = REQUIREMENTS.filter(({ level }) => level !== 'observe');
    const uses = new Map<string, number>();
    for (const { why } of red) uses.set(why, (uses.get(why) ?? 0) + 1);
    expect(Math.max(...uses.values())).toBeLessThan(red.length / 12);
    expect(uses.size).toBeGreaterThan(150);
  });
});
