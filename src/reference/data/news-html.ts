import { dice, type Stream } from './prng.ts';
import { fill, type Blanks, type NewsTexts } from './texts/texts.ts';

/** What a body is written from; every choice is made before the language is, so translations tell the same story. */
export interface Story {
  readonly source: Stream;
  readonly blanks: Blanks;
  /** Sentence that opens the body, in the language asked for. */
  readonly lead: string;
  readonly link: string;
  readonly image: string;
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The body of a news item: HTML with the tags of §2.7 only. Sentences of a language hold nothing to escape. */
export function contentHtml(texts: NewsTexts, story: Story): string {
  const roll = dice(story.source, 1);
  const layout = roll.pick(LAYOUTS);
  const first = roll.int(0, 3);
  const { bodies, caption } = texts;
  return layout({
    lead: escapeHtml(fill(story.lead, story.blanks)),
    bodies: [...bodies.slice(first), ...bodies.slice(0, first)],
    headings: texts.headings,
    items: texts.points.map((point) => `<li>${point}</li>`).join(''),
    closing: roll.pick(texts.closings),
    quote: roll.pick(texts.quotes),
    link: `<a href="${escapeHtml(story.link)}">${texts.source}</a>`,
    image: `<img src="${escapeHtml(story.image)}" alt="${caption}">`,
    caption,
  });
}

interface Parts {
  readonly lead: string;
  readonly bodies: readonly string[];
  readonly headings: readonly string[];
  readonly items: string;
  readonly closing: string;
  readonly quote: string;
  readonly link: string;
  readonly image: string;
  readonly caption: string;
}

/** Together they use every tag that may appear. */
const LAYOUTS: readonly ((parts: Parts) => string)[] = [
  ({ lead, bodies: [a, b], headings: [h, i, j], items, closing, link }) =>
    `<div><p>${lead}</p><h2>${h}</h2><p>${a}</p><h2>${i}</h2><p>${b}</p><ul>${items}</ul>` +
    `<h3>${j}</h3><p>${closing} ${link}</p></div>`,
  ({ lead, bodies: [a, b], quote, image, caption, closing }) =>
    `<p><strong>${lead}</strong></p><p>${a}<br>${b}</p><blockquote>${quote}</blockquote>` +
    `<figure><picture>${image}</picture><figcaption>${caption}</figcaption></figure><p>${closing}</p>`,
  ({ lead, bodies: [a, b, c], headings: [h, i], items, link }) =>
    `<h1>${h}</h1><p><span>${lead}</span></p><p>${a}</p><ol>${items}</ol><h4>${i}</h4>` +
    `<p><b>${b}</b> ${c}</p><p>${link}</p>`,
  ({ lead, bodies: [a, b], headings: [h, i], image, closing }) =>
    `<div><font color="#333333">${lead}</font></div><h5>${h}</h5><p>${a}</p><h6>${i}</h6>` +
    `<p>${b}</p>${image}<p><span>${closing}</span></p>`,
  ({ lead, bodies: [a], quote, link }) =>
    `<p>${lead}</p><blockquote><p>${quote}</p></blockquote><p>${a}</p><p>${link}</p>`,
];
