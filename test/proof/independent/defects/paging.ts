import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Defect } from './defect.ts';
import {
  FEATURED,
  failure,
  good,
  ignoring,
  NEWS,
  PAIRS,
  plain,
  rewriting,
  subtle,
  said,
} from './tools.ts';

type Page = JsonObject & { list: readonly Json[]; total: number };

/** Changes good pages of an endpoint. */
function page(
  template: string,
  change: (body: Page, call: Call, sent: number) => Json | undefined,
): Hooks {
  return good(template, (body, call) => {
    const whole = isObject(body) && isList(body['list']) && typeof body['total'] === 'number';
    return whole ? change(body as Page, call, Number(call.query.get('page') ?? 1)) : undefined;
  });
}

/** Shows another page than the one asked for, saying that it is the one. */
function showing(template: string, other: (sent: number) => number): readonly Hooks[] {
  const asked = new WeakMap<Call, Json>();
  return [
    {
      values: (call) => {
        const sent = call.values['page'];
        if (call.template !== template || typeof sent !== 'number') return;
        asked.set(call, sent);
        call.values['page'] = other(sent);
      },
    },
    good(template, (body, call) =>
      isObject(body) ? { ...body, page: asked.get(call) ?? body['page'] } : undefined,
    ),
  ];
}

function sized(
  template: string,
  change: (size: number, call: Call) => number,
  most?: number,
): Hooks {
  return {
    query: (call) => {
      const text = call.query.get('page_size');
      if (call.template !== template || text === undefined || !/^\d+$/.test(text)) return;
      const size = Number(text);
      if (most === undefined || size <= most) call.query.set('page_size', said(change(size, call)));
    },
  };
}

function of(name: string, template: string): Defect[] {
  const id = (what: string): string => `${name}-${what}`;
  const on = `GET ${template}`;
  return [
    plain(
      id('page-ignored'),
      `${on} gives page 1 whatever page was asked for, and echoes the one asked for.`,
      ...showing(template, () => 1),
    ),
    plain(
      id('page-ignored-echo'),
      `${on} gives page 1 whatever page was asked for, and says so.`,
      rewriting(template, 'page', () => '1'),
    ),
    plain(
      id('page-from-zero'),
      `${on} counts pages from 0: page 1 is the second.`,
      ...showing(template, (sent) => sent + 1),
    ),
    subtle(
      id('page-three'),
      `${on} gives page 2 again as page 3.`,
      ...showing(template, (sent) => (sent === 3 ? 2 : sent)),
    ),
    plain(
      id('size-ignored'),
      `${on} always gives 20 records a page.`,
      sized(template, () => 20),
    ),
    plain(
      id('size-halved'),
      `${on} gives at most 50 records a page, whatever was asked for.`,
      sized(template, (size) => Math.min(size, 50), 100),
    ),
    subtle(
      id('size-short'),
      `${on} gives one record less than a page holds.`,
      page(template, (body) => ({ ...body, list: body.list.slice(0, -1) })),
    ),
    subtle(
      id('size-echo'),
      `${on} echoes 20 as page_size whatever was asked for.`,
      page(template, (body) => ({ ...body, page_size: 20 })),
    ),
    plain(id('size-hundred'), `${on} refuses page_size=100.`, {
      reply: (call, reply) =>
        call.template === template && reply.status === 200 && call.query.get('page_size') === '100'
          ? failure(400, 400003, 'Invalid parameter: page_size', { field: 'page_size' })
          : undefined,
    }),
    plain(id('size-unbounded'), `${on} gives 300 records a page when asked.`, over(template)),
    plain(
      id('total-of-page'),
      `${on} gives the number of records of the page as total.`,
      page(template, (body) => ({ ...body, total: body.list.length })),
    ),
    subtle(
      id('total-drifts'),
      `${on} takes one off the total with every page.`,
      page(template, (body, _call, sent) => ({ ...body, total: body.total - sent + 1 })),
    ),
    subtle(
      id('total-too-large'),
      `${on} counts one record too many.`,
      page(template, (body) => ({ ...body, total: body.total + 1 })),
    ),
    plain(
      id('total-pages'),
      `${on} gives the number of pages as total.`,
      page(template, (body) => ({
        ...body,
        total: Math.ceil(body.total / Number(body['page_size'])),
      })),
    ),
    plain(
      id('total-missing'),
      `${on} gives no total.`,
      page(template, ({ total: _total, ...rest }) => rest),
    ),
    plain(
      id('page-text'),
      `${on} writes page as a text.`,
      page(template, (body) => ({ ...body, page: said(body['page']) })),
    ),
    subtle(
      id('page-echo'),
      `${on} echoes page 1 on every page.`,
      page(template, (body) => ({ ...body, page: 1 })),
    ),
    subtle(
      id('overlap'),
      `${on} begins page 2 with the last record of page 1.`,
      shifted(template, -1),
    ),
    subtle(id('gap'), `${on} leaves a record out between two pages.`, shifted(template, 1)),
    subtle(
      id('beyond'),
      `${on} answers 500 for a page after the last.`,
      page(template, (body, _call, sent) =>
        sent > 1 && body.list.length === 0 ? null : undefined,
      ),
      {
        reply: (call, reply) =>
          call.template === template &&
          reply.status === 200 &&
          isObject(reply.body) &&
          isList(reply.body['list']) &&
          reply.body['list'].length === 0 &&
          Number(call.query.get('page')) > 1
            ? failure(500, 500001, 'Internal server error')
            : undefined,
      },
    ),
    plain(
      id('bare'),
      `${on} gives the records without the envelope.`,
      page(template, (body) => body.list),
    ),
  ];
}

/** Ignores the maximum: the size is put past the check. */
function over(template: string): Hooks {
  const asked = new WeakMap<Call, number>();
  return {
    query: (call) => {
      const size = Number(call.query.get('page_size'));
      if (call.template !== template || !(size > 100)) return;
      asked.set(call, Math.min(size, 300));
      call.query.set('page_size', '100');
    },
    values: (call) => {
      const size = asked.get(call);
      if (size !== undefined) call.values['page_size'] = size;
    },
  };
}

/** Every page but the first begins some records too early or too late. */
function shifted(template: string, by: number): Hooks {
  const asked = new WeakMap<Call, { page: number; size: number }>();
  return {
    values: (call) => {
      const { page: number, page_size: size } = call.values;
      if (
        call.template !== template ||
        typeof number !== 'number' ||
        typeof size !== 'number' ||
        number < 2
      )
        return;
      asked.set(call, { page: number, size });
      call.values['page'] = 1;
      call.values['page_size'] = 100_000;
    },
    reply: (call, reply) => {
      const sent = asked.get(call);
      if (sent === undefined || !isObject(reply.body) || !isList(reply.body['list']))
        return undefined;
      const from = (sent.page - 1) * sent.size + by;
      const list = reply.body['list'].slice(from, from + sent.size);
      return { ...reply, body: { ...reply.body, list, page: sent.page, page_size: sent.size } };
    },
  };
}

/** Pages of pairs, news and featured news. */
export const PAGING: readonly Defect[] = [
  ...of('pairs', PAIRS),
  ...of('news', NEWS),
  ...of('featured', FEATURED),
  plain('pairs-default-size', 'Pairs come 50 a page when no size was asked for.', {
    values: (call) => {
      if (call.template === PAIRS && !call.query.has('page_size')) call.values['page_size'] = 50;
    },
  }),
  plain('news-default-size', 'News come 10 a page when no size was asked for.', {
    values: (call) => {
      if (call.template === NEWS && !call.query.has('page_size')) call.values['page_size'] = 10;
    },
  }),
  plain('featured-page-optional', 'Featured news do without page.', {
    query: (call) => {
      if (call.template === FEATURED && !call.query.has('page')) call.query.set('page', '1');
    },
  }),
  plain('featured-size-optional', 'Featured news do without page_size.', {
    query: (call) => {
      if (call.template === FEATURED && !call.query.has('page_size'))
        call.query.set('page_size', '20');
    },
  }),
  plain('featured-size-small', 'Featured news come 5 a page when asked.', {
    ...small(),
  }),
  subtle('news-page-with-category', 'The page is ignored when a category is asked for.', {
    query: (call) => {
      if (call.template === NEWS && call.query.has('category') && call.query.has('page'))
        call.query.set('page', '1');
    },
  }),
  subtle(
    'pairs-size-with-exchange',
    'The page size is ignored when an exchange is asked for.',
    ignoring(PAIRS, 'page_size', (_value, call) => call.query.has('exchange')),
  ),
];

function small(): Hooks {
  const asked = new WeakMap<Call, number>();
  return {
    query: (call) => {
      const size = Number(call.query.get('page_size'));
      if (call.template !== FEATURED || !(size > 0 && size < 20)) return;
      asked.set(call, size);
      call.query.set('page_size', '20');
    },
    values: (call) => {
      const size = asked.get(call);
      if (size !== undefined) call.values['page_size'] = size;
    },
  };
}
