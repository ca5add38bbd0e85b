import type { Modification } from '../hooks.ts';
import type { Choice, Dimension } from './choice.ts';
import { CIRCUMSTANCES } from './circumstances.ts';
import { FIGURES } from './figures.ts';
import { LIMITS } from './limits.ts';
import { LISTS } from './lists.ts';
import { NAMES } from './names.ts';
import { NEWS } from './news.ts';
import { REFUSALS } from './refusals.ts';
import { REQUESTS } from './requests.ts';
import { ROWS } from './rows.ts';
import { SIZES } from './sizes.ts';
import { ENVELOPE, TRANSPORT } from './transport.ts';

/**
 * Questions that the specification leaves open, in the order in which answers apply: data before answers, the network last.
 * Besides the variants there is only what the worlds of the independent service (`test/proof/independent`) do not have.
 */
export const DIMENSIONS: readonly Dimension[] = [
  ...SIZES,
  ...NAMES,
  ...NEWS,
  ...ROWS,
  ...FIGURES,
  ...REQUESTS,
  ...LISTS,
  ...REFUSALS,
  ...LIMITS,
  ...ENVELOPE,
  ...CIRCUMSTANCES,
  ...TRANSPORT,
];

/** What a choice changes of the server. */
export function modificationOf(choice: Choice): Modification {
  const { settings, envelope, hooks = [] } = choice;
  return {
    hooks: [choice, ...hooks],
    ...(settings !== undefined && { settings }),
    ...(envelope !== undefined && { envelope }),
  };
}

/** A choice that users can start a server with, by its name. */
export interface Variant extends Modification {
  readonly id: string;
  readonly title: string;
  /** The question it answers; variants with the same question exclude each other. */
  readonly question: string;
}

/** The variants among the answers to some questions. */
export const variantsOf = (dimensions: readonly Dimension[]): readonly Variant[] =>
  dimensions.flatMap(({ name, choices }) =>
    [...choices].flatMap(([id, choice]): readonly Variant[] => {
      if (choice.variant === undefined) return [];
      const question = name.replaceAll('-', ' ');
      return [{ id, title: choice.variant, question, ...modificationOf(choice) }];
    }),
  );

export const VARIANTS: readonly Variant[] = variantsOf(DIMENSIONS);
