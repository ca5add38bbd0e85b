import type { AddressInfo } from 'node:net';
import { connectTimeout, tlsSettings } from '../http/dispatcher.ts';
import type { Results } from '../report/model/results.ts';
import type { RunEvent } from '../run/events.ts';
import { watchEvent } from '../run/watch-events.ts';
import { Feed, type FeedState } from './feed.ts';
import { JudgeLink, type Finished, type OnMessage, type Ready } from './judge-link.ts';
import { LivePage } from './live-page.ts';
import type { ThreadOptions } from './messages.ts';
import type { ListenAddress } from '../run/listen-address.ts';
import { WatchProxy, type ServerCertificate } from './proxy.ts';
import { Store } from './store.ts';
import { Upstream } from './upstream.ts';
import { WatchError } from './watch-error.ts';

export interface WatchOptions extends ThreadOptions {
  readonly listen: ListenAddress;
  /** Listen address of the live page; null for none. */
  readonly page: ListenAddress | null;
  /** TLS certificate and key for clients; null for plain HTTP. */
  readonly certificate: ServerCertificate | null;
  /** `keep` forwards the `Host` of the clients, `target` replaces it with that of the target. */
  readonly host: 'keep' | 'target';
  /** True deletes the state of an earlier watch. */
  readonly fresh: boolean;
  /** Time for requests in flight when the watch is stopped, ms. */
  readonly drainMs: number;
  /** Interval of reports, ms; null for reports at the end only. */
  readonly reportEveryMs: number | null;
  /** Called with messages for the user, one line each. */
  readonly say: (line: string) => void;
  /** Called with the events of `--events`. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Result of a watch. */
export interface WatchEnd {
  /** Null if the judge crashed. */
  readonly results: Results | null;
  readonly files: readonly string[];
  /** Why reports are missing, if any are. */
  readonly error: Finished['error'];
  /** Number of connections that were reset because they did not end in time. */
  readonly cut: number;
}

/** Update interval of the live page, ms. */
const PAGE_MS = 1000;

/** Proxies traffic to a target and judges it until it is stopped. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #link: JudgeLink;
  readonly #page: LivePage | null;
  #proxy: WatchProxy | null = null;
  #feed: Feed | null = null;
  #timers: NodeJS.Timeout[] = [];
  #address: AddressInfo | null = null;
  #pageAddress: AddressInfo | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
    const { target, settings, output, formats } = options;
    const given = { target, settings, output, formats };
    this.#link = new JudgeLink(given, (message) => this.#take(message));
    this.#page =
      options.page === null ? null : new LivePage(options.page, (id) => this.#link.evidence(id));
  }

  /** URL for clients: scheme, host and port. */
  get listen(): string {
    return `${this.#options.certificate === null ? 'http' : 'https'}://${addressText(this.#address)}`;
  }

  /** URL of the live page; null without one. */
  get page(): string | null {
    return this.#pageAddress === null ? null : `http://${addressText(this.#pageAddress)}/`;
  }

  /**
   * Starts to listen.
   * @throws WatchError if it cannot listen, or the state of an earlier watch cannot be used
   */
  async start(): Promise<Ready> {
    const { target, listen, certificate, output } = this.#options;
    const url = new URL(target.baseUrl);
    if (this.#options.fresh) Store.forget(output);
    const upstream = new Upstream({
      url,
      host: this.#options.host === 'target' ? url.host : null,
      tls: tlsSettings(target.http),
      connectTimeoutMs: connectTimeout(target.http.timeoutMs),
    });
    const ready = await this.#link.start();
    this.#feed = new Feed(
      (message) => this.#link.send(message),
      ready.number,
      (state) => this.#onSampling(state),
    );
    this.#proxy = new WatchProxy({ ...listen, upstream, onlooker: this.#feed, certificate });
    try {
      this.#address = await listening(() => this.#proxy?.listen(), listen, '--listen');
      const page = this.#options.page;
      if (page !== null) {
        this.#pageAddress = await listening(() => this.#page?.listen(), page, '--page');
      }
    } catch (error) {
      await this.#proxy.close(0).catch(() => undefined);
      await this.#link.finish();
      throw error;
    }
    this.#event('watch', this.#begun(ready));
    this.#startTimers();
    return ready;
  }

  /** Writes reports of the current state. */
  report(): void {
    this.#feed?.flush();
    this.#link.send({ type: 'report' });
  }

  /** Stops accepting connections, judges the rest and writes the reports. */
  async stop(): Promise<WatchEnd> {
    const { drainMs, output } = this.#options;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    const cut = (await this.#proxy?.close(drainMs)) ?? 0;
    this.#feed?.flush();
    const finished = await this.#link.finish();
    await this.#page?.close();
    const { results = null, files = [], error = null } = finished ?? {};
    if (results !== null) {
      const { verdict, exitCode, sentence, summary, requests } = results;
      this.#event('verdict', {
        verdict,
        exitCode,
        sentence,
        summary,
        requests,
        output,
        files: [...files],
      });
    }
    return { results, files, error, cut };
  }

  #startTimers(): void {
    const every = (ms: number, work: () => void): void => {
      const timer = setInterval(work, ms);
      timer.unref();
      this.#timers.push(timer);
    };
    every(PAGE_MS, () => {
      if (this.#page?.isWatched === true) this.#link.send({ type: 'snapshot' });
    });
    const { reportEveryMs } = this.#options;
    if (reportEveryMs !== null) every(reportEveryMs, () => this.report());
  }

  #take(message: Parameters<OnMessage>[0]): void {
    switch (message.type) {
      case 'done':
        this.#feed?.done(message.exchanges, message.bytes);
        break;
      case 'event':
        this.#options.onEvent?.(message.event);
        break;
      case 'say':
        this.#options.say(message.line);
        break;
      case 'snapshot': {
        const { sampled = 0, isSampling = false } = this.#feed?.state ?? {};
        const connections = this.#proxy?.open ?? 0;
        this.#page?.show({ ...message.snapshot, sampled, isSampling, connections });
        break;
      }
      case 'reported':
        this.#event('report', { output: this.#options.output, files: message.files });
        break;
      case 'restarted':
        this.#feed?.restart();
        break;
      default:
    }
  }

  #onSampling({ sampled, isSampling }: FeedState): void {
    this.#event('sampling', { sampled, began: isSampling });
    this.#options.say(
      isSampling
        ? 'The judge is behind and skips exchanges until it has caught up. Traffic is not affected.'
        : `The judge has caught up. ${sampled} exchanges skipped so far.`,
    );
  }

  #begun({ taken, judged }: Ready): Readonly<Record<string, unknown>> {
    const { target, output } = this.#options;
    return {
      target: { baseUrl: target.baseUrl },
      listen: addressText(this.#address),
      page: this.#pageAddress === null ? null : addressText(this.#pageAddress),
      output,
      taken,
      judged,
    };
  }

  #event(type: RunEvent['type'], content: Readonly<Record<string, unknown>>): void {
    this.#options.onEvent?.(watchEvent(type, content));
  }
}

/** Host and port, formatted for a URL. */
function addressText(address: AddressInfo | null): string {
  if (address === null) return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}

async function listening(
  listen: () => Promise<AddressInfo> | undefined,
  { host, port }: ListenAddress,
  flag: string,
): Promise<AddressInfo | null> {
  try {
    return (await listen()) ?? null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why =
      code === 'EADDRINUSE'
        ? 'the port is in use'
        : code === 'EACCES'
          ? 'permission denied'
          : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
            ? 'not an address of this machine'
            : (error as Error).message;
    throw new WatchError(
      'ASSAY_WATCH_LISTEN',
      `Cannot listen on ${flag} ${host}:${port}: ${why}. No traffic was proxied.`,
      code === 'EADDRINUSE'
        ? 'Stop the other program, or choose another port (0 for any free one).'
        : 'Use an address of this machine and a port above 1023, such as 127.0.0.1:8080.',
    );
  }
}
