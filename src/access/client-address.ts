import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { isAllowedFrom, readAddress, type TrustedProxies } from '../domain/index.ts';

/** The address of a client that a trusted proxy passed on in an invalid form: no allow-list holds it. */
const UNREADABLE_ADDRESS = 'unreadable';

/**
 * The address a request comes from (docs/decisions/0027-trusted-proxies.md). The connection's own address and the entries of
 * `X-Forwarded-For` from the right are the proxies it passed, nearest first; the first that is not a trusted proxy is the
 * client. What the client itself wrote is further left and is never read, as long as every trusted proxy appends.
 */
export function clientAddressReader(trusted: TrustedProxies): (request: IncomingMessage) => string {
  if (trusted === false) return ({ socket }) => socket.remoteAddress ?? '';
  const isProxy =
    typeof trusted === 'number'
      ? (_address: string, hop: number) => hop < trusted
      : (address: string) => trusted.length > 0 && isAllowedFrom(address, trusted);
  return ({ socket, headers }) => {
    const given = headers['x-forwarded-for'];
    const passed = given === undefined ? [] : String(given).split(',');
    let address = socket.remoteAddress ?? '';
    for (let hop = 0; hop < passed.length && isProxy(address, hop); hop += 1)
      address = addressIn(passed[passed.length - 1 - hop] ?? '');
    return address;
  };
}

/** The address of an entry, which some proxies write with its port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function addressIn(entry: string): string {
  const text = entry.trim();
  // Canonical already, as nearly every entry is.
  if (isIPv4(text)) return text;
  const bare = /^\[(.+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return readAddress(bare)?.toString() ?? UNREADABLE_ADDRESS;
}
