import { describe, expect, it } from 'vitest';
import { recentSecrets } from './recent-secrets.ts';

const KEY = 'canary-of-a-client-8f3a1c';

describe('credentials in endless traffic', () => {
  it('are found in the current request in every encoding', () => {
    const secrets = recentSecrets();
    secrets.begin();
    const shown = '[redacted:k:0123abcd]';
    secrets.note(KEY, shown);
    for (const text of [
      KEY,
      KEY.toUpperCase(),
      encodeURIComponent(KEY),
      Buffer.from(KEY).toString('hex'),
    ]) {
      expect(secrets.redact(`"${text}"`)).toBe(`"${shown}"`);
    }
    const nested = Buffer.from(encodeURIComponent(`%25${KEY}`)).toString('base64');
    const redacted = secrets.redact(nested);
    expect(redacted !== nested || secrets.leaks(redacted)).toBe(true);
  });

  it('are found in thousands of responses to other requests, wherever they stand alone', () => {
    const secrets = recentSecrets();
    const keys = Array.from({ length: 1500 }, (_, index) => `key-of-client-${index}-a7`);
    for (const key of keys) {
      secrets.begin();
      secrets.note(key, '[redacted]');
    }
    const [first = ''] = keys;
    for (const text of [`{"k":"${first}"}`, `/v1/currencies/${first}?a=${first}`, `a=${first};`]) {
      expect(secrets.redact(text)).not.toContain(first);
    }
    expect(secrets.redact('"base64+/=="')).toBe('"base64+/=="');
  });
});
