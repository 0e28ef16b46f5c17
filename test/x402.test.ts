import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { ownTime } from '../src/upstream/fixtures/own-time.ts';
import { type Changes, signPayment } from './support/facilitator.ts';
import { decoded, NETWORK, PAY_TO, type PaidWorld, paidWorld, type Refused, TOKEN } from './support/paid-world.ts';
import { testService } from './support/service.ts';

let paid: PaidWorld;
before(async () => {
  paid = await paidWorld();
});
after(() => paid?.close());
afterEach(() => paid.heal());

test('a request without a key gets the price, in header and body alike, and nothing else', async () => {
  const { facilitator, world, rating, snapshot, ask } = paid;
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

test('a signed payment is verified, settled, and the reply has the rating and the settlement', async () => {
  const { facilitator, world, rating, pay } = paid;
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
  const { rating, ask, payer, offer } = paid;
  const header = await signPayment(payer(), await offer());
  const reply = await ask(rating, { 'payment-signature': header, 'accept-encoding': 'gzip' });
  assert.equal(reply.headers.get('content-encoding'), 'gzip');
  assert.equal(((await reply.json()) as { asset: { name: string } }).asset.name, 'Tidewell');
});

test('a snapshot is sold at its own price; what is not there is not charged and the authorisation stays good', async () => {
  const { facilitator, world, rating, snapshot, ask, payer, offer, pay } = paid;
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
  const { facilitator, rating, snapshot, ask, offer, pay, refuses } = paid;
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
  const { facilitator, pay, refuses } = paid;
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
  const { facilitator, payer, offer, refuses } = paid;
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

test('forged signatures, other domains and empty purses are refused by the facilitator’s verdict', async () => {
  const { facilitator, payer, offer, refuses } = paid;
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
  const { facilitator, payer, offer, refuses } = paid;
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
  const { facilitator, rating, ask, payer, offer, refuses } = paid;
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

test('an unsettled payment is 402, one with an unknown outcome is 503; neither returns data, nor can be used again', async () => {
  const { facilitator, rating, ask, payer, offer, refuses } = paid;
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
});

test('an unknown outcome is 503: the same payment can be sent again for the same, and is settled at most once', async () => {
  const { facilitator, rating, snapshot, ask, payer, offer } = paid;
  const account = payer();
  const offered = await offer();
  for (const fault of ['error', 'garbage', 'no transaction'] as const) {
    facilitator.faults.settle = fault;
    const header = await signPayment(account, offered);
    const sent = { 'payment-signature': header };
    const reply = await ask(rating, sent);
    const text = await reply.text();
    const { code, retry } = JSON.parse(text) as { code: string; retry: string };
    assert.deepEqual(
      [reply.status, code, retry, text.includes('"score"')],
      [503, 'payment_outcome_unknown', 'after', false],
    );
    const receipt = reply.headers.get('assay-receipt') ?? '';
    const read = async (of: string) => {
      const { state, paid_at: paidAt } = (await (await ask(`/v1/receipts/${of}`)).json()) as Record<string, unknown>;
      return [state, paidAt === null];
    };
    assert.deepEqual(await read(receipt), ['unknown', true]);
    facilitator.faults.settle = null;
    assert.equal((await ask(snapshot, sent)).status, 402, 'not for something else');
    const wasMade = fault === 'no transaction';
    const again = await Promise.all(Array.from({ length: 6 }, () => ask(rating, sent)));
    const statuses = again.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, wasMade ? 0 : 1, String(statuses));
    assert.equal(
      facilitator.settled.filter(({ nonce }) => nonce === decoded(header).payload.authorization.nonce).length,
      1,
    );
    if (wasMade) {
      assert.ok(statuses.every((status) => status === 503 || status === 402));
      assert.deepEqual(await read(receipt), ['unknown', true], 'still asked for by the first receipt');
    } else {
      const bought = again.find(({ status }) => status === 200)?.headers.get('assay-receipt') ?? '';
      assert.deepEqual(await read(bought), ['settled', false]);
      assert.equal((await ask(rating, sent)).status, 402);
    }
  }
  assert.equal(facilitator.balances.get(account.address.toLowerCase()), 850_000n);
});

test('a payment that a process had claimed when it died can be sent again for the same, once it is certain that it died', async () => {
  const { facilitator, rating, snapshot, ask, payer, offer, database } = paid;
  const account = payer();
  facilitator.faults.settle = 'error';
  const sent = { 'payment-signature': await signPayment(account, await offer()) };
  assert.equal((await ask(rating, sent)).status, 503);
  facilitator.faults.settle = null;
  const claimed = (minutes: number) =>
    database.store.db
      .updateTable('payments')
      .set({ state: 'claimed', ended_at: null, claimed_at: new Date(Date.now() - minutes * 60_000).toISOString() })
      .where('payer', '=', account.address.toLowerCase())
      .execute();
  await claimed(10);
  assert.equal((await ask(rating, sent)).status, 402, 'the process may still be at it');
  await claimed(60);
  assert.equal((await ask(snapshot, sent)).status, 402, 'not for something else');
  const again = await Promise.all(Array.from({ length: 6 }, () => ask(rating, sent)));
  assert.deepEqual(again.map(({ status }) => status).sort(), [200, ...Array(5).fill(402)]);
  assert.equal(facilitator.settled.filter(({ from }) => from === account.address).length, 1);
});

test('a request with a key is never charged, and a wrong key is not sold to', async () => {
  const { facilitator, world, rating, ask, payer, offer } = paid;
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
  const { facilitator, world, rating, snapshot, ask, payer, offer } = paid;
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

test('a tag gives no free reply', async () => {
  const { rating, ask, payer, offer, pay } = paid;
  const { reply } = await pay();
  const etag = reply.headers.get('etag') ?? '';
  assert.notEqual(etag, '');
  const header = await signPayment(payer(), await offer());
  const again = await ask(rating, { 'payment-signature': header, 'if-none-match': etag });
  assert.equal(again.status, 200);
  assert.ok(again.headers.get('payment-response'));
});

test('members that a caller adds do not travel to the facilitator', async () => {
  const { facilitator, pay } = paid;
  const { reply } = await pay({
    more: { resource: { url: 'https://elsewhere.example/' }, extensions: { odd: 1 } },
    accepted: { extra: { name: 'Other', version: '9' } },
  });
  assert.equal(reply.status, 200);
  assert.ok(facilitator.asked.length === 2);
  for (const { body } of facilitator.asked) assert.ok(!/elsewhere|odd|Other/.test(body));
});

test('the plans state what is sold, where and for how much', async () => {
  const { ask } = paid;
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

test('an address that tries too many payments has to wait, and the facilitator gets no requests', async () => {
  const { facilitator, rating, ask } = paid;
  const header = Buffer.from('{}').toString('base64');
  const statuses = new Set<number>();
  for (let round = 0; round < 121; round += 1)
    statuses.add((await ask(rating, { 'payment-signature': header })).status);
  assert.deepEqual([...statuses].sort(), [400, 429]);
  assert.equal((await ask(rating)).status, 402, 'the price is told all the same');
  assert.equal(facilitator.asked.length, 0);
});

test('without the setting a request without a key is 401 as ever', async () => {
  const { rating } = paid;
  const plain = await testService();
  try {
    const reply = await fetch(plain.service.url + rating, { headers: { 'payment-signature': 'x' } });
    assert.equal(reply.status, 401);
    assert.equal(reply.headers.get('payment-required'), null);
  } finally {
    await plain.close();
  }
});
