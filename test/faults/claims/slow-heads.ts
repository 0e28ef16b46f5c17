import { connect, type Socket } from 'node:net';
import { type Claim, pause } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';

/** A head must be there within ten seconds; the server looks every two. */
const CUT_OFF_WITHIN_MS = 13_000;
const QUICK_MS = 1_000;

/** Callers that send their head a byte at a time, nothing at all, or far too much. */
export const slowHeads: Claim = {
  name: 'slow-heads',
  fault: 'connections that send their head a byte a second, or nothing; heads of 100 kB and of 5,000 fields',
  promise: 'slow ones are disconnected within 13 s, large ones get 431, and others are served at once meanwhile',
  async run({ slowHeads: count, patience }) {
    const world = await faultWorld({ sparesDatabase: true });
    try {
      const life = await world.start();
      const port = Number(new URL(life.url).port);
      const broken: string[] = [];
      const startedAt = performance.now();
      const sockets = Array.from({ length: count }, (_, index) => slowCaller(port, index % 2 === 0));
      let slowestMs = 0;
      while (
        performance.now() - startedAt < CUT_OFF_WITHIN_MS * patience &&
        sockets.some((socket) => !socket.destroyed)
      ) {
        const askedAt = performance.now();
        const reply = await life.call('/v1/rms/whitelist');
        await reply.arrayBuffer();
        if (reply.status !== 200) broken.push(`another caller got ${reply.status}`);
        slowestMs = Math.max(slowestMs, performance.now() - askedAt);
        await pause(500);
      }
      const cutOffMs = performance.now() - startedAt;
      const open = sockets.filter((socket) => !socket.destroyed).length;
      if (open > 0) broken.push(`${open} of ${count} slow connections are open after ${Math.round(cutOffMs / 1000)} s`);
      if (slowestMs > QUICK_MS * patience) broken.push(`another caller waited ${Math.round(slowestMs)} ms`);
      for (const socket of sockets) socket.destroy();
      const heads = {
        'a field of 100 kB': `x-long: ${'a'.repeat(100_000)}\r\n`,
        '5,000 fields': Array.from({ length: 5_000 }, (_, index) => `x-${index}: ${index}\r\n`).join(''),
      };
      for (const [what, fields] of Object.entries(heads)) {
        const answer = await rawAnswer(port, `GET /healthz HTTP/1.1\r\nhost: localhost\r\n${fields}\r\n`);
        if (!answer.startsWith('HTTP/1.1 431')) broken.push(`${what} got ${answer.slice(0, 40) || 'no answer'}`);
      }
      return {
        times: count + 2,
        broken,
        figures: { cut_off_after_ms: Math.round(cutOffMs), slowest_other_ms: Math.round(slowestMs) },
      };
    } finally {
      await world.close();
    }
  },
};

function slowCaller(port: number, speaks: boolean): Socket {
  const socket = connect(port, '127.0.0.1');
  const head = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ';
  let sent = 0;
  const timer = setInterval(() => {
    if (speaks) socket.write(head[sent] ?? 'a');
    sent += 1;
  }, 1_000);
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.on('end', () => socket.destroy());
  socket.on('close', () => clearInterval(timer));
  return socket;
}

function rawAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
