import type { Dimension } from './dimension.ts';

/** What lies between the service and its clients. */
export const TRANSPORT_CHOICES = {
  latency: { title: 'Latency', values: ['0', '5', '20', '150', '800'], rare: true },
  'keep-alive': { title: 'Idle connections', values: ['5s', '1s', 'none'] },
  framing: { title: 'Length of bodies', values: ['length', 'chunked', 'slices'] },
  compression: { title: 'Compression when accepted', values: ['none', 'gzip', 'brotli'] },
  'content-type': {
    title: 'Content type',
    values: ['plain', 'utf-8', 'upper', 'semicolon', 'quoted'],
  },
  'json-text': {
    title: 'Layout of bodies',
    values: ['compact', 'pretty', 'escaped', 'newline', 'leading-blank'],
  },
  etag: { title: 'Validators', values: ['none', 'etag', 'last-modified'] },
  cdn: { title: 'Headers of a CDN', values: ['none', 'some', 'cookies'] },
  firewall: { title: 'A firewall for hostile texts', values: ['none', 'html-403', 'html-406'] },
  drops: { title: 'A connection reset now and then', values: ['never', 'one-in-fifty'] },
  date: { title: 'Date header', values: ['right', 'none', 'proxy'] },
  'clock-off': {
    title: 'Server clock against real time, seconds',
    values: ['0', '-3', '3', '-30', '30', '-58', '58'],
  },
  instances: { title: 'Instances behind a balancer', values: ['1', '2', '5'] },
} as const satisfies Record<string, Dimension>;
