import { createContext } from 'preact';
import type { Cause } from '../../analysis/causes.ts';
import type { Results } from '../../model/results.ts';

export interface PageContext {
  /** True when the page contains this exchange or requirement. */
  readonly holds: (id: string) => boolean;
  /** Copies a text and returns whether it succeeded; null without a script. */
  readonly copy: ((text: string) => Promise<boolean>) | null;
}

export const Page = createContext<PageContext>({ holds: () => true, copy: null });

export interface OfResults {
  readonly results: Results;
}

export interface OfCauses extends OfResults {
  readonly causes: readonly Cause[];
}
