import type { Rule } from './judgement.ts';
import { fieldRequirement } from './schemas.ts';
import { isObject } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const EXTRA_FIELDS = criteria('extraFields');

/** §2, ruling 3: fields beyond the stated ones are recorded. */
const extraFields: Rule = {
  name: 'extra-fields',
  judges: [EXTRA_FIELDS.extraFields],
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
      EXTRA_FIELDS.extraFields,
    );
  },
};

export const EXTRA_FIELD_RULES: readonly Rule[] = [extraFields];
