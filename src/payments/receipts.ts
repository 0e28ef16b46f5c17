import { createHash, randomBytes } from 'node:crypto';
import type { PriceClass } from '../access/index.ts';
import { type Database, paymentOfReceipt } from '../store/index.ts';

/** 256 bits, so that it cannot be guessed; the store has only its hash. */
const RECEIPT = /^rcpt_[A-Za-z0-9_-]{43}$/;

/** The purchase of one payment. */
export interface Purchase {
  /** `unknown`: the facilitator did not say whether it made the transfer, or the outcome is not on record yet. */
  readonly state: 'settled' | 'unknown';
  readonly priceClass: PriceClass;
  /** Path of the request. */
  readonly resource: string;
  /** CAIP-2 id of the chain of the payment. */
  readonly network: string;
  readonly token: string;
  /** Units of the token. */
  readonly amount: string;
  readonly payer: string;
  readonly transaction: string | null;
  /** RFC 3339; null unless settled. */
  readonly paidAt: string | null;
}

export function newReceipt(): string {
  return `rcpt_${randomBytes(32).toString('base64url')}`;
}

export function receiptHash(receipt: string): string {
  return createHash('sha256').update(receipt).digest('hex');
}

/** The account under which requests of a payer are recorded. */
export function payerAccount(payer: string): string {
  return `x402_${payer}`;
}

/** The purchase of a receipt; null when the receipt is unknown, or its payment was deleted (`ASSAY_X402_KEEP_DAYS`). */
export async function purchaseOf(db: Database, receipt: string): Promise<Purchase | null> {
  if (!RECEIPT.test(receipt)) return null;
  const row = await paymentOfReceipt(db, receiptHash(receipt));
  if (row === null) return null;
  const { state, network, token, payer, amount, resource, price_class, transaction_hash, ended_at } = row;
  const isSettled = state === 'settled';
  return {
    state: isSettled ? 'settled' : 'unknown',
    priceClass: price_class as PriceClass,
    resource,
    network,
    token,
    amount,
    payer,
    transaction: transaction_hash,
    paidAt: isSettled ? ended_at : null,
  };
}
