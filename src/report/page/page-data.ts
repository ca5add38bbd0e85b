import type { NamedCommand } from '../analysis/commands.ts';
import type { PreviousAnswer } from '../model/diff-answers.ts';
import type {
  Outcome,
  OutcomeHistory,
  RequirementResult,
  ResultFinding,
  WaiverResult,
} from '../model/results.ts';

/**
 * What the page hands to its explorer: an index that is read at once, and exchanges in chunks that are read when one of
 * them is looked at. Both travel as JSON, compressed (raw deflate) and in base64, inside `<template data-chunk>`: text
 * that no parser of HTML ever sees as markup.
 */
export interface PageData {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly seed: number;
  /** Environment variables that held the keys, by the names that exchanges have for them. */
  readonly keyVariables: Readonly<Record<string, string>>;
  /** What has to be filled in before the commands of requirements work; null when nothing. */
  readonly rerunNote: string | null;
  /** Earlier runs of the same target, the oldest first. */
  readonly historyRuns: OutcomeHistory['runs'];
  readonly requirements: readonly PageRequirement[];
  readonly exchanges: readonly ExchangeRow[];
  readonly endpoints: readonly string[];
  readonly causes: readonly PageCause[];
  /** What became of the entries of the waiver file; empty without one. */
  readonly waivers: readonly WaiverResult[];
  readonly answers: readonly PreviousAnswer[];
  /** How far the checks were shown to be able to fail. */
  readonly proof: { readonly given: boolean; readonly sentence: string };
}

export interface PageRequirement extends RequirementResult {
  /** How it stands, in one sentence. */
  readonly words: string;
  /** The command that judges it again. */
  readonly rerun: string;
  /** The command that judges the one case again that a property found; null when no property did. */
  readonly rerunCase: string | null;
  /** Findings, each once, without the commands in their messages. */
  readonly findings: readonly ResultFinding[];
  /** Outcomes in the earlier runs, and what they come to in words; null when there is nothing to tell. */
  readonly history: {
    readonly words: string | null;
    readonly past: readonly (Outcome | null)[];
  } | null;
  readonly clauses: readonly string[];
  /** Texts of the rulings that decide how it is judged, with their numbers. */
  readonly rulings: readonly (readonly [number: number, text: string])[];
  readonly proof: readonly string[];
  /** Fingerprint of what speaks against it, or keeps it from being judged; null when nothing does. */
  readonly fingerprint: string | null;
  readonly isNew: boolean;
}

export interface PageCause {
  readonly id: string;
  readonly outcome: Outcome;
  readonly message: string;
  /** Commands that show it again. */
  readonly commands: readonly NamedCommand[];
  /** What an issue says about it before it shows the exchange, as Markdown. */
  readonly issue: string;
  /** Id of the exchange that shows it; null for what a whole run shows. */
  readonly exchange: string | null;
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
