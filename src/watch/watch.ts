import type { AddressInfo } from 'node:net';
import { connectTimeout, tlsSettings } from '../http/dispatcher.ts';
import { holdFolder } from '../run/journal/output-lock.ts';
import { eventOf, type RunEvent } from '../run/events.ts';
import { feedOf } from './feed.ts';
import { judgeLink } from './judge-link.ts';
import { livePage } from './live-page.ts';
import type { ThreadOptions } from './judge-thread.ts';
import { listenAt, type ListenAddress } from '../run/listen-address.ts';
import { watchProxy, type ServerCertificate, type WatchProxy } from './proxy.ts';
import { forgetStore } from './store.ts';
import { WatchError } from './watch-error.ts';
import type { Results } from '../report/model/results.ts';

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
  readonly say: (line: string) => void;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** A running watch. */
export type Watch = Awaited<ReturnType<typeof openWatch>>;

/**
 * Locks the output folder, then proxies traffic to a target and judges it until it is stopped.
 * @throws FolderInUse and JournalError; WatchError if it cannot listen, or the state of an earlier watch cannot be used
 */
export async function openWatch(options: WatchOptions) {
  const { target, named, settings, output, formats, listen, page, certificate, say } = options;
  const held = await holdFolder(output, options.owner);
  held.said.forEach(say);
  const tell = (type: RunEvent['type'], content: Readonly<Record<string, unknown>>): void =>
    options.onEvent?.(eventOf(type, content));
  const link = judgeLink({ target, named, settings, output, formats }, (said) => {
    if (said.type === 'say') say(said.line);
    else options.onEvent?.(said.event);
  });
  let opened: WatchProxy | undefined;
  try {
    if (options.fresh) forgetStore(output);
    const ready = await link.start();
    const feed = feedOf(link.call, ready.number, ({ sampled, isSampling }) => {
      tell('sampling', { sampled, began: isSampling });
      say(
        isSampling
          ? 'The judge is behind and skips exchanges until it has caught up. Traffic is not affected.'
          : `The judge has caught up. ${sampled} exchanges skipped so far.`,
      );
    });
    const url = new URL(target.baseUrl);
    const upstream = {
      url,
      host: options.host === 'target' ? url.host : null,
      tls: tlsSettings(target.http),
      connectTimeoutMs: connectTimeout(target.http.timeoutMs),
    };
    const proxy = watchProxy({ ...listen, upstream, onlooker: feed, certificate });
    opened = proxy;
    const address = addressText(await listening(proxy.listen(), listen, '--listen'));
    const pages = livePage({
      async shown() {
        const snapshot = await link.call('snapshot');
        return snapshot && { ...snapshot, ...feed.state(), connections: proxy.open() };
      },
      evidence: (id) => link.call('evidence', id),
    });
    const pageAddress = page && addressText(await listening(listenAt(pages, page), page, '--page'));
    const { taken, judged } = ready;
    const of = { baseUrl: target.baseUrl };
    tell('watch', { target: of, listen: address, page: pageAddress, output, taken, judged });
    let isReporting = false;
    const report = async (): Promise<void> => {
      feed.flush();
      isReporting = true;
      const { files, error } = (await link.call('report')) ?? {};
      isReporting = false;
      if (files === undefined) return;
      if (error == null) tell('report', { output, files });
      else say(error.message);
    };
    const { reportEveryMs } = options;
    const timer =
      reportEveryMs === null
        ? undefined
        : setInterval(() => {
            // Where a report takes longer than the interval, they would pile up, and the end would wait for all of them.
            if (!isReporting) void report();
          }, reportEveryMs);
    return {
      ready,
      /** URL for clients: scheme, host and port. */
      listen: `${certificate === null ? 'http' : 'https'}://${address}`,
      /** URL of the live page; null without one. */
      page: pageAddress && `http://${pageAddress}/`,
      report,
      /**
       * Stops accepting connections, judges the rest and writes the reports.
       * @returns the results, null if the judge crashed; the `error` if reports are missing; the number of connections
       * that were `cut`, because they did not end in time
       */
      async stop() {
        clearInterval(timer);
        const cut = await proxy.close(options.drainMs);
        feed.flush();
        const finished = await link.call('finish');
        await link.stop();
        pages.close();
        pages.closeAllConnections();
        held.release();
        const { results = null, files = [], error = null } = finished ?? {};
        if (results !== null) {
          const { verdict, exitCode, sentence, summary, requests } = results;
          tell('verdict', { verdict, exitCode, sentence, summary, requests, output, files });
        }
        return { results, files, error, cut };
      },
    };
  } catch (error) {
    await opened?.close(0).catch(() => undefined);
    await link.stop();
    held.release();
    throw error;
  }
}

const addressText = ({ address, family, port }: AddressInfo): string =>
  `${family === 'IPv6' ? `[${address}]` : address}:${port}`;

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

/** A watch started through the API. */
export interface RunningWatch extends Pick<Watch, 'listen' | 'page'> {
  /** Requests reports of the current state. */
  report(): void;
  /**
   * Stops accepting connections, judges the rest and writes the reports.
   * @throws Error with `code` and `hint` if the reports cannot be written
   */
  stop(): Promise<Results>;
}

/**
 * Starts a watch within this process.
 * @throws WatchError, FolderInUse or JournalError if it cannot start
 */
export async function startWatch(
  options: Omit<WatchOptions, 'owner' | 'reportEveryMs' | 'say'>,
): Promise<RunningWatch> {
  const more = { owner: 'a program', reportEveryMs: null, say: () => undefined };
  const { listen, page, report, stop } = await openWatch({ ...options, ...more });
  return {
    listen,
    page,
    report: () => void report(),
    async stop() {
      const { results, error } = await stop();
      if (error !== null) throw Object.assign(new Error(error.message), error);
      if (results !== null) return results;
      throw new WatchError(
        'ASSAY_WATCH_STORE',
        'The judge crashed before it wrote the reports.',
        'Restart the watch in the same folder: it continues from the saved state.',
      );
    },
  };
}
