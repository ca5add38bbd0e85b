import type { Rule } from './judgement.ts';
import { fieldRequirement } from './schemas.ts';
import { isObject } from './view.ts';

/** §2, ruling 3: fields beyond the stated ones are recorded. */
const extraFields: Rule = {
  name: 'extra-fields',
  requirements: ['2/extra-fields'],
  each(view, _context, into) {
    const { resource } = view;
    if (resource === null || view.records.length === 0) return;
    const extra = new Set<string>();
    for (const { value } of view.records) {
      if (!isObject(value)) continue;
      for (const key of Object.keys(value)) {
        if (fieldRequirement(resource, `/${key}`) === undefined) extra.add(key);
      }
    }
    into.collect(
      `Fields that the specification does not name of ${resource}`,
      [...extra],
      view,
      '2/extra-fields',
    );
  },
};

export const EXTRA_FIELD_RULES: readonly Rule[] = [extraFields];
