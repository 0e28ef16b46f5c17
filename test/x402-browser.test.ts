import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from './support/browser.ts';
import { signPayment } from './support/facilitator.ts';
import { decoded, type PaidWorld, paidWorld, type Refused } from './support/paid-world.ts';

/** What a page reads of a reply; a header that it may not read is null. */
interface Read {
  readonly status: number;
  readonly required: string | null;
  readonly response: string | null;
  readonly receipt: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

let shop: Server;
let paid: PaidWorld;
let browser: Browser;
let page: Page;

describe('a page of another origin pays by x402', { skip: noBrowser }, () => {
  before(async () => {
    shop = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>A shop</title>');
    });
    await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening));
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    paid = await paidWorld({ corsOrigins: [origin] });
    browser = await launchBrowser();
    page = await (await browser.newContext()).newPage();
    await page.goto(origin);
  });
  after(async () => {
    await browser?.close();
    await paid?.close();
    shop?.close();
  });

  test('it reads the offer, sends the payment as @x402/fetch does, and reads settlement and receipt', async () => {
    const offer = await read(paid.rating);
    assert.equal(offer.status, 402);
    assert.deepEqual(decoded(offer.required).accepts, (offer.body as unknown as Refused).accepts);
    const [first] = (offer.body as unknown as Refused).accepts;
    assert.ok(first);
    const account = paid.payer();
    const bought = await read(paid.rating, {
      'PAYMENT-SIGNATURE': await signPayment(account, first),
      // A header of replies, which that client sends with the request all the same.
      'Access-Control-Expose-Headers': 'PAYMENT-RESPONSE,X-PAYMENT-RESPONSE',
    });
    assert.equal(bought.status, 200, JSON.stringify(bought.body));
    const settlement = decoded(bought.response);
    assert.deepEqual([settlement.success, settlement.payer], [true, account.address.toLowerCase()]);
    const receipt = await read(`/v1/receipts/${encodeURIComponent(bought.receipt ?? '')}`);
    assert.deepEqual([receipt.status, receipt.body.transaction], [200, settlement.transaction]);
  });
});

function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Read> {
  return page.evaluate(`(async () => {
    const reply = await fetch(${JSON.stringify(paid.world.service.url + path)}, { headers: ${JSON.stringify(headers)} });
    const header = (name) => reply.headers.get(name);
    return {
      status: reply.status,
      required: header('PAYMENT-REQUIRED'),
      response: header('PAYMENT-RESPONSE'),
      receipt: header('Assay-Receipt'),
      body: await reply.json(),
    };
  })()`) as Promise<Read>;
}
