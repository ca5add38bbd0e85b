import type { VNode } from 'preact';
import type { Quotation } from '../quotation.ts';
import { text } from './parts.tsx';

interface QuotedProps {
  readonly quotations: readonly Quotation[];
  /** Characters of each that are shown. */
  readonly longest?: number;
}

/** What the specification says, in its own words, with the clause that says it. */
export function Quoted({ quotations, longest }: QuotedProps): VNode {
  return (
    <>
      {quotations.map((one) => (
        <blockquote class="quoted">
          <span class="note">{`Specification, ${one.clause}:`}</span> {text(one.text, longest)}
        </blockquote>
      ))}
    </>
  );
}
