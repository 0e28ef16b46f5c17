import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Identity of an authorisation: no two payments have the same four. Addresses and nonce in lower case. */
export interface PaymentName {
  readonly network: string;
  readonly token: string;
  readonly payer: string;
  readonly nonce: string;
}

/** Outcome of a payment. `unknown`: it is not known whether the transfer was made. */
export interface PaymentEnd {
  readonly state: 'settled' | 'refused' | 'unknown';
  /** Null unless settled. */
  readonly transactionHash: string | null;
  readonly reason: string | null;
  /** Hex. */
  readonly receiptSha256: string;
}

/**
 * Claims an authorisation for one request; false when any process claimed it before. `amount` in units of the token.
 */
export async function claimPayment(
  db: Database,
  name: PaymentName,
  what: {
    readonly amount: string;
    readonly priceClass: string;
    readonly resource: string;
    readonly at: string;
    /** When the authorisation expires, RFC 3339; `infinity` where that is beyond the range of dates. */
    readonly validBefore: string;
    /** Hex. */
    readonly receiptSha256: string;
  },
): Promise<boolean> {
  const { amount, priceClass, resource, at, validBefore, receiptSha256 } = what;
  const row = {
    ...name,
    amount,
    price_class: priceClass,
    resource,
    state: 'claimed',
    claimed_at: at,
    valid_before: validBefore,
    receipt_sha256: receiptSha256,
  };
  const made = await db
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('nonce')
    .executeTakeFirst();
  return made !== undefined;
}

/**
 * Claims once more an authorisation whose outcome is not known, for the same purchase; false when there is none in that
 * state. One that was claimed before `abandonedBefore` and never ended is of a process that died: its outcome is not
 * known either. Of several callers at the same time one succeeds.
 */
export async function claimPaymentAgain(
  db: Database,
  name: PaymentName,
  { amount, priceClass, resource }: { readonly amount: string; readonly priceClass: string; readonly resource: string },
  { at, abandonedBefore }: { readonly at: string; readonly abandonedBefore: string },
): Promise<boolean> {
  const claimed = await db
    .updateTable('payments')
    .set({ state: 'claimed', claimed_at: at })
    .where((row) => row.and({ ...name, amount, price_class: priceClass, resource }))
    .where((row) =>
      row.or([
        row('state', '=', 'unknown'),
        row.and([row('state', '=', 'claimed'), row('claimed_at', '<', abandonedBefore)]),
      ]),
    )
    .returning('nonce')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Notes that the outcome of a claimed payment is still unknown, as before it was claimed again. */
export async function leavePaymentUnknown(db: Database, name: PaymentName): Promise<void> {
  await db
    .updateTable('payments')
    .set({ state: 'unknown' })
    .where((row) => row.and({ ...name, state: 'claimed' }))
    .execute();
}

/** Releases an authorisation for which nothing was delivered and nothing settled. */
export async function releasePayment(db: Database, name: PaymentName): Promise<void> {
  await db
    .deleteFrom('payments')
    .where((row) => row.and({ ...name, state: 'claimed' }))
    .execute();
}

/**
 * Stores the outcome of a claimed payment, with the hash of the receipt that its payer gets. A settled payment stays
 * settled: the outcome of an earlier attempt may be recorded late, after a second one settled it.
 */
export async function endPayment(db: Database, name: PaymentName, end: PaymentEnd, at: string): Promise<void> {
  const { state, transactionHash, reason, receiptSha256 } = end;
  await db
    .updateTable('payments')
    .set({ state, transaction_hash: transactionHash, reason, receipt_sha256: receiptSha256, ended_at: at })
    .where((row) => row.and({ ...name }))
    .where('state', '<>', 'settled')
    .execute();
}

/** A payment that was settled or may have been, by the hash of its receipt; null when there is none. */
export function paymentOfReceipt(db: Database, receiptSha256: string) {
  return db
    .selectFrom('payments')
    .select(['state', 'network', 'token', 'payer', 'amount', 'price_class', 'resource', 'transaction_hash', 'ended_at'])
    .where('receipt_sha256', '=', receiptSha256)
    .where('state', 'in', ['settled', 'unknown', 'claimed'])
    .executeTakeFirst()
    .then((row) => row ?? null);
}

/**
 * Deletes up to `limit` payments that were claimed before a time, and whose authorisation has expired since: a valid
 * one could be used once more without its row. Returns the number deleted.
 */
export async function deleteOldPayments(
  db: Database,
  { claimedBefore, now, limit }: { readonly claimedBefore: string; readonly now: string; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from payments where (network, token, payer, nonce) in (
      select network, token, payer, nonce from payments
      where claimed_at < ${claimedBefore}::timestamptz and valid_before < ${now}::timestamptz
      order by claimed_at limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
