import type { Exchange } from '../spec/exchange.ts';
import type { PageData } from '../report/page/page-data.ts';

/** Maximum cached chunks. */
const KEPT = 12;
const chunks = new Map<number, Promise<readonly Exchange[]>>();

/** The text of a `<template data-chunk>`: base64 of raw deflate of JSON. */
async function decode(name: string): Promise<unknown> {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-chunk="${name}"]`);
  if (template === null) throw new Error(`No page data named ${name}.`);
  const binary = atob(template.content.textContent ?? '');
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text()) as unknown;
}

/** The index of the page. */
export async function loadIndex(): Promise<PageData> {
  return (await decode('index')) as PageData;
}

/** One exchange in full; undefined when the page does not contain it. */
export async function loadExchange(data: PageData, id: string): Promise<Exchange | undefined> {
  const row = data.exchanges.find(([name]) => name === id);
  if (row === undefined) return undefined;
  const number = row[8];
  let chunk = chunks.get(number);
  if (chunk === undefined) {
    chunk = decode(String(number)) as Promise<readonly Exchange[]>;
    chunks.set(number, chunk);
    const [oldest] = chunks.keys();
    if (chunks.size > KEPT && oldest !== undefined) chunks.delete(oldest);
  }
  return (await chunk).find((exchange) => exchange.id === id);
}
