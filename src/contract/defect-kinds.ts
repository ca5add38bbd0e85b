/** Kinds of defects, from what any validator sees to what only the meaning of the data shows. */
export const DEFECT_KINDS = [
  'schema',
  'headers',
  'status and errors',
  'validation',
  'authentication and limits',
  'filters and windows',
  'paging and order',
  'values and relations',
] as const;

export type DefectKind = (typeof DEFECT_KINDS)[number];
