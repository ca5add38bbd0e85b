import { once } from 'node:events';
import { isIP, type AddressInfo, type Server } from 'node:net';

/** A listen address. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** Parses `host:port`, `[::1]:port`, `:port` or `port` (loopback by default); null for anything else. */
export function parsedAddress(text: string): ListenAddress | null {
  const found = /^(?:(\[[0-9a-f:.]+\]|[\w.-]*):)?(\d{1,5})$/i.exec(text);
  const host = (found?.[1] ?? '').replaceAll(/^\[|\]$/g, '');
  const port = Number(found?.[2]);
  const isBracketed = found?.[1]?.startsWith('[') === true;
  if (found === null || port > 65_535 || (isBracketed && isIP(host) !== 6)) return null;
  return { host: host === '' ? '127.0.0.1' : host, port };
}

/** @throws the system error if it cannot listen */
export async function listenAt(server: Server, address: ListenAddress): Promise<AddressInfo> {
  server.listen(address);
  await once(server, 'listening');
  return server.address() as AddressInfo;
}
