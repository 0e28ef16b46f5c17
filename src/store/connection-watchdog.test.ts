import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { isNoReply } from './database.ts';

async function errorOf(port: number): Promise<unknown> {
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 300 });
  client.on('error', () => undefined);
  return client.connect().then(
    () => assert.fail('nobody is there'),
    (error: unknown) => error,
  );
}

test('one that accepts the connection and sends nothing is silent, one that refuses or hangs up is not', async () => {
  const sockets: { destroy(): void }[] = [];
  const mute = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  assert.equal(isNoReply(await errorOf(port)), true);
  for (const socket of sockets) socket.destroy();
  mute.close();
  await once(mute, 'close');
  assert.equal(isNoReply(await errorOf(port)), false);
  const rude = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(rude, 'listening');
  assert.equal(isNoReply(await errorOf(port)), false);
  rude.close();
});

test('a host that disappeared without a reset is silent, whatever error the system reports', () => {
  const failed = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.7:5432`), { code });
  for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'])
    assert.equal(isNoReply(failed(code)), true, code);
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P03', '53300'])
    assert.equal(isNoReply(failed(code)), false, code);
  const both = (...codes: readonly string[]) => new AggregateError(codes.map(failed));
  assert.equal(isNoReply(both('EHOSTUNREACH', 'ETIMEDOUT')), true);
  assert.equal(isNoReply(both('ECONNREFUSED', 'EHOSTUNREACH')), false);
});
