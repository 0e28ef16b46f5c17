import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { median as middle } from '../src/domain/statistics.ts';

/** Target of a load: the bytes of one request, sent repeatedly. */
export interface Target {
  readonly port: number;
  readonly request: string;
}

export interface Figures {
  /** Microseconds of CPU per request in the serving (calling) process. */
  readonly cpu: number;
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

interface LoadOptions extends Target {
  readonly connections: number;
  readonly milliseconds: number;
  /** Requests a second over all connections; null: each connection sends its next request after the reply to the last. */
  readonly rate: number | null;
}

/**
 * A load from a process of its own over raw keep-alive sockets, one request at a time on each (no pipelining), so that its own
 * cost is the same for every server.
 */
export function openLoad(connections: number, milliseconds: number) {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    async measure(target: Target, rate: number | null = null): Promise<Figures> {
      const before = process.cpuUsage();
      child.send({ ...target, connections, milliseconds, rate });
      const [figures] = (await once(child, 'message')) as [Figures];
      const { user, system } = process.cpuUsage(before);
      return { ...figures, cpu: (user + system) / figures.requests };
    },
    close: () => child.kill(),
  };
}

export function median(values: readonly number[]): number {
  return Number((middle(values) ?? 0).toFixed(3));
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url))
  process.on('message', (options: LoadOptions) => void load(options).then((figures) => process.send?.(figures)));

/**
 * Keeps every connection busy, or sends at a fixed rate on idle ones. It never sleeps: the client of a slower server would
 * sleep more often, and its wake-ups would count for the server. Parses only as much of HTTP as finds the end of a reply.
 */
async function load({ port, request, connections, milliseconds, rate }: LoadOptions): Promise<Figures> {
  const bytes = Buffer.from(request, 'latin1');
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const begin = performance.now();
  const end = begin + milliseconds;
  /** Connections that wait for their slot, with how each sends or ends. */
  const free: (() => void)[] = [];
  let sent = 0;
  let isOver = false;
  const pace = rate === null ? null : setInterval(tick, 1);
  stayAwake();
  await Promise.all(Array.from({ length: connections }, () => ask()));
  if (pace !== null) clearInterval(pace);
  isOver = true;
  const seconds = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(3));
  return { cpu: 0, requests: times.length, seconds, p50: at(0.5), p99: at(0.99), statuses };

  function stayAwake(): void {
    if (!isOver) setImmediate(stayAwake);
  }

  function tick(): void {
    const now = performance.now();
    const due =
      now >= end ? free.length : Math.min(free.length, Math.floor(((now - begin) / 1000) * (rate ?? 0)) - sent);
    for (const send of free.splice(0, Math.max(0, due))) send();
  }

  function ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      let missing = 0;
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= end) {
          socket.end();
          return;
        }
        sent += 1;
        socket.write(bytes);
      };
      const takeTurn = () => {
        if (pace === null) send();
        else free.push(send);
      };
      socket.on('connect', takeTurn);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('data', (chunk: Buffer) => {
        if (missing > 0) missing -= chunk.length;
        else {
          const status = chunk.toString('latin1', 9, 12);
          statuses[status] = (statuses[status] ?? 0) + 1;
          const bodyAt = chunk.indexOf('\r\n\r\n') + 4;
          const lengthAt = chunk.indexOf('\r\ncontent-length: ');
          const length = lengthAt < 0 ? 0 : Number.parseInt(chunk.toString('latin1', lengthAt + 18, lengthAt + 28), 10);
          missing = bodyAt + length - chunk.length;
        }
        if (missing > 0) return;
        times.push(performance.now() - sentAt);
        takeTurn();
      });
    });
  }
}
