import { Agent, WebSocket } from 'undici';
import { guardedConnect } from './agents.ts';
import type { Resolver } from './types.ts';

/** One connection to a node's websocket. */
export interface NodeSocket {
  /** False when it is not open. */
  send(text: string): boolean;
  close(): void;
}

/** End of a connection; `closed` comes once, also if it never opened. */
export interface NodeSocketEvents {
  readonly opened: () => void;
  readonly message: (text: string) => void;
  readonly closed: () => void;
}

export interface NodeSockets {
  /** `url` is the operator's own (ws or wss). */
  open(url: string, events: NodeSocketEvents): NodeSocket;
  close(): Promise<void>;
}

/** Largest message, after decompression: a block's head and a log have a few kilobytes. */
const MOST_BYTES = 1024 * 1024;

/** Connections to websockets of nodes that the operator names, by the same vetted addresses as requests to them. */
export function createNodeSockets(resolver: Resolver): NodeSockets {
  const dispatcher = new Agent({
    connect: guardedConnect('operator', resolver),
    webSocket: { maxPayloadSize: MOST_BYTES },
  });
  return {
    open(url, { opened, message, closed }) {
      const socket = new WebSocket(url, { dispatcher });
      let over = false;
      const end = () => {
        if (over) return;
        over = true;
        closed();
      };
      socket.addEventListener('open', opened);
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && !over) message(data);
      });
      socket.addEventListener('error', end);
      socket.addEventListener('close', end);
      return {
        send(text) {
          if (socket.readyState !== WebSocket.OPEN) return false;
          socket.send(text);
          return true;
        },
        close() {
          socket.close();
          end();
        },
      };
    },
    close: () => dispatcher.destroy(),
  };
}
