/** `<section>/<slug>`. That checks, rules and faults name one that exists is tested, and seen when suites are collected. */
export type RequirementId = `${number}/${string}` | `2.${number}/${string}`;
