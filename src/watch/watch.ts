import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectTimeout, tlsSettings } from '../http/dispatcher.ts';
import type { Results } from '../report/model/results.ts';
import { holdFolder, type HeldFolder } from '../run/journal/output-lock.ts';
import { eventOf, type RunEvent } from '../run/events.ts';
import { Feed, type FeedState } from './feed.ts';
import { judgeLink, type JudgeLink, type Ready } from './judge-link.ts';
import { livePage, type Shown } from './live-page.ts';
import type { ThreadOptions } from './judge-thread.ts';
import { listenAt, type ListenAddress } from '../run/listen-address.ts';
import { watchProxy, type ServerCertificate, type WatchProxy } from './proxy.ts';
import { Store } from './store.ts';
import { WatchError } from './watch-error.ts';

export interface WatchOptions extends ThreadOptions {
  /** The owner of the output folder, named in errors of other processes. */
  readonly owner: string;
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
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null;
  /** Number of connections that were reset because they did not end in time. */
  readonly cut: number;
}

/** Proxies traffic to a target and judges it until it is stopped. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #link: JudgeLink;
  readonly #page: Server | null;
  #held: HeldFolder | null = null;
  #proxy: WatchProxy | null = null;
  #feed: Feed | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isReporting = false;
  #address: AddressInfo | null = null;
  #pageAddress: AddressInfo | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
    const { target, settings, output, formats, page } = options;
    this.#link = judgeLink({ target, settings, output, formats }, (said) => {
      if (said.type === 'say') options.say(said.line);
      else options.onEvent?.(said.event);
    });
    this.#page =
      page &&
      livePage({
        shown: () => this.#shown(),
        evidence: (id) => this.#link.call('evidence', id),
      });
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
   * Locks the output folder, and starts to listen.
   * @throws FolderInUse and JournalError; WatchError if it cannot listen, or the state of an earlier watch cannot be used
   */
  async start(): Promise<Ready> {
    const { output, owner, say } = this.#options;
    this.#held = await holdFolder(output, owner);
    for (const line of this.#held.said) say(line);
    try {
      return await this.#start();
    } catch (error) {
      await this.#proxy?.close(0).catch(() => undefined);
      await this.#link.stop();
      this.#held.release();
      throw error;
    }
  }

  async #start(): Promise<Ready> {
    const { target, listen, certificate, output, page, host, fresh } = this.#options;
    const url = new URL(target.baseUrl);
    if (fresh) Store.forget(output);
    const ready = await this.#link.start();
    const { taken, judged } = ready;
    this.#feed = new Feed(this.#link.call, ready.number, (state) => this.#onSampling(state));
    const upstream = {
      url,
      host: host === 'target' ? url.host : null,
      tls: tlsSettings(target.http),
      connectTimeoutMs: connectTimeout(target.http.timeoutMs),
    };
    this.#proxy = watchProxy({ ...listen, upstream, onlooker: this.#feed, certificate });
    this.#address = await listening(this.#proxy.listen(), listen, '--listen');
    if (page !== null && this.#page !== null)
      this.#pageAddress = await listening(listenAt(this.#page, page), page, '--page');
    this.#event('watch', {
      target: { baseUrl: target.baseUrl },
      listen: addressText(this.#address),
      page: this.#pageAddress === null ? null : addressText(this.#pageAddress),
      output,
      taken,
      judged,
    });
    const { reportEveryMs } = this.#options;
    if (reportEveryMs !== null)
      this.#timer = setInterval(() => {
        // Where a report takes longer than the interval, they would pile up, and the end would wait for all of them.
        if (!this.#isReporting) void this.report();
      }, reportEveryMs);
    return ready;
  }

  /** Writes reports of the current state. */
  async report(): Promise<void> {
    this.#feed?.flush();
    this.#isReporting = true;
    const { files, error } = (await this.#link.call('report')) ?? {};
    this.#isReporting = false;
    if (files === undefined) return;
    if (error == null) this.#event('report', { output: this.#options.output, files });
    else this.#options.say(error.message);
  }

  /** Stops accepting connections, judges the rest and writes the reports. */
  async stop(): Promise<WatchEnd> {
    const { drainMs, output } = this.#options;
    clearInterval(this.#timer);
    const cut = (await this.#proxy?.close(drainMs)) ?? 0;
    this.#feed?.flush();
    const finished = await this.#link.call('finish');
    await this.#link.stop();
    this.#page?.close();
    this.#page?.closeAllConnections();
    this.#held?.release();
    const { results = null, files = [], error = null } = finished ?? {};
    if (results !== null) {
      const { verdict, exitCode, sentence, summary, requests } = results;
      const content = { verdict, exitCode, sentence, summary, requests, output };
      this.#event('verdict', { ...content, files: [...files] });
    }
    return { results, files, error, cut };
  }

  /** The state that the live page shows. */
  async #shown(): Promise<Shown | undefined> {
    const snapshot = await this.#link.call('snapshot');
    const { sampled = 0, isSampling = false } = this.#feed?.state ?? {};
    return snapshot && { ...snapshot, sampled, isSampling, connections: this.#proxy?.open() ?? 0 };
  }

  #onSampling({ sampled, isSampling }: FeedState): void {
    this.#event('sampling', { sampled, began: isSampling });
    this.#options.say(
      isSampling
        ? 'The judge is behind and skips exchanges until it has caught up. Traffic is not affected.'
        : `The judge has caught up. ${sampled} exchanges skipped so far.`,
    );
  }

  #event(type: RunEvent['type'], content: Readonly<Record<string, unknown>>): void {
    this.#options.onEvent?.(eventOf(type, content));
  }
}

/** Host and port, formatted for a URL. */
function addressText(address: AddressInfo | null): string {
  if (address === null) return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}

/** Why an address cannot be used, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'not an address of this machine',
  ENOTFOUND: 'not an address of this machine',
};

async function listening(
  address: Promise<AddressInfo>,
  { host, port }: ListenAddress,
  flag: string,
): Promise<AddressInfo> {
  try {
    return await address;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new WatchError(
      'ASSAY_WATCH_LISTEN',
      `Cannot listen on ${flag} ${host}:${port}: ${REASONS[code] ?? message}. No traffic was proxied.`,
      code === 'EADDRINUSE'
        ? 'Stop the other program, or choose another port (0 for any free one).'
        : 'Use an address of this machine and a port above 1023, such as 127.0.0.1:8080.',
    );
  }
}
