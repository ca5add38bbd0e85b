/** `<section>/<slug>`. Tests verify that checks, rules and faults use existing ids. */
export type RequirementId = `${number}/${string}` | `2.${number}/${string}`;

/** The section of an id. */
export const sectionOf = (id: RequirementId): string => id.slice(0, id.indexOf('/'));
