import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { Compile } from 'typebox/compile';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ReceiptView, type Reply } from '../src/contract/index.ts';
import { tellCorrection } from '../src/disclosure/corrections.ts';
import type { Asset } from '../src/domain/asset.ts';
import { forgetPayments } from '../src/payments/index.ts';
import { type TestDatabase, testDatabase } from '../src/store/fixtures/database.ts';
import { ownTime } from '../src/upstream/fixtures/own-time.ts';
import {
  type Changes,
  type LocalFacilitator,
  type Requirements,
  signPayment,
  startFacilitator,
} from './support/facilitator.ts';
import { type TestService, testService } from './support/service.ts';

/** Pay-per-call by x402: a whole service on the sandbox, a facilitator that verifies signatures, and payers with keys of their own. */
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const TOKEN = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const NETWORK = 'eip155:84532';
let facilitator: LocalFacilitator;
let world: TestService;
let database: TestDatabase;
let rating = '';
let snapshot = '';

before(async () => {
  facilitator = await startFacilitator();
  database = await testDatabase();
  world = await testService({
    databaseUrl: database.url,
    logLevel: 'silent',
    x402Facilitator: facilitator.url,
    x402PayTo: PAY_TO,
    x402Network: NETWORK,
    x402Token: TOKEN,
    x402TokenName: 'USDC',
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
  rating = `/v1/rms/${asset.chain}:${asset.address}`;
  snapshot = `/v1/${asset.chain}/market/${asset.address}/snapshot`;
  const put = await world.call(`/v1/${asset.chain}/index/${asset.address}`, { method: 'PUT', json: {} });
  assert.ok(put.ok);
});
after(async () => {
  await world?.close();
  await facilitator?.close();
  await database?.close();
});
afterEach(() => {
  facilitator.faults.verify = null;
  facilitator.faults.settle = null;
  facilitator.beforeSettle = () => undefined;
  facilitator.asked.length = 0;
});

type Receipt = Reply<typeof ReceiptView>;

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < until, 'it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface Refused {
  readonly code: string;
  readonly x402Version: number;
  readonly error: string;
  readonly accepts: readonly Requirements[];
}
const ask = (path: string, headers: Record<string, string> = {}) => fetch(world.service.url + path, { headers });
const decoded = (header: string | null) => JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'));

/** A payer with so many units. */
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

/** Sends a payment that must be refused, with no data, without the facilitator or at its word. */
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

test('a request without a key is told the price, in header and body alike, and nothing else', async () => {
  for (const [path, amount] of [
    [rating, '50000'],
    [snapshot, '20000'],
  ] as const) {
    const reply = await ask(path);
    assert.equal(reply.status, 402);
    assert.equal(reply.headers.get('cache-control'), 'private, no-store');
    const body = (await reply.json()) as Refused;
    const required = decoded(reply.headers.get('payment-required'));
    assert.deepEqual(required, {
      x402Version: 2,
      error: 'PAYMENT-SIGNATURE header is required',
      resource: {
        url: world.service.url + path,
        description: path === rating ? 'A published rating' : 'A snapshot of chain data',
        mimeType: 'application/json',
      },
      accepts: [
        {
          scheme: 'exact',
          network: NETWORK,
          amount,
          asset: TOKEN,
          payTo: PAY_TO,
          maxTimeoutSeconds: 60,
          extra: { name: 'USDC', version: '2' },
        },
      ],
    });
    assert.deepEqual([body.code, body.x402Version, body.accepts], ['payment_required', 2, required.accepts]);
  }
  assert.equal(facilitator.asked.length, 0);
});

test('a signed payment is verified, settled, and answered with the rating and the settlement', async () => {
  const { account, reply } = await pay();
  const text = await reply.text();
  assert.equal(reply.status, 200, text);
  const body = JSON.parse(text) as { asset: { name: string }; signature: unknown };
  assert.equal(body.asset.name, 'Tidewell');
  const keyed = await (await world.call(rating)).json();
  assert.deepEqual(Object.keys(body), Object.keys(keyed as object), 'the same reply as with a key');
  const settlement = decoded(reply.headers.get('payment-response'));
  assert.deepEqual(
    [settlement.success, settlement.network, settlement.payer],
    [true, NETWORK, account.address.toLowerCase()],
  );
  assert.match(settlement.transaction, /^0x[0-9a-f]{64}$/);
  assert.equal(reply.headers.get('cache-control'), 'private, no-store');
  assert.deepEqual(
    facilitator.asked.map(({ path }) => path),
    ['/verify', '/settle'],
  );
  assert.equal(facilitator.balances.get(account.address.toLowerCase()), 950_000n);
  assert.equal(facilitator.settled.at(-1)?.to, PAY_TO);
});

test('packed replies are held back and sent whole too', async () => {
  const header = await signPayment(payer(), await offer());
  const reply = await ask(rating, { 'payment-signature': header, 'accept-encoding': 'gzip' });
  assert.equal(reply.headers.get('content-encoding'), 'gzip');
  assert.equal(((await reply.json()) as { asset: { name: string } }).asset.name, 'Tidewell');
});

test('a snapshot is sold at its own price; what is not there is not charged and the authorisation stays good', async () => {
  const account = payer();
  for (const until = Date.now() + 20_000; (await world.call(snapshot)).status !== 200; ) {
    assert.ok(Date.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const bought = await pay({}, account, snapshot);
  assert.equal(bought.reply.status, 200);
  assert.equal(((await bought.reply.json()) as { kind: string }).kind, 'market');
  assert.equal(facilitator.balances.get(account.address.toLowerCase()), 980_000n);

  const header = await signPayment(account, await offer());
  const nothing = await ask('/v1/rms/NOTHINGLIKETHIS', { 'payment-signature': header });
  assert.equal(nothing.status, 404);
  assert.equal((await ask(rating, { 'payment-signature': header })).status, 200);
  assert.equal(facilitator.balances.get(account.address.toLowerCase()), 930_000n);
});

test('a payment is good once: in turn, at the same time, for another path, and in other capitals', async () => {
  const { account, header } = await pay();
  await refuses(header, 402, 'payment_refused');
  const other = await ask(snapshot, { 'payment-signature': header });
  assert.equal(other.status, 402);

  const second = await signPayment(account, await offer());
  const replies = await Promise.all(Array.from({ length: 12 }, () => ask(rating, { 'payment-signature': second })));
  const statuses = replies.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(11).fill(402)]);
  const made = facilitator.settled.filter(({ from }) => from === account.address);
  assert.equal(made.length, 2);

  const given = decoded(second);
  given.payload.authorization.nonce = given.payload.authorization.nonce.replace(/[a-f]/g, (x: string) =>
    x.toUpperCase(),
  );
  given.payload.authorization.from = given.payload.authorization.from.toLowerCase();
  await refuses(Buffer.from(JSON.stringify(given)).toString('base64'), 402, 'payment_refused');
  assert.equal(facilitator.settled.filter(({ from }) => from === account.address).length, 2);
});

test('the own table refuses a replay that the facilitator would let through', async () => {
  const { header } = await pay();
  facilitator.settled.length = 0;
  facilitator.asked.length = 0;
  await refuses(header, 402, 'payment_refused', 'authorization_already_used');
  assert.deepEqual(
    facilitator.asked.map(({ path }) => path),
    ['/verify'],
  );
});

test('what differs from the offer never reaches the facilitator', async () => {
  const offered = await offer();
  const account = payer();
  const now = Math.floor(Date.now() / 1000);
  const cases: readonly (readonly [Changes, string])[] = [
    [{ authorization: { value: '49999' } }, 'invalid_exact_evm_payload_authorization_value'],
    [{ authorization: { value: '50001' } }, 'invalid_exact_evm_payload_authorization_value'],
    [{ accepted: { amount: '1' }, authorization: { value: '1' } }, 'invalid_exact_evm_payload_authorization_value'],
    [{ authorization: { to: account.address } }, 'invalid_exact_evm_payload_recipient_mismatch'],
    [{ accepted: { payTo: account.address } }, 'invalid_exact_evm_payload_recipient_mismatch'],
    [{ accepted: { network: 'eip155:1' } }, 'invalid_network'],
    [{ accepted: { asset: PAY_TO } }, 'invalid_payment_requirements'],
    [{ accepted: { scheme: 'upto' } }, 'unsupported_scheme'],
    [{ authorization: { validBefore: String(now - 1) } }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ authorization: { validBefore: String(now + 10) } }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ authorization: { validAfter: String(now + 30) } }, 'invalid_exact_evm_payload_authorization_valid_after'],
  ];
  for (const [changes, error] of cases)
    await refuses(await signPayment(account, offered, changes), 402, 'payment_refused', error);
  assert.equal(facilitator.asked.length, 0);
});

test('forged signatures, other domains and empty purses are refused at the facilitator’s word', async () => {
  const offered = await offer();
  const account = payer();
  const forged: readonly Changes[] = [
    { authorization: { from: payer().address } },
    { signedFor: { network: 'eip155:1' } },
    { signedFor: { asset: PAY_TO } },
    { signedFor: { extra: { name: 'USD Coin', version: '2' } } },
    { payload: { signature: `0x${'11'.repeat(65)}` } },
  ];
  for (const changes of forged)
    await refuses(
      await signPayment(account, offered, changes),
      402,
      'payment_refused',
      'invalid_exact_evm_payload_signature',
    );
  await refuses(await signPayment(payer(49_999n), offered), 402, 'payment_refused', 'insufficient_funds');
  facilitator.faults.verify = 'prose';
  const body = await refuses(await signPayment(account, offered), 402, 'payment_refused', 'unexpected_verify_error');
  assert.ok(!JSON.stringify(body).includes('<'));
  assert.ok(facilitator.asked.every(({ path }) => path === '/verify'));
});

test('headers that cannot be read are 400, whatever is in them', async () => {
  const good = await signPayment(payer(), await offer());
  const texts = [
    '',
    'x',
    '%%%',
    'null',
    Buffer.from('null').toString('base64'),
    Buffer.from('[]').toString('base64'),
    Buffer.from('{"x402Version":1}').toString('base64'),
    Buffer.from([0xff, 0xfe]).toString('base64'),
    Buffer.from('['.repeat(4_000)).toString('base64'),
    good.slice(0, -8),
    `${good}\tz`,
    'A'.repeat(7_000),
    await signPayment(payer(), await offer(), { authorization: { nonce: '0x12' } as never }).catch(() => 'x'),
    await signPayment(payer(), await offer(), { more: { x402Version: 1 } }),
    await signPayment(payer(), await offer(), { payload: { signature: '0x' } }),
  ];
  for (const text of texts) await refuses(text, 400, 'invalid_payment');
  assert.equal(facilitator.asked.length, 0);
});

test('a facilitator that is down, slow or talks nonsense is 503 without data, and nothing is charged', async () => {
  const account = payer();
  const offered = await offer();
  for (const fault of ['error', 'garbage', 'other payer', 'silent'] as const) {
    facilitator.faults.verify = fault;
    const header = await signPayment(account, offered);
    const passed = ownTime();
    await refuses(header, 503, 'facilitator_away');
    assert.ok(passed() < 7_000, fault);
    facilitator.faults.verify = null;
    assert.equal((await ask(rating, { 'payment-signature': header })).status, 200, `good again after ${fault}`);
  }
  assert.equal(facilitator.balances.get(account.address.toLowerCase()), 800_000n);
});

test('a payment that is not settled is 402, one of which nobody says so is 503; neither brings data, nor is good again', async () => {
  const account = payer();
  facilitator.beforeSettle = () => facilitator.balances.set(account.address.toLowerCase(), 0n);
  const header = await signPayment(account, await offer());
  const reply = await ask(rating, { 'payment-signature': header });
  const text = await reply.text();
  assert.equal(reply.status, 402);
  assert.ok(!text.includes('"score"') && !text.includes('Tidewell'));
  const settlement = decoded(reply.headers.get('payment-response'));
  assert.deepEqual([settlement.success, settlement.errorReason], [false, 'insufficient_funds']);
  assert.equal((JSON.parse(text) as Refused).code, 'payment_not_settled');
  assert.equal(reply.headers.get('etag'), null);
  facilitator.beforeSettle = () => undefined;
  facilitator.balances.set(account.address.toLowerCase(), 1_000_000n);
  await refuses(header, 402, 'payment_refused', 'authorization_already_used');

  for (const fault of ['error', 'garbage', 'no transaction'] as const) {
    facilitator.faults.settle = fault;
    const unclear = await signPayment(account, await offer());
    await refuses(unclear, 503, 'facilitator_away');
    facilitator.faults.settle = null;
    facilitator.settled.length = 0;
    await refuses(unclear, 402, 'payment_refused', 'authorization_already_used');
  }
});

test('a request with a key is never charged, and a wrong key is not sold to', async () => {
  const header = await signPayment(payer(), await offer());
  const keyed = await world.call(rating, { headers: { 'payment-signature': header } });
  assert.equal(keyed.status, 200);
  assert.equal(keyed.headers.get('payment-response'), null);
  for (const [name, value] of [
    ['x-api-key', 'ak_live_wrong'],
    ['authorization', 'Bearer ak_live_wrong'],
  ] as const) {
    const wrong = await ask(rating, { [name]: value, 'payment-signature': header });
    assert.equal(wrong.status, 401);
  }
  assert.equal((await ask(`${rating}?api_key=${world.key}`, { 'payment-signature': header })).status, 401);
  assert.equal(facilitator.asked.length, 0);
});

test('nothing but plain reads is sold', async () => {
  const header = await signPayment(payer(), await offer());
  const sent = { 'payment-signature': header };
  for (const [method, path] of [
    ['GET', `${rating}?fresh=true`],
    ['GET', '/v1/usage'],
    ['GET', '/v1/rms'],
    ['GET', '/v1/admin/keys'],
    ['POST', '/v1/score'],
    ['POST', '/v1/rms/batch'],
    ['DELETE', snapshot.replace('/market', '/index').replace('/snapshot', '')],
    ['HEAD', rating],
  ] as const) {
    const reply = await fetch(world.service.url + path, { method, headers: sent });
    assert.equal(reply.status, 401, `${method} ${path}`);
  }
  const guessed = await ask(rating, { 'x-assay-payment': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' });
  assert.equal(guessed.status, 402);
  assert.equal(facilitator.asked.length, 0);
});

test('a tag brings no free answer', async () => {
  const { reply } = await pay();
  const etag = reply.headers.get('etag') ?? '';
  assert.notEqual(etag, '');
  const header = await signPayment(payer(), await offer());
  const again = await ask(rating, { 'payment-signature': header, 'if-none-match': etag });
  assert.equal(again.status, 200);
  assert.ok(again.headers.get('payment-response'));
});

test('members that a caller adds do not travel to the facilitator', async () => {
  const { reply } = await pay({
    more: { resource: { url: 'https://elsewhere.example/' }, extensions: { odd: 1 } },
    accepted: { extra: { name: 'Other', version: '9' } },
  });
  assert.equal(reply.status, 200);
  assert.ok(facilitator.asked.length === 2);
  for (const { body } of facilitator.asked) assert.ok(!/elsewhere|odd|Other/.test(body));
});

test('what was paid is on record: the payment with its transaction, and the use of its payer', async () => {
  const { account, reply } = await pay();
  const { transaction } = decoded(reply.headers.get('payment-response'));
  const address = account.address.toLowerCase();
  const { db } = database.store;
  const payments = await sql<Record<string, unknown>>`
    select state, amount, price_class, resource, transaction_hash, reason, ended_at >= claimed_at as "inOrder"
    from payments where payer = ${address}`.execute(db);
  assert.deepEqual(payments.rows, [
    {
      state: 'settled',
      amount: '50000',
      price_class: 'ratings',
      resource: rating,
      transaction_hash: transaction,
      reason: null,
      inOrder: true,
    },
  ]);
  await ask(rating, { 'payment-signature': await signPayment(payer(1n), await offer()) });
  for (const until = Date.now() + 5_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const used = await sql<Record<string, unknown>>`
      select endpoint_group, plan, requests::int, billable::int from usage_days where account_id = ${`x402_${address}`}`.execute(
      db,
    );
    if (used.rows.length === 0 && Date.now() < until) continue;
    assert.deepEqual(used.rows, [{ endpoint_group: 'rms', plan: 'RATING', requests: 1, billable: 1 }]);
    break;
  }
  const left = await sql<{ state: string }>`select distinct state from payments order by state`.execute(db);
  assert.ok(left.rows.every(({ state }) => state !== 'claimed'));
});

test('the plans say what is sold, where and for how much', async () => {
  const list = (await (await ask('/v1/plans')).json()) as { pay_per_call: unknown };
  assert.deepEqual(list.pay_per_call, {
    protocol: 'x402',
    network: NETWORK,
    token: TOKEN,
    token_name: 'USDC',
    pay_to: PAY_TO,
    prices: [
      { class: 'ratings', price: '0.05', plan: 'RATING', amount: '50000' },
      { class: 'snapshots', price: '0.02', plan: 'CHAIN-7500', amount: '20000' },
    ],
  });
});

test('a receipt says what was bought, and what was corrected since; who has none learns nothing', async () => {
  const { account, reply } = await pay();
  const receipt = reply.headers.get('assay-receipt') ?? '';
  assert.match(receipt, /^rcpt_[\w-]{43}$/);
  const read = async (text: string) => {
    const found = await ask(`/v1/receipts/${text}`);
    return { status: found.status, cache: found.headers.get('cache-control'), body: (await found.json()) as Receipt };
  };
  const first = await read(receipt);
  assert.deepEqual([first.status, first.cache], [200, 'private, no-store']);
  assert.ok(Compile(ReceiptView).Check(first.body), JSON.stringify(first.body));
  assert.deepEqual(
    [first.body.class, first.body.resource, first.body.amount, first.body.payer, first.body.corrections],
    ['ratings', rating, '50000', account.address.toLowerCase(), []],
  );
  assert.equal(first.body.transaction, decoded(reply.headers.get('payment-response')).transaction);

  const other = await pay(undefined, payer(), snapshot);
  const {
    asset,
    as_of: ratingAsOf,
    job_id: jobId,
  } = (await reply.json()) as {
    readonly asset: Asset;
    readonly as_of: string;
    readonly job_id: string;
  };
  const { db } = database.store;
  const { id: ratingId } = await db
    .selectFrom('published_ratings')
    .select('id')
    .where('asset_id', '=', asset.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await eventually(async () => {
    const noted =
      await sql`select 1 from rating_reads where account_id = ${`x402_${account.address.toLowerCase()}`}`.execute(db);
    return noted.rows.length > 0;
  });
  await db.transaction().execute((transaction) =>
    tellCorrection(transaction, {
      restatementId: 77,
      ratingId,
      asset,
      ratingAsOf,
      jobId,
      reason: 'a market was another coin’s',
      before: { band: 'BBB', score: 62.5 },
      after: { band: 'B', score: 48 },
      madeAt: new Date().toISOString(),
    }),
  );
  const told = await read(receipt);
  assert.ok(Compile(ReceiptView).Check(told.body), JSON.stringify(told.body));
  assert.deepEqual(
    told.body.corrections.map(({ kind, asset_id, details }) => [kind, asset_id, 'after' in details && details.after]),
    [['correction', asset.id, { band: 'B', score: 48 }]],
  );
  // Who bought something else was told nothing wrong.
  const apart = await read(other.reply.headers.get('assay-receipt') ?? '');
  assert.deepEqual([apart.body.class, apart.body.resource, apart.body.corrections], ['snapshots', snapshot, []]);

  for (const wrong of [`rcpt_${'A'.repeat(43)}`, receipt.slice(0, -1), receipt.toUpperCase(), '%00', 'x'.repeat(90)])
    assert.deepEqual([wrong, (await read(wrong)).status], [wrong, 404]);
  const { rows } = await sql<{ text: string }>`select payments::text as text from payments`.execute(db);
  assert.ok(
    rows.every(({ text }) => !text.includes(receipt)),
    'the store has its hash alone',
  );
  facilitator.faults.settle = 'error';
  const unpaid = await ask(rating, { 'payment-signature': await signPayment(payer(), await offer()) });
  assert.deepEqual([unpaid.status, unpaid.headers.get('assay-receipt')], [503, null]);
});

test('old payments are deleted, but none whose authorisation could be used again', async () => {
  const { db } = database.store;
  const now = Math.floor(Date.now() / 1000);
  const day = 86_400;
  const account = payer();
  const end = async (validBefore: number | bigint) => {
    const header = await signPayment(account, await offer(), { authorization: { validBefore: String(validBefore) } });
    assert.equal((await ask(rating, { 'payment-signature': header })).status, 200);
    return header;
  };
  const over = await end(now + 600);
  const open = await end(now + 40 * day);
  const endless = await end(2n ** 256n - 1n);
  const nonceOf = (header: string) => decoded(header).payload.authorization.nonce.toLowerCase() as string;
  const left = async () => {
    const rows = await db
      .selectFrom('payments')
      .select('nonce')
      .where('payer', '=', account.address.toLowerCase())
      .execute();
    return rows.map(({ nonce }) => nonce).sort();
  };
  const forget = async (days: number | null, afterDays: number) => {
    const clock = () => Date.now() + afterDays * day * 1000;
    await forgetPayments(days, { db, clock, onError: (error) => assert.fail(String(error)) }).close();
  };
  const all = [over, open, endless].map(nonceOf).sort();
  await forget(30, 29);
  assert.deepEqual(await left(), all, 'not old enough');
  await forget(null, 10_000);
  assert.deepEqual(await left(), all, 'kept for good');
  await forget(30, 31);
  assert.deepEqual(await left(), [open, endless].map(nonceOf).sort());
  await refuses(open, 402, 'payment_refused');
  await refuses(endless, 402, 'payment_refused');
  await forget(30, 41);
  assert.deepEqual(await left(), [nonceOf(endless)]);
});

test('an address that tries too many payments is told to wait, and the facilitator is left alone', async () => {
  const header = Buffer.from('{}').toString('base64');
  const statuses = new Set<number>();
  for (let round = 0; round < 121; round += 1)
    statuses.add((await ask(rating, { 'payment-signature': header })).status);
  assert.deepEqual([...statuses].sort(), [400, 429]);
  assert.equal((await ask(rating)).status, 402, 'the price is told all the same');
  assert.equal(facilitator.asked.length, 0);
});

test('without the setting a request without a key is 401 as ever', async () => {
  const plain = await testService();
  try {
    const reply = await fetch(plain.service.url + rating, { headers: { 'payment-signature': 'x' } });
    assert.equal(reply.status, 401);
    assert.equal(reply.headers.get('payment-required'), null);
  } finally {
    await plain.close();
  }
});
