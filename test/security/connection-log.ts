import diagnostics from 'node:diagnostics_channel';
import { createServer, type Server, type Socket } from 'node:net';

/** Every TCP connection that this process begins, as `address:port`, from `watch` until `stop`. */
export function watchConnections(): { readonly attempts: readonly string[]; stop(): void } {
  const attempts: string[] = [];
  const onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    socket.on('connectionAttempt', (ip: string, port: number) => attempts.push(`${ip}:${port}`));
  };
  diagnostics.subscribe('net.client.socket', onSocket);
  return { attempts, stop: () => void diagnostics.unsubscribe('net.client.socket', onSocket) };
}

/** A door inside that must stay shut: counts who comes. */
export interface Trap {
  readonly port: number;
  readonly calls: () => number;
  close(): void;
}

/** Listens on both loopbacks at one port. */
export async function setTrap(): Promise<Trap> {
  let calls = 0;
  const open = (host: string, port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer((socket) => {
        calls += 1;
        socket.destroy();
      });
      server.once('error', reject);
      server.listen(port, host, () => resolve(server));
    });
  const first = await open('127.0.0.1', 0);
  const { port } = first.address() as { readonly port: number };
  // A machine without IPv6 has one door less.
  const second = await open('::1', port).catch(() => null);
  return {
    port,
    calls: () => calls,
    close() {
      first.close();
      second?.close();
    },
  };
}
