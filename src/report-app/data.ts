import type { Exchange } from '../spec/exchange.ts';
import type { ExchangeRow, PageData } from '../report/page/page-data.ts';

/** The content of a `<template data-chunk>`: base64 of raw deflate of JSON. */
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
export const loadIndex = async (): Promise<PageData> => (await decode('index')) as PageData;

/** The exchange of a row in full. */
export async function loadExchange(row: ExchangeRow): Promise<Exchange> {
  const [id, , , , , , , , chunk] = row;
  const exchanges = (await decode(String(chunk))) as readonly Exchange[];
  const exchange = exchanges.find((one) => one.id === id);
  if (exchange === undefined) throw new Error(`No exchange ${id} in chunk ${chunk}.`);
  return exchange;
}
