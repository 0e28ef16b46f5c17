import { type PayPerCall, type PlanBook, PRICE_CLASSES, type PriceClass } from '../access/index.ts';
import type { Config } from '../config/index.ts';
import { DAY_MS, ok, type Result } from '../domain/index.ts';
import {
  claimPayment,
  claimPaymentAgain,
  type Database,
  deleteOldPayments,
  endPayment,
  leavePaymentUnknown,
  type PaymentEnd,
  type PaymentName,
  releasePayment,
} from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { openFacilitator, type Settlement } from './facilitator.ts';
import {
  type PaymentFault,
  type PaymentRequired,
  type PaymentRequirements,
  type ResourceInfo,
  readPayment,
  unitsOf,
  untimely,
  X402_VERSION,
} from './protocol.ts';
import { newReceipt, receiptHash } from './receipts.ts';

/**
 * A payment that was claimed this long ago and has no outcome is of a process that died: a request, its settlement and
 * the attempts to record it (`RECORD_AGAIN_MS`) are over by then.
 */
const ABANDONED_MS = 30 * 60_000;
/** Seconds from the offer to the end of the authorisation that clients sign for. */
const MOST_TIMEOUT_SECONDS = 60;
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799n;
const PRUNE_EVERY_MS = 3_600_000;
const DELETED_AT_ONCE = 1_000;
/** Pauses before an outcome that could not be recorded is recorded again. */
const RECORD_AGAIN_MS = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/** A verified payment whose authorisation is claimed for this one request. */
export interface TakenPayment {
  /** Address in lower case. */
  readonly payer: string;
  /** The plan that applies to the request. */
  readonly plan: string;
  readonly network: string;
  /** Receipt for reading about the purchase, once the payment is settled. */
  readonly receipt: string;
  /** It was sent before, with an unknown outcome: the earlier receipt is valid until this one is settled. */
  readonly isAgain: boolean;
  /** Nothing was delivered: the authorisation may be used for another request, or for this one if it was used before. */
  release(): Promise<void>;
  /** Settles the transfer and records the outcome. */
  settle(): Promise<Settlement>;
}

/** The requests for sale and their prices, as in `GET /v1/plans`. */
export interface PaymentTerms {
  readonly network: string;
  readonly token: string;
  readonly tokenName: string;
  readonly payTo: string;
  readonly prices: readonly {
    readonly class: PriceClass;
    /** Whole tokens. */
    readonly price: string;
    /** Units of the token. */
    readonly amount: string;
    readonly plan: string;
  }[];
}

/** Single requests sold without a key. */
export interface Payments {
  readonly terms: PaymentTerms;
  /** The offer for a request, with the reason why it was refused. `url` is the URL of the request. */
  offer(priceClass: PriceClass, url: string, error: string): PaymentRequired;
  /**
   * Checks a `PAYMENT-SIGNATURE` header, has the facilitator verify it and claims its nonce. `away`: the facilitator
   * returned no usable reply.
   */
  take(
    priceClass: PriceClass,
    url: string,
    header: string,
  ): Promise<Result<TakenPayment, PaymentFault | { readonly fault: 'away' }>>;
}

export interface PaymentTools {
  readonly db: Database;
  readonly plans: PlanBook;
  readonly upstream: Pick<Upstream, 'request' | 'setBudget'>;
  /** Milliseconds by the system clock, which chains use too. */
  readonly clock: () => number;
  readonly onError: (error: unknown, what: string) => void;
}

type PaymentSettings = Pick<
  Config,
  | 'x402Facilitator'
  | 'x402PayTo'
  | 'x402Network'
  | 'x402Token'
  | 'x402TokenName'
  | 'x402TokenVersion'
  | 'x402TokenDecimals'
>;

/**
 * Creates payments from the settings and the plans file; undefined when nothing is sold. Throws when the plans file has
 * no prices, or prices with more decimals than the token, so that the service does not start with them.
 */
export function openPayments(config: PaymentSettings, tools: PaymentTools): Payments | undefined {
  const { x402Facilitator: base, x402PayTo: payTo, x402Network: network, x402Token: asset } = config;
  if (base === null || payTo === null || network === null || asset === null) return undefined;
  const { db, plans, clock, onError } = tools;
  const prices = plans.payPerCall;
  if (prices === null) throw new Error('ASSAY_X402_FACILITATOR is set, but the plans file has no pay_per_call');
  const extra = { name: config.x402TokenName, version: config.x402TokenVersion };
  const common = { scheme: 'exact', network, asset, payTo, maxTimeoutSeconds: MOST_TIMEOUT_SECONDS, extra } as const;
  const wantedOf: Readonly<Record<PriceClass, PaymentRequirements>> = {
    ratings: { ...common, amount: amountOf(prices, 'ratings', config.x402TokenDecimals) },
    snapshots: { ...common, amount: amountOf(prices, 'snapshots', config.x402TokenDecimals) },
  };
  const facilitator = openFacilitator(base, tools.upstream);
  const date = () => new Date(clock()).toISOString();
  return {
    terms: {
      network,
      token: asset,
      tokenName: config.x402TokenName,
      payTo,
      prices: PRICE_CLASSES.map((name) => ({ class: name, ...prices[name], amount: wantedOf[name].amount })),
    },
    offer: (priceClass, url, error) => ({
      x402Version: X402_VERSION,
      error,
      resource: resourceOf(priceClass, url),
      accepts: [wantedOf[priceClass]],
    }),
    async take(priceClass, url, header) {
      const wanted = wantedOf[priceClass];
      const read = readPayment(header, wanted);
      if (!read.ok) return read;
      const payment = [read.value, wanted, resourceOf(priceClass, url)] as const;
      const { from, nonce } = read.value.authorization;
      const payer = from.toLowerCase();
      const name = { network, token: asset.toLowerCase(), payer, nonce: nonce.toLowerCase() };
      const path = new URL(url).pathname.slice(0, 500);
      const receipt = newReceipt();
      const receiptSha256 = receiptHash(receipt);
      const purchase = { amount: wanted.amount, priceClass, resource: path };
      // Not verified again: a facilitator refuses to verify an authorisation whose transfer was made.
      const abandonedBefore = new Date(clock() - ABANDONED_MS).toISOString();
      const isAgain = await claimPaymentAgain(db, name, purchase, { at: date(), abandonedBefore });
      if (!isAgain) {
        const fault = untimely(read.value, clock() / 1000);
        if (fault !== null) return { ok: false, ...fault };
        const verified = await facilitator.verify(...payment);
        if (verified.is === 'invalid') return { ok: false, fault: 'refused', reason: verified.reason };
        if (verified.is === 'away') {
          onError(new Error(verified.detail), 'the facilitator verified nothing');
          return { ok: false, fault: 'away' };
        }
        const validBefore = endOf(read.value.authorization.validBefore);
        if (!(await claimPayment(db, name, { ...purchase, at: date(), validBefore, receiptSha256 })))
          return { ok: false, fault: 'refused', reason: 'authorization_already_used' };
      }
      return ok({
        payer,
        plan: prices[priceClass].plan,
        network,
        receipt,
        isAgain,
        release: () => (isAgain ? leavePaymentUnknown(db, name) : releasePayment(db, name)),
        async settle() {
          const settled = await facilitator.settle(...payment);
          if (settled.is === 'unknown') onError(new Error(settled.detail), 'a payment may have been settled or not');
          if (isAgain && settled.is !== 'settled') {
            // The first attempt may have made the transfer for which this one was refused. Its receipt stays valid.
            await leavePaymentUnknown(db, name).catch((error: unknown) => onError(error, NOT_RECORDED));
            return { is: 'unknown', detail: settled.is === 'refused' ? settled.reason : settled.detail };
          }
          const end: PaymentEnd = {
            state: settled.is,
            transactionHash: settled.is === 'settled' ? settled.transaction : null,
            reason: settled.is === 'settled' ? null : settled.is === 'refused' ? settled.reason : settled.detail,
            receiptSha256,
          };
          // A paid request is delivered even when the settlement could not be recorded: the claim already prevents a
          // second use.
          await record({ db, onError }, name, end, date());
          return settled;
        },
      });
    },
  };
}

const NOT_RECORDED = 'noting how a payment ended';

/** Records an outcome. Where the database fails, it is tried again later without being waited for. */
async function record(
  tools: Pick<PaymentTools, 'db' | 'onError'>,
  name: PaymentName,
  end: PaymentEnd,
  at: string,
  attempt = 0,
): Promise<void> {
  try {
    await endPayment(tools.db, name, end, at);
  } catch (error) {
    tools.onError(error, NOT_RECORDED);
    const pause = RECORD_AGAIN_MS[attempt];
    if (pause !== undefined) setTimeout(() => void record(tools, name, end, at, attempt + 1), pause).unref();
  }
}

/** Seconds since the epoch as a time for the store. */
function endOf(seconds: string): string {
  const value = BigInt(seconds);
  return value > LAST_SECOND ? 'infinity' : new Date(Number(value) * 1000).toISOString();
}

function amountOf(prices: PayPerCall, priceClass: PriceClass, decimals: number): string {
  const amount = unitsOf(prices[priceClass].price, decimals);
  if (amount === null)
    throw new Error(`the plans file prices ${priceClass} finer than the ${decimals} decimals of ASSAY_X402_TOKEN`);
  return amount;
}

/**
 * Deletes payments that are older than `days` and can no longer be used, now and every hour, even if nothing is sold at
 * present. Null keeps all of them.
 */
export function forgetPayments(
  days: number | null,
  { db, clock, onError }: Pick<PaymentTools, 'db' | 'clock' | 'onError'>,
): { readonly close: () => Promise<void> } {
  if (days === null) return { close: async () => undefined };
  let closed = false;
  let running = Promise.resolve();
  const prune = async () => {
    const now = new Date(clock()).toISOString();
    const claimedBefore = new Date(clock() - days * DAY_MS).toISOString();
    const query = { claimedBefore, now, limit: DELETED_AT_ONCE };
    let deleted: number;
    do deleted = await deleteOldPayments(db, query);
    while (!closed && deleted === DELETED_AT_ONCE);
  };
  const turn = () => {
    running = running.then(prune).catch((error: unknown) => onError(error, 'deleting old payments'));
  };
  const timer = setInterval(turn, PRUNE_EVERY_MS).unref();
  turn();
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}

function resourceOf(priceClass: PriceClass, url: string): ResourceInfo {
  const description = priceClass === 'ratings' ? 'A published rating' : 'A snapshot of chain data';
  return { url, description, mimeType: 'application/json' };
}
