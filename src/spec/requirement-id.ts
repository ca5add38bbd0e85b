/** `<section>/<slug>`. That checks, rules and faults name one that exists is tested, and seen when suites are collected. */
export type RequirementId = `${number}/${string}` | `2.${number}/${string}`;

/** The section of the specification that an id begins with. */
export const sectionOf = (id: RequirementId): string => id.slice(0, id.indexOf('/'));
