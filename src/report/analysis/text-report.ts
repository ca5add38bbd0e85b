import type { Head, HeadLine } from '../model/head.ts';
import type { Outcome } from '../model/results.ts';

/** A report as text, before it is laid out for a terminal or as Markdown. */
export interface TextReport extends Pick<Head, 'title' | 'tone' | 'sentence'> {
  /** Why the exit code is not 0, and what is waived, each with its ids. */
  readonly lines: readonly Pick<HeadLine, 'text' | 'ids'>[];
  readonly parts: readonly Part[];
  /** Where the entries are that are left out. */
  readonly rest: string;
  readonly facts: readonly Fact[];
  /** Repeats the result, which long lists push out of sight. */
  readonly end: string;
}

export interface Part {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** What the entries are: a cause, a reason. */
  readonly noun: string;
}

/** Something that was found. */
export interface Entry {
  readonly mark: string;
  readonly tone: Outcome;
  readonly text: string;
  /** `value`: may contain text from the target. */
  readonly is: 'prose' | 'value';
  readonly facts: readonly Fact[];
}

/** One labelled fact, the same in every format. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** `location` and `command` also may contain text from the target, and are never wrapped, so that they can be copied. */
  readonly is: Entry['is'] | 'location' | 'command';
}

/** An entry that only says something. */
export const remark = (text: string, facts: readonly Fact[] = []): Entry => ({
  mark: '',
  tone: 'observed',
  text,
  is: 'prose',
  facts,
});

/** A list of one fact, or of none when there is nothing to say. */
export const fact = (label: string, text: string, is: Fact['is'] = 'prose'): readonly Fact[] =>
  text === '' ? [] : [{ label, text, is }];
