import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { pinnedLookup } from './agents.ts';
import { Fault, toFault } from './fault.ts';
import { judgeUrl } from './guard.ts';
import type { Resolver, TlsFacts } from './types.ts';
import { vet } from './vet.ts';

/**
 * Reads the certificate of a host that an outsider chose: same guard and pin as a request. A certificate that is not
 * trusted is an answer (`authorized: false`), not a failure; nothing is sent over the connection. Throws `Fault`.
 */
export async function readCertificate(
  host: string,
  port: number,
  tools: { readonly resolver: Resolver; readonly allowedPorts: readonly number[]; readonly signal: AbortSignal },
): Promise<TlsFacts> {
  const judged = judgeUrl(`https://${host}:${port}/`, tools.allowedPorts);
  if (!judged.ok) throw new Fault('refused_address', judged.detail, false);
  const name = judged.value.hostname;
  return untilAborted(tools.signal, async (onSocket) => {
    const destination = await vet(name, port, 'outside', tools.resolver);
    tools.signal.throwIfAborted();
    return new Promise<TlsFacts>((resolve, reject) => {
      // `autoSelectFamily` reaches net.connect through here, though the types of tls.connect do not name it.
      const options = {
        host: name,
        servername: name.replace(/\.$/, ''),
        port: destination.port,
        lookup: pinnedLookup(destination),
        autoSelectFamily: true,
        rejectUnauthorized: false,
        ...(destination.ca === null ? {} : { ca: destination.ca }),
      };
      const socket = connect(options);
      onSocket(socket);
      socket.once('secureConnect', () => {
        resolve(factsOf(socket));
        socket.destroy();
      });
      socket.once('error', (error) => reject(toFault(error, 'headers')));
      socket.once('close', () => reject(new Fault('unreachable', 'the host closed the connection')));
    });
  });
}

/** Alternative names kept; certificates of large content networks hold hundreds. */
const MOST_NAMES = 200;

function factsOf(socket: TLSSocket): TlsFacts {
  const certificate: Partial<PeerCertificate> = socket.getPeerCertificate();
  return {
    authorized: socket.authorized,
    authorizationError: socket.authorized ? null : String(socket.authorizationError ?? 'not trusted').slice(0, 100),
    notBefore: dateOf(certificate.valid_from),
    notAfter: dateOf(certificate.valid_to),
    issuer: textOf(certificate.issuer?.O) ?? textOf(certificate.issuer?.CN),
    subjectAltNames: (certificate.subjectaltname ?? '')
      .split(', ')
      .filter((name) => name.startsWith('DNS:'))
      .slice(0, MOST_NAMES)
      .map((name) => name.slice(4, 260)),
    protocol: socket.getProtocol(),
  };
}

function dateOf(text: string | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined ? null : text.slice(0, 200);
}

function untilAborted<Value>(
  signal: AbortSignal,
  work: (onSocket: (socket: TLSSocket) => void) => Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let socket: TLSSocket | null = null;
    const onAbort = () => {
      reject(signal.reason);
      socket?.destroy();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work((opened) => {
      socket = opened;
    })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
