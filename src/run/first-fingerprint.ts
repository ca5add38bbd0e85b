import { createHash } from 'node:crypto';
import FIRST from './first-sentences.json' with { type: 'json' };
import { firstPlace } from '../report/model/fingerprint.ts';
import { messageOf, type FindingKind } from '../judge/messages.ts';
import type { RequirementResult, ResultFinding } from '../report/model/results.ts';
import { shape } from '../report/model/shape.ts';
import type { Exchange } from '../spec/exchange.ts';
import { parsedJson, withoutIndexes } from '../text/json-value.ts';
import { requestName } from '../judge/view.ts';

/** Sentences of version 1 that were reworded since, by kind. */
const REWORDED: Readonly<Partial<Record<string, string>>> = FIRST.sentences;

/** A text with the phrases that version 1 used. */
const withPhrases = (text: string): string =>
  FIRST.phrases.reduce(
    (before, [phrase = '', old = '']) => before.replace(new RegExp(phrase), old),
    text,
  );

/** True for a fingerprint of version 1, which was made of sentences. */
export const isFirst = (evidence: string): boolean => !evidence.startsWith('e2-');

/**
 * Whether a violated requirement has this fingerprint of version 1, so that waivers of that version hold until they expire
 * or are upgraded. The module goes with the last of them.
 */
export function hasFirst(
  evidence: string,
  requirement: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
): boolean {
  const lines = requirement.findings.map((finding) =>
    lineOf(finding, requirement.section, exchanges),
  );
  // Findings of the judgement alone were kept up to this number.
  return [lines, lines.slice(0, 20)].some((kept) => {
    const text = [requirement.id, ...[...new Set(kept)].toSorted()].join('\n');
    return evidence === `e-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  });
}

function lineOf(
  finding: ResultFinding,
  section: string,
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const exchange = exchanges.get(finding.exchange ?? '');
  return JSON.stringify([
    shape(sentenceOf(finding, exchange)),
    shape(withPhrases(finding.expected)),
    typeIn(withPhrases(finding.actual)),
    withoutIndexes(firstPlace(finding, exchange).pointer ?? ''),
    section === '8' ? '' : (exchange?.endpoint ?? ''),
    exchange?.response?.status ?? 0,
  ]);
}

function sentenceOf({ kind, facts, message }: ResultFinding, exchange?: Exchange): string {
  const before = REWORDED[kind ?? ''];
  if (before === undefined || exchange === undefined) return withPhrases(message);
  const told = Object.entries(facts ?? {}).map(([name, fact]): [string, string | number] => [
    name,
    name === 'because' ? becauseOf(String(fact), exchange) : asBefore(fact),
  ]);
  return messageOf(
    kind as FindingKind,
    requestName({ exchange }),
    Object.fromEntries(told),
    before,
  );
}

const asBefore = (fact: string | number): string | number =>
  typeof fact === 'string' ? withPhrases(fact) : fact;

/** Version 1 named the restricted key in every finding, and nothing that is wrong in a path. */
function becauseOf(text: string, { role }: Exchange): string {
  if (role === 'restricted') return 'with the restricted key ';
  return FIRST.ofPaths.includes(text) ? '' : withPhrases(text);
}

/** The type of the value that a text shows. */
function typeIn(actual: string): string {
  const named = /\((string|number|boolean)\)$/.exec(actual.trim())?.[1];
  if (named !== undefined) return named;
  const value = parsedJson(actual);
  return value === undefined
    ? shape(actual.replace(/^an (?=array of |object with )/, ''))
    : typeof value;
}
