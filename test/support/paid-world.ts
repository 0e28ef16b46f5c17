import assert from 'node:assert/strict';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Config } from '../../src/config/types.ts';
import { type TestDatabase, testDatabase } from '../../src/store/fixtures/database.ts';
import {
  type Changes,
  type LocalFacilitator,
  type Requirements,
  signPayment,
  startFacilitator,
} from './facilitator.ts';
import { type TestService, testService } from './service.ts';

export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const TOKEN = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const NETWORK = 'eip155:84532';

export interface Refused {
  readonly code: string;
  readonly x402Version: number;
  readonly error: string;
  readonly accepts: readonly Requirements[];
}

/** A header of x402. */
export const decoded = (header: string | null) => JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'));

export interface PaidWorld {
  readonly facilitator: LocalFacilitator;
  readonly world: TestService;
  readonly database: TestDatabase;
  /** Path of a rating that is sold. */
  readonly rating: string;
  /** Path of a snapshot that is sold. */
  readonly snapshot: string;
  /** One request without a key. */
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  /** A payer with so many units. */
  payer(units?: bigint): ReturnType<typeof privateKeyToAccount>;
  offer(path?: string): Promise<Requirements>;
  pay(
    changes?: Changes,
    account?: ReturnType<typeof privateKeyToAccount>,
    path?: string,
  ): Promise<{
    readonly account: ReturnType<typeof privateKeyToAccount>;
    readonly header: string;
    readonly reply: Response;
  }>;
  /** Sends a payment that must be refused, with no data, without the facilitator or at its word. */
  refuses(header: string, status: number, code: string, error?: string): Promise<Refused>;
  /** The facilitator works again, and has been asked nothing. */
  heal(): void;
  close(): Promise<void>;
}

/** Pay-per-call by x402: a whole service on the sandbox, a facilitator that verifies signatures, and payers with keys of their own; `settings` in place of the usual ones. */
export async function paidWorld(settings: Partial<Config> = {}): Promise<PaidWorld> {
  const facilitator = await startFacilitator();
  const database = await testDatabase();
  const world = await testService({
    databaseUrl: database.url,
    logLevel: 'silent',
    x402Facilitator: facilitator.url,
    x402PayTo: PAY_TO,
    x402Network: NETWORK,
    x402Token: TOKEN,
    x402TokenName: 'USDC',
    ...settings,
  });
  const scored = await world.call('/v1/score', {
    json: { type: 'PostTGE', project: 'Tidewell', project_url: 'https://tidewell.example/' },
  });
  assert.equal(scored.status, 200);
  const listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly {
    readonly name: string;
    readonly chain: string;
    readonly address: string;
  }[];
  const asset = listed.find(({ name }) => name === 'Tidewell');
  assert.ok(asset);
  const rating = `/v1/rms/${asset.chain}:${asset.address}`;
  const snapshot = `/v1/${asset.chain}/market/${asset.address}/snapshot`;
  const put = await world.call(`/v1/${asset.chain}/index/${asset.address}`, { method: 'PUT', json: {} });
  assert.ok(put.ok);

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(world.service.url + path, { headers });

  function payer(units = 1_000_000n) {
    const account = privateKeyToAccount(generatePrivateKey());
    facilitator.balances.set(account.address.toLowerCase(), units);
    return account;
  }

  async function offer(path = rating): Promise<Requirements> {
    const reply = await ask(path);
    assert.equal(reply.status, 402);
    const [first] = ((await reply.json()) as Refused).accepts;
    assert.ok(first);
    return first;
  }

  async function pay(changes: Changes = {}, account = payer(), path = rating) {
    const header = await signPayment(account, await offer(path), changes);
    return { account, header, reply: await ask(path, { 'payment-signature': header }) };
  }

  async function refuses(header: string, status: number, code: string, error?: string): Promise<Refused> {
    const reply = await ask(rating, { 'payment-signature': header });
    const text = await reply.text();
    assert.equal(reply.status, status, text);
    assert.ok(!text.includes('"score"'), 'no data');
    const body = JSON.parse(text) as Refused;
    assert.equal(body.code, code);
    if (error !== undefined) assert.equal(body.error, error);
    return body;
  }
  return {
    facilitator,
    world,
    database,
    rating,
    snapshot,
    ask,
    payer,
    offer,
    pay,
    refuses,
    heal() {
      facilitator.faults.verify = null;
      facilitator.faults.settle = null;
      facilitator.beforeSettle = () => undefined;
      facilitator.asked.length = 0;
    },
    async close() {
      await world.close();
      await facilitator.close();
      await database.close();
    },
  };
}
