import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadPlans, type PlanBook } from '../src/access/plans/plans.ts';

/** The built-in plans and a plan BENCH like `name`, whose limits are counted as usual and never reached. */
export function plansWithHighLimits(name: string): PlanBook {
  const { plans } = loadPlans(null);
  const model = plans.find((plan) => plan.name === name);
  if (!model) throw new Error(`the plan ${name} is gone`);
  const all = [...plans, { ...model, name: 'BENCH', requestsPerMinute: 1_000_000_000, requestsPerDay: 1_000_000_000 }];
  return { plans: all, find: (wanted) => all.find((plan) => plan.name === wanted) ?? null, payPerCall: null };
}

interface Copy {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Body and headers of a reply, without the headers that node:http sets itself. */
export async function copyOf(reply: Response): Promise<Copy> {
  const body = Buffer.from(await reply.arrayBuffer());
  if (reply.status !== 200) throw new Error(body.toString());
  const kept = [...reply.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return { body, headers: Object.fromEntries(kept) };
}

/** A server of raw node:http that sends the copy to every request, after its body has been read. */
export async function rawServer({ body, headers }: Copy) {
  const server = createServer((request, response) => {
    const reply = () => response.writeHead(200, headers).end(body);
    if (request.method === 'GET') reply();
    else request.resume().once('end', reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
