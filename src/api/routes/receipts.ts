import { problems, ReceiptParams, ReceiptView, viewOf } from '../../contract/index.ts';
import type { AlertBook } from '../../monitoring/index.ts';
import { type Purchase, payerAccount } from '../../payments/index.ts';
import type { ApiContext } from '../context.ts';
import { addressLimit, tooOften } from '../public/address-limit.ts';
import { notFound, refuse } from '../replies/problems.ts';
import { unkeyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

/** Reads per address and minute. */
const READS = 60;
const MOST_CORRECTIONS = 100;
const MOST_SETTLING_MS = 60_000;

/**
 * What was bought with a payment, and what was corrected since. A payer has no account that could be notified. The
 * receipt itself authorises the request, even where nothing is sold any more.
 */
export function receiptRoutes(
  server: Routes,
  { clientAddress, now, dataMode }: ApiContext,
  { book, find }: { readonly book: AlertBook; readonly find: (receipt: string) => Promise<Purchase | null> },
): void {
  const limit = addressLimit(READS, 60_000, now);
  server.get(
    '/v1/receipts/:receipt',
    unkeyed('payments', {
      operationId: 'getReceipt',
      summary: 'What was bought with one payment, and what was corrected since',
      description:
        'For who paid for a single request (x402) and has no key: `receipt` is the header `Assay-Receipt` of the reply. Whoever has it may read this; repeat the request from time to time.',
      params: ReceiptParams,
      response: { 200: ReceiptView, ...problems(404, 429) },
    }),
    async (request, reply) => {
      const seconds = limit.take(clientAddress(request.raw));
      if (seconds !== null) return refuse(tooOften(seconds));
      const purchase = (await find(request.params.receipt)) ?? refuse(NO_RECEIPT);
      const corrections =
        purchase.paidAt === null
          ? []
          : await book.page(
              payerAccount(purchase.payer),
              { kind: 'correction', assetId: null, acknowledged: null, since: readSince(purchase.paidAt) },
              { before: null, limit: MOST_CORRECTIONS },
            );
      const { priceClass, ...bought } = purchase;
      return reply
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer')
        .send(viewOf(ReceiptView, { ...bought, class: priceClass, corrections, dataMode }));
    },
  );
}

/** The earliest time at which a delivered reply was read: the payment is settled after the reply is made. */
function readSince(paidAt: string): string {
  return new Date(Date.parse(paidAt) - MOST_SETTLING_MS).toISOString();
}

const NO_RECEIPT = notFound(
  'receipt_not_found',
  'No such receipt is known',
  'Send the header Assay-Receipt of a reply that was paid for, as it came. Operators may delete old payments.',
);
