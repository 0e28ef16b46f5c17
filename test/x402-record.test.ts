import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { Compile } from 'typebox/compile';
import { ReceiptView, type Reply } from '../src/contract/index.ts';
import { notifyCorrection } from '../src/disclosure/corrections.ts';
import type { Asset } from '../src/domain/asset.ts';
import { forgetPayments } from '../src/payments/index.ts';
import { endPayment } from '../src/store/payments.ts';
import { signPayment } from './support/facilitator.ts';
import { decoded, type PaidWorld, paidWorld } from './support/paid-world.ts';

let paid: PaidWorld;
before(async () => {
  paid = await paidWorld();
});
after(() => paid?.close());
afterEach(() => paid.heal());

type Receipt = Reply<typeof ReceiptView>;

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < until, 'it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('what was paid is on record: the payment with its transaction, and the use of its payer', async () => {
  const { database, rating, ask, payer, offer, pay } = paid;
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

test('a receipt lists the purchase and later corrections; without one nothing is shown', async () => {
  const { facilitator, database, rating, snapshot, ask, payer, offer, pay } = paid;
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
    notifyCorrection(transaction, {
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
  // What was corrected before the purchase was bought as corrected.
  await db.transaction().execute((transaction) =>
    notifyCorrection(transaction, {
      restatementId: 76,
      ratingId,
      asset,
      ratingAsOf,
      jobId,
      reason: 'an earlier one',
      before: { band: 'A', score: 75 },
      after: { band: 'BBB', score: 62.5 },
      madeAt: new Date(Date.now() - 7_200_000).toISOString(),
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
  assert.equal(unpaid.status, 503);
  const unclear = await read(unpaid.headers.get('assay-receipt') ?? '');
  assert.ok(Compile(ReceiptView).Check(unclear.body), JSON.stringify(unclear.body));
  assert.deepEqual([unclear.body.state, unclear.body.transaction, unclear.body.corrections], ['unknown', null, []]);
});

test('a settlement that the database could not take is recorded later, and its receipt holds', async () => {
  const { database, ask, pay } = paid;
  const { db } = database.store;
  await sql`alter table payments add constraint refused_for_now check (state <> 'settled') not valid`.execute(db);
  const { reply } = await pay().finally(() => sql`alter table payments drop constraint refused_for_now`.execute(db));
  assert.equal(reply.status, 200);
  const receipt = reply.headers.get('assay-receipt') ?? '';
  const state = async () => ((await (await ask(`/v1/receipts/${receipt}`)).json()) as Receipt).state;
  assert.equal(await state(), 'unknown');
  await eventually(async () => (await state()) === 'settled');
});

test('an outcome of an earlier attempt that is recorded late does not undo a settlement', async () => {
  const { database, ask, pay } = paid;
  const { db } = database.store;
  const { account, reply } = await pay();
  const receipt = reply.headers.get('assay-receipt') ?? '';
  const { network, token, payer, nonce } = await db
    .selectFrom('payments')
    .selectAll()
    .where('payer', '=', account.address.toLowerCase())
    .executeTakeFirstOrThrow();
  // A process whose database was away, and for whose payment another one with a clock ahead took over.
  const late = { state: 'unknown', transactionHash: null, reason: 'timeout', receiptSha256: '0'.repeat(64) } as const;
  await endPayment(db, { network, token, payer, nonce }, late, new Date().toISOString());
  const read = await ask(`/v1/receipts/${receipt}`);
  assert.deepEqual([read.status, ((await read.json()) as Receipt).state], [200, 'settled']);
});

test('expired payments are deleted, but none whose authorisation could be used again', async () => {
  const { database, rating, ask, payer, offer, refuses } = paid;
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
