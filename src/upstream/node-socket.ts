import { Agent, WebSocket } from 'undici';
import { guardedConnect } from './agents.ts';
import type { Resolver } from './types.ts';

/** One connection to a node's WebSocket. */
export interface NodeSocket {
  /** False when the connection is not open. */
  send(text: string): boolean;
  close(): void;
}

/** Events of a connection. `closed` is called once, even if the connection never opened. */
export interface NodeSocketEvents {
  readonly opened: () => void;
  readonly message: (text: string) => void;
  readonly closed: () => void;
}

export interface NodeSockets {
  /** `url` is configured by the operator (ws or wss). */
  open(url: string, events: NodeSocketEvents): NodeSocket;
  close(): Promise<void>;
}

/** Maximum message size after decompression: a block header or a log has a few kilobytes. */
const MOST_BYTES = 1024 * 1024;

/** Opens WebSocket connections to nodes that the operator configured, with the same address checks as for requests. */
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
