import type { Cause } from '../analysis/causes.ts';
import type { PreviousAnswer } from '../model/diff.ts';
import type { RequirementResult, WaiverResult } from '../model/results.ts';

/**
 * The data for the script: an index that is read at once, and exchanges in chunks that are read on demand. Both are JSON,
 * compressed (raw deflate) and base64-encoded inside `<template data-chunk>`, so that it is never parsed as markup.
 */
export interface PageData {
  readonly baseUrl: string;
  readonly startedAt: string;
  /** Environment variables with the keys, by the names of the keys in exchanges. */
  readonly keyVariables: Readonly<Record<string, string>>;
  /** What to fill in before the commands work; null when nothing. */
  readonly rerunNote: string | null;
  readonly requirements: readonly PageRequirement[];
  readonly exchanges: readonly ExchangeRow[];
  readonly endpoints: readonly string[];
  readonly causes: readonly PageCause[];
  readonly waivers: readonly WaiverResult[];
  readonly answers: readonly PreviousAnswer[];
  readonly proof: { readonly given: boolean; readonly sentence: string };
}

export interface PageRequirement extends RequirementResult {
  readonly words: string;
  readonly rerun: string;
  /** What a rerun needs besides. */
  readonly quotaNote: string | null;
  /** Outcomes in earlier runs in words; null when it was never violated. */
  readonly history: string | null;
  readonly clauses: readonly string[];
  readonly rulings: readonly (readonly [number: number, text: string])[];
  readonly proof: readonly string[];
  readonly isNew: boolean;
}

export interface PageCause extends Pick<Cause, 'id' | 'outcome' | 'message'> {
  /** The first part of an issue, before the exchange, as Markdown. */
  readonly issue: string;
  /** Id of the exchange that shows it; null for findings about a whole run. */
  readonly exchange: string | null;
  readonly requirements: readonly string[];
  /** False for what only a load scenario found, which no waiver is about. */
  readonly isWaivable: boolean;
}

/** One exchange in the index. */
export type ExchangeRow = readonly [
  id: string,
  method: string,
  /** Path and query as sent. */
  target: string,
  /** 0 without a response. */
  status: number,
  ms: number,
  role: string,
  /** Position in `endpoints`; -1 for other paths. */
  endpoint: number,
  /** Code of the error body; 0 without one. */
  code: number,
  chunk: number,
];
