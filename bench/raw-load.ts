import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { median as middle } from '../src/domain/statistics.ts';

/** Where a load goes: the bytes of one request, sent again and again. */
export interface Target {
  readonly port: number;
  readonly request: string;
}

export interface Figures {
  /** Microseconds of the serving (calling) process's CPU per request. */
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
}

/**
 * A load from a process of its own over raw keep-alive sockets, one request at a time on each (no pipelining), so that its own
 * cost is the same for whatever serves.
 */
export function openLoad(connections: number, milliseconds: number) {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    async measure(target: Target): Promise<Figures> {
      const before = process.cpuUsage();
      child.send({ ...target, connections, milliseconds });
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

/** Keeps every connection busy. Reads just enough of HTTP to know where a reply ends. */
async function load({ port, request, connections, milliseconds }: LoadOptions): Promise<Figures> {
  const bytes = Buffer.from(request, 'latin1');
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const begin = performance.now();
  const end = begin + milliseconds;
  await Promise.all(Array.from({ length: connections }, () => ask()));
  const seconds = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(3));
  return { cpu: 0, requests: times.length, seconds, p50: at(0.5), p99: at(0.99), statuses };

  function ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      let missing = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(bytes);
      };
      socket.on('connect', send);
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
        const now = performance.now();
        times.push(now - sentAt);
        if (now >= end) socket.end();
        else send();
      });
    });
  }
}
