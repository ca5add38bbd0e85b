import type { PreviousAnswer } from './diff-answers.ts';
import type { RequirementResult } from './results.ts';

/**
 * What the page hands to its explorer: an index that is read at once, and exchanges in chunks that are read when one of
 * them is looked at. Both travel as JSON, compressed (raw deflate) and in base64, inside `<template data-chunk>`: text
 * that no parser of HTML ever sees as markup.
 */
export interface PageData {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly seed: number;
  /** `assay run …` of this target and seed, to which `--only ID` is added. */
  readonly rerun: string;
  readonly requirements: readonly PageRequirement[];
  readonly exchanges: readonly ExchangeRow[];
  readonly endpoints: readonly string[];
  readonly causes: readonly PageCause[];
  readonly answers: readonly PreviousAnswer[];
}

export interface PageRequirement extends RequirementResult {
  readonly clauses: readonly string[];
  /** Texts of the rulings that decide how it is judged, with their numbers. */
  readonly rulings: readonly (readonly [number: number, text: string])[];
  readonly proof: readonly string[];
  /** Fingerprint of the evidence against it; null when nothing was found. */
  readonly fingerprint: string | null;
  readonly isNew: boolean;
}

export interface PageCause {
  readonly id: string;
  readonly message: string;
  /** Ids of the requirements touched. */
  readonly requirements: readonly string[];
}

/** One exchange in the index. */
export type ExchangeRow = readonly [
  id: string,
  method: string,
  /** Path and query as sent. */
  target: string,
  /** 0 when no answer arrived. */
  status: number,
  ms: number,
  role: string,
  /** Position in `endpoints`; -1 for other paths. */
  endpoint: number,
  /** Code of the error body; 0 when there is none. */
  code: number,
  /** Chunk that holds the exchange. */
  chunk: number,
];
