import { VARIANTS } from '../variants/variants.ts';
import { dimension, type Choice, type ChoiceMaker, type Dimension } from './dimension.ts';

/** Further answers to the questions of variants: those with parameters, or with a change that only worlds make. */
export type FurtherAnswers = Readonly<
  Record<string, Readonly<Record<string, Choice | ChoiceMaker>>>
>;

/** Every question that variants answer, with their answers and further ones. */
export function allowedChoices(further: FurtherAnswers): readonly Dimension[] {
  return [...new Set(VARIANTS.map(({ question }) => question))].map((question) =>
    dimension(question.replaceAll(' ', '-'), 'plain', {
      ...Object.fromEntries(
        VARIANTS.filter((variant) => variant.question === question).map(({ id }) => [
          id,
          { variant: id },
        ]),
      ),
      ...further[question],
    }),
  );
}
