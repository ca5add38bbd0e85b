/** Formats of `--format`. */
export const FORMATS = ['html', 'html-dir', 'json', 'junit', 'ctrf', 'md', 'har', 'sarif'] as const;

/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];
