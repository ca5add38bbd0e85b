import { OptionError } from '../run/option-error.ts';

/** `9464` and `:9464` mean loopback. @throws OptionError */
export function addressOf(listen: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(listen.trim()) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new OptionError(
      `--metrics takes an address with a port, not ${JSON.stringify(listen)}.`,
      'For example --metrics 127.0.0.1:9464.',
    );
  }
  return { host: host === '' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
