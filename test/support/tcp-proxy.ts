import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** What the wire does: passes, refuses new and resets old connections, or keeps them open and passes nothing. */
type Wire = 'whole' | 'cut' | 'silent';

export interface TcpProxy {
  readonly port: number;
  /** New connections are refused, open ones reset: a peer that died. */
  cut(): void;
  /** Connections stay open and nothing passes, either way: a cable that was pulled. */
  silence(): void;
  /** Each piece of data waits so many milliseconds, in order. */
  delay(milliseconds: number): void;
  heal(): void;
  /** From now on connections lead to this port; open ones are reset. */
  lead(port: number): void;
  close(): Promise<void>;
}

/** A wire on loopback that a test can cut. With `lead` it also stands for the balancer in front of a database. */
export async function tcpProxy(target: number): Promise<TcpProxy> {
  let wire: Wire = 'whole';
  let delayMs = 0;
  let port = target;
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const server = createServer((near) => {
    keep(near);
    if (wire === 'cut') {
      reset(near);
      return;
    }
    const far = dial(port, '127.0.0.1');
    keep(far);
    pass(near, far);
    pass(far, near);
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }

  function pass(from: Socket, to: Socket): void {
    const send = (work: () => void) => {
      const whenOpen = () => (wire === 'silent' ? held.push(whenOpen) : work());
      if (delayMs > 0) setTimeout(whenOpen, delayMs);
      else whenOpen();
    };
    from.on('data', (chunk) =>
      send(() => {
        if (to.destroyed || to.write(chunk)) return;
        from.pause();
        to.once('drain', () => from.resume());
      }),
    );
    from.on('end', () => send(() => to.end()));
    from.on('close', (hadError) => (hadError ? reset(to) : send(() => to.end())));
  }

  function release(): void {
    for (const work of held.splice(0)) work();
  }

  function resetAll(): void {
    held.length = 0;
    for (const socket of sockets) reset(socket);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      wire = 'cut';
      resetAll();
    },
    silence() {
      wire = 'silent';
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    heal() {
      wire = 'whole';
      delayMs = 0;
      release();
    },
    lead(next) {
      port = next;
      resetAll();
    },
    async close() {
      resetAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A socket that is shutting down cannot be reset any more: its handle would stay open for ever. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else if (!socket.destroyed) socket.resetAndDestroy();
}
