import { createContext } from 'preact';
import type { Results } from '../../model/results.ts';

/** What components know about the page that they stand on. */
export interface PageContext {
  /** True when the page can show this exchange, so that a link to it leads somewhere. */
  readonly holds: (exchange: string) => boolean;
  /** Copies a text and says whether it could; null where no script runs. */
  readonly copy: ((text: string) => Promise<boolean>) | null;
}

export const Page = createContext<PageContext>({ holds: () => false, copy: null });

/** What most sections are made of. */
export interface OfResults {
  readonly results: Results;
}
