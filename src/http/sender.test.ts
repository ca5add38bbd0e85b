import { describe, expect, it } from 'vitest';
import type { Exchange, TransportError } from '../spec/exchange.ts';
import { repeatReason } from './sender.ts';

function answered(method: string, status: number): Exchange {
  const response = { status, headers: {}, text: '', bytes: 0 };
  return { request: { method }, response, error: null } as unknown as Exchange;
}

function failed(method: string, kind: TransportError['kind']): Exchange {
  return { request: { method }, response: null, error: { kind } } as unknown as Exchange;
}

describe('an exchange is retried', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])(
    'when the network lost the answer to %s',
    (method) => {
      expect(repeatReason(failed(method, 'reset'))).toBe('failure');
      expect(repeatReason(failed(method, 'tls'))).toBeNull();
    },
  );

  it('when the service is unavailable or refuses a window that should have room', () => {
    expect(repeatReason(answered('GET', 503))).toBe('failure');
    expect(repeatReason(answered('GET', 429))).toBe('limited');
    expect(repeatReason(answered('GET', 500))).toBeNull();
    expect(repeatReason(answered('HEAD', 429))).toBeNull();
  });
});
