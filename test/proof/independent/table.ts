import { unescape } from 'node:querystring';
import type { Endpoints } from './call.ts';
import { CURRENCIES } from './currencies.ts';
import { ETFS } from './etfs.ts';
import { KLINES } from './klines.ts';
import { OTHERS } from './lists.ts';
import { MACRO } from './macro.ts';
import { NEWS } from './news.ts';
import { PAIRS } from './pairs.ts';

const ALL: Endpoints = {
  ...CURRENCIES,
  ...ETFS,
  ...KLINES,
  ...MACRO,
  ...NEWS,
  ...OTHERS,
  ...PAIRS,
};

/** The endpoint of a path that is still encoded, with the values of its placeholders; undefined when it has none. */
export function route(pathname: string) {
  const parts = pathname.split('/');
  for (const [template, endpoint] of Object.entries(ALL)) {
    const words = template.split('/');
    const path: Record<string, string> = {};
    const fits = words.every((word, i) => {
      const part = parts[i] ?? '';
      if (word.startsWith('{')) path[word.slice(1, -1)] = unescape(part);
      return word.startsWith('{') ? part !== '' : word === part;
    });
    if (fits && words.length === parts.length) return { ...endpoint, template, path };
  }
  return undefined;
}
