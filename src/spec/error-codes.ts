/** The error codes of §7. */
export interface ErrorCode {
  /** Six-digit code of the reference table. */
  readonly code: number;
  /** Five-digit form: the same code with one zero less (§7 note 1, ruling 6). */
  readonly twin: number;
  readonly status: number;
  readonly meaning: string;
}

export const ERRORS = {
  invalidFormat: { code: 400001, twin: 40001, status: 400, meaning: 'invalid parameter format' },
  missingParameter: {
    code: 400002,
    twin: 40002,
    status: 400,
    meaning: 'missing required parameter',
  },
  invalidValue: { code: 400003, twin: 40003, status: 400, meaning: 'invalid parameter value' },
  invalidKey: { code: 400101, twin: 40101, status: 401, meaning: 'invalid API key' },
  expiredKey: { code: 400102, twin: 40102, status: 401, meaning: 'API key expired' },
  forbidden: { code: 400301, twin: 40301, status: 403, meaning: 'insufficient permissions' },
  notFound: { code: 400401, twin: 40401, status: 404, meaning: 'resource not found' },
  unknownEndpoint: { code: 400402, twin: 40402, status: 404, meaning: 'endpoint not found' },
  tooManyRequests: { code: 402901, twin: 42901, status: 429, meaning: 'too many requests' },
  internal: { code: 500001, twin: 50001, status: 500, meaning: 'internal server error' },
  unavailable: {
    code: 500301,
    twin: 50301,
    status: 503,
    meaning: 'service temporarily unavailable',
  },
} as const satisfies Record<string, ErrorCode>;
export type ErrorName = keyof typeof ERRORS;

const byCode = new Map<number, ErrorName>();
for (const name of Object.keys(ERRORS) as ErrorName[]) {
  byCode.set(ERRORS[name].code, name);
  byCode.set(ERRORS[name].twin, name);
}

/** The error for a code in either form; `undefined` when it is not in §7. */
export function errorNamed(code: number): ErrorName | undefined {
  return byCode.get(code);
}

/** The form of an error code (§7 note 1). */
export function codeForm(code: number): 'six-digit' | 'five-digit' | 'unknown' {
  const name = byCode.get(code);
  if (name === undefined) return 'unknown';
  return ERRORS[name].code === code ? 'six-digit' : 'five-digit';
}
