import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { operatorJson, type Upstream } from '../upstream/index.ts';
import { type ExactPayload, type PaymentRequirements, type ResourceInfo, same, X402_VERSION } from './protocol.ts';

const LABEL = 'x402';
const BUDGET = { perMinute: 1_200, burst: 120, concurrency: 32, shareSeconds: 0 };
const MOST_BYTES = 16_384;
const VERIFY_MS = 5_000;
/** Longer than other requests, because a settlement waits for a transaction. */
const SETTLE_MS = 20_000;

const Text = Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]));
const Verified = Compile(Type.Object({ isValid: Type.Boolean(), invalidReason: Text, payer: Text }));
const Settled = Compile(
  Type.Object({
    success: Type.Boolean(),
    errorReason: Text,
    payer: Text,
    transaction: Type.String({ maxLength: 200 }),
    network: Type.String({ maxLength: 64 }),
  }),
);

/** `away`: no usable reply arrived in time. */
export type Verification =
  | { readonly is: 'valid' }
  | { readonly is: 'invalid'; readonly reason: string }
  | { readonly is: 'away'; readonly detail: string };
/** `unknown`: it is not known whether the transfer was made. */
export type Settlement =
  | { readonly is: 'settled'; readonly transaction: string }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'unknown'; readonly detail: string };

/** Verifies and settles payments (x402 v2, 7). */
export interface Facilitator {
  verify(payload: ExactPayload, wanted: PaymentRequirements, resource: ResourceInfo): Promise<Verification>;
  /** Sent only once: a settlement is never retried automatically. */
  settle(payload: ExactPayload, wanted: PaymentRequirements, resource: ResourceInfo): Promise<Settlement>;
}

/** The facilitator at `base`, a URL without a slash at its end. Its replies are treated as hostile input. */
export function openFacilitator(base: string, upstream: Pick<Upstream, 'request' | 'setBudget'>): Facilitator {
  upstream.setBudget(LABEL, BUDGET);

  async function ask(
    path: '/verify' | '/settle',
    totalMs: number,
    [payload, wanted, resource]: Parameters<Facilitator['verify']>,
  ): Promise<{ readonly body: unknown } | { readonly detail: string }> {
    const reply = await upstream.request(
      operatorJson({
        label: LABEL,
        method: 'POST',
        url: `${base}${path}`,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        // Built from checked members, so that members added by a caller are not forwarded.
        body: JSON.stringify({
          x402Version: X402_VERSION,
          paymentPayload: { x402Version: X402_VERSION, resource, accepted: wanted, payload },
          paymentRequirements: wanted,
        }),
        deadlines: { connectMs: 3_000, headersMs: totalMs, bodyMs: totalMs, totalMs },
        maxBytes: MOST_BYTES,
        // Some facilitators refuse with such a status and the same body.
        okStatuses: [400, 402],
        retries: 0,
      }),
    );
    if (!reply.ok) return { detail: reply.reason };
    try {
      return { body: JSON.parse(new TextDecoder().decode(reply.body)) };
    } catch {
      return { detail: 'not JSON' };
    }
  }

  return {
    async verify(...payment) {
      const reply = await ask('/verify', VERIFY_MS, payment);
      if ('detail' in reply) return { is: 'away', detail: reply.detail };
      const { body } = reply;
      if (!Verified.Check(body)) return { is: 'away', detail: 'not a reply of /verify' };
      if (!body.isValid) return { is: 'invalid', reason: codeOf(body.invalidReason, 'unexpected_verify_error') };
      const [{ authorization }] = payment;
      if (typeof body.payer === 'string' && !same(body.payer, authorization.from))
        return { is: 'away', detail: 'another payer was verified' };
      return { is: 'valid' };
    },
    async settle(...payment) {
      const reply = await ask('/settle', SETTLE_MS, payment);
      if ('detail' in reply) return { is: 'unknown', detail: reply.detail };
      const { body } = reply;
      if (!Settled.Check(body)) return { is: 'unknown', detail: 'not a reply of /settle' };
      if (!body.success) return { is: 'refused', reason: codeOf(body.errorReason, 'unexpected_settle_error') };
      const [, { network }] = payment;
      if (body.network !== network || !/^0x[0-9a-fA-F]{64}$/.test(body.transaction))
        return { is: 'unknown', detail: 'a settlement without its transaction, or on another chain' };
      return { is: 'settled', transaction: body.transaction };
    },
  };
}

/** A reason code as in the specification; a facilitator's own prose is not passed on. */
function codeOf(reason: string | null | undefined, otherwise: string): string {
  return /^[a-z0-9_]{1,80}$/.test(reason ?? '') ? String(reason) : otherwise;
}
