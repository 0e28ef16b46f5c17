import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tcpProxy } from '../../support/tcp-proxy.ts';
import { createAlertLedger } from '../alert-ledger.ts';
import { type Claim, eventually, pause } from '../claim.ts';
import { faultWorld } from '../fault-world.ts';

const ARRIVES_WITHIN_MS = 20_000;

/** The wire to one receiver of webhooks is cut, or silent. */
export const cutWebhook: Claim = {
  name: 'cut-webhook',
  fault:
    'the connection to a receiver of webhooks is cut, then silent, while messages are sent there and to another account’s receiver',
  promise:
    'the message arrives, with the same id, once the connection is restored; the other account’s messages are not delayed or lost',
  async run({ cuts, patience }) {
    const world = await faultWorld({ sparesDatabase: true });
    const arrived = new Map<string, number>();
    const receiver = createServer((request, response) => {
      const id = String(request.headers['webhook-id']);
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
      request.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const wire = await tcpProxy((receiver.address() as AddressInfo).port);
    const stop = new AbortController();
    try {
      const life = await world.start({ settings: { webhookLoopback: true } });
      const other = await createAlertLedger(life.call, world.databaseUrl);
      other.keepReading(() => life.call);
      const rating = other.keepRating(stop.signal, 200);
      const made = await life.call('/v1/webhooks', { json: { url: `http://127.0.0.1:${wire.port}/` } });
      const { id } = (await made.json()) as { readonly id: string };
      const broken: string[] = [];
      let slowestMs = 0;
      for (let turn = 0; turn < cuts * 2; turn += 1) {
        const how = turn % 2 === 0 ? 'cut' : 'silent';
        if (how === 'cut') wire.cut();
        else wire.silence();
        const before = arrived.size;
        const tested = await life.call(`/v1/webhooks/${id}/test`, { method: 'POST' });
        if (!tested.ok) broken.push(`${how}: the test message was refused with ${tested.status}`);
        await pause(2_500);
        wire.heal();
        const startedAt = performance.now();
        const came = await eventually(async () => arrived.size > before, ARRIVES_WITHIN_MS * patience, 100);
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
        if (!came) broken.push(`${how}: the message did not arrive`);
      }
      stop.abort();
      await rating;
      const told = await other.settle();
      broken.push(...told.broken);
      await other.close();
      const repeats = [...arrived.values()].reduce((sum, times) => sum + times - 1, 0);
      return {
        times: cuts * 2,
        broken,
        figures: {
          arrived_after_ms_longest: Math.round(slowestMs),
          repeats_of_one_id: repeats,
          others_alerts: told.figures.alerts ?? 0,
        },
      };
    } finally {
      stop.abort();
      await wire.close();
      receiver.closeAllConnections();
      receiver.close();
      await world.close();
    }
  },
};
