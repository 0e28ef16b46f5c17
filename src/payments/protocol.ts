import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { ok, type Result } from '../domain/index.ts';

/** The supported version of x402: https://github.com/coinbase/x402, specs/x402-specification-v2.md. */
export const X402_VERSION = 2;

/** Price and payment terms of one request (x402 v2, 5.1.2), with the scheme `exact` of EVM chains. */
export interface PaymentRequirements {
  readonly scheme: 'exact';
  /** CAIP-2. */
  readonly network: string;
  /** Units of the token, decimal. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** The token's EIP-712 domain. */
  readonly extra: { readonly name: string; readonly version: string };
}

export interface ResourceInfo {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
}

/** The reply to a caller without a payment (x402 v2, 5.1). */
export interface PaymentRequired {
  readonly x402Version: typeof X402_VERSION;
  readonly error: string;
  readonly resource: ResourceInfo;
  readonly accepts: readonly PaymentRequirements[];
}

/** An EIP-3009 authorisation with its signature. */
export interface ExactPayload {
  readonly signature: string;
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: string;
    readonly validAfter: string;
    readonly validBefore: string;
    readonly nonce: string;
  };
}

/** Longest header that is accepted, in characters of base64. */
export const MOST_HEADER = 6_144;
/** Seconds that an authorisation must remain valid: verification, the reply and settlement happen within them. */
export const LEAST_VALID_SECONDS = 30;

const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const Decimal = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });
const Payload = Compile(
  Type.Object({
    x402Version: Type.Literal(X402_VERSION),
    accepted: Type.Object({
      scheme: Type.String({ maxLength: 64 }),
      network: Type.String({ maxLength: 64 }),
      amount: Decimal,
      asset: Address,
      payTo: Address,
    }),
    payload: Type.Object({
      // 65 bytes for the signature of a key; those of contract wallets are longer.
      signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){65,1500}$' }),
      authorization: Type.Object({
        from: Address,
        to: Address,
        value: Decimal,
        validAfter: Decimal,
        validBefore: Decimal,
        nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
      }),
    }),
  }),
);

/** Why a payment is refused: `malformed` could not be parsed, `refused` has a code of x402 v2, 9. */
export type PaymentFault =
  | { readonly fault: 'malformed'; readonly detail: string }
  | { readonly fault: 'refused'; readonly reason: string };

type Checked = Result<ExactPayload, PaymentFault>;

/**
 * Parses a `PAYMENT-SIGNATURE` header and checks it against the offer; a header that differs is not sent to the
 * facilitator. The facilitator verifies the signature itself.
 */
export function readPayment(header: string, wanted: PaymentRequirements): Checked {
  if (header.length > MOST_HEADER) return malformed(`expected at most ${MOST_HEADER} characters`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) return malformed('expected base64');
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64')));
  } catch {
    return malformed('expected base64 of JSON in UTF-8');
  }
  if (!Payload.Check(given)) {
    const [first] = Payload.Errors(given);
    return malformed(`expected a PaymentPayload of x402 version 2; ${first?.instancePath || '/'} is not right`);
  }
  const { accepted, payload } = given;
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  if (accepted.scheme !== wanted.scheme) return refused('unsupported_scheme');
  if (accepted.network !== wanted.network) return refused('invalid_network');
  if (!same(accepted.asset, wanted.asset)) return refused('invalid_payment_requirements');
  if (accepted.amount !== wanted.amount || value !== wanted.amount)
    return refused('invalid_exact_evm_payload_authorization_value');
  if (!same(accepted.payTo, wanted.payTo) || !same(to, wanted.payTo))
    return refused('invalid_exact_evm_payload_recipient_mismatch');
  return ok({ signature: payload.signature, authorization: { from, to, value, validAfter, validBefore, nonce } });
}

/** Why an authorisation may not be claimed at a time, in seconds since the epoch; null if it may. */
export function untimely({ authorization }: ExactPayload, nowSeconds: number): PaymentFault | null {
  const { validAfter, validBefore } = authorization;
  const now = BigInt(Math.floor(nowSeconds));
  if (BigInt(validAfter) > now)
    return { fault: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_after' };
  return BigInt(validBefore) < now + BigInt(LEAST_VALID_SECONDS)
    ? { fault: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' }
    : null;
}

function malformed(detail: string): Checked {
  return { ok: false, fault: 'malformed', detail };
}

function refused(reason: string): Checked {
  return { ok: false, fault: 'refused', reason };
}

/** True if both are the same address, ignoring case. */
export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Converts a price in whole tokens (`0.05`) to units of the token; null if it has more decimals than the token. */
export function unitsOf(price: string, decimals: number): string | null {
  const [whole = '0', fraction = ''] = price.split('.');
  const digits = fraction.padEnd(decimals, '0');
  return /[1-9]/.test(digits.slice(decimals)) ? null : BigInt(whole + digits.slice(0, decimals)).toString();
}

/** An object encoded for a header of x402. */
export function headerOf(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
