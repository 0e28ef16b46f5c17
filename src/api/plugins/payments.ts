import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ApiKey, PriceClass, Scope } from '../../access/index.ts';
import { headerOf, type Payments, payerAccount, type TakenPayment } from '../../payments/index.ts';
import type { ApiContext } from '../context.ts';
import { addressLimit, tooOften } from '../public/address-limit.ts';
import { type Problem, sendProblem } from '../replies/problems.ts';
import { headOfKeyed, keyInQuery, keyText } from './authentication.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Price class of a request without a key, where requests are sold. Only for reads, which change nothing. */
    readonly price?: PriceClass;
  }
  interface FastifyRequest {
    /** The payer of this request, as a key that is valid for this request only. */
    payer: ApiKey | null;
  }
}

/** Payment attempts that one address may make in a minute; each is a request to the facilitator. */
const TRIES = 120;
const TOKEN = 'x-assay-payment';

type PaymentOptions = Pick<ApiContext, 'payments' | 'publicUrl' | 'clientAddress' | 'now'>;

const plugin: FastifyPluginAsync<PaymentOptions> = async (server, { payments, publicUrl, clientAddress, now }) => {
  server.decorateRequest('payer', null);
  if (payments === undefined) return;
  const tries = addressLimit(TRIES, 60_000, now);
  /** Paid requests that pass through the routes a second time, by a secret that is valid only during that time. */
  const admitted = new Map<string, ApiKey>();

  server.addHook('onRoute', ({ method, url, config }) => {
    const methods = Array.isArray(method) ? method : [method];
    if (config?.price !== undefined && methods.some((one) => one !== 'GET' && one !== 'HEAD'))
      throw new Error(`${methods.join()} ${url} has a price, but only reads may have one`);
  });
  server.addHook('onRequest', async (request, reply) => {
    const token = request.headers[TOKEN];
    const payer = typeof token === 'string' ? admitted.get(token) : undefined;
    if (payer !== undefined) {
      request.payer = payer;
      return;
    }
    const { price, scope } = request.routeOptions.config;
    if (price === undefined || scope === undefined || scope === 'any' || !isSold(request)) return;
    headOfKeyed(reply.head);
    const url = `${publicUrl ?? `${request.protocol}://${hostOf(request)}`}${request.url}`;
    const offered = (error: string, problem: Problem) =>
      sendProblem(reply, withOffer(payments, price, url, error, problem));
    const header = request.headers['payment-signature'];
    if (header === undefined) return offered('PAYMENT-SIGNATURE header is required', REQUIRED);
    const seconds = tries.take(clientAddress(request.raw));
    if (seconds !== null) return sendProblem(reply, tooOften(seconds));
    const taken = await payments.take(price, url, String(header));
    if (taken.ok) {
      const token = randomBytes(32).toString('base64url');
      const key = keyOf(taken.value, scope);
      admitted.set(token, key);
      const inside = () => replyInside(server, request, token).finally(() => admitted.delete(token));
      return answerPaid({ request, reply, payment: taken.value, key, inside, offered });
    }
    if (taken.fault === 'away') return sendProblem(reply, AWAY);
    if (taken.fault === 'malformed')
      return sendProblem(reply, { ...MALFORMED, detail: `PAYMENT-SIGNATURE: ${taken.detail}.` });
    return offered(taken.reason, { ...REFUSED, detail: `The payment was refused: ${taken.reason}.` });
  });
};

/** Admits a request without a key if it is paid for; does nothing where nothing is sold. */
export const paidRequests = fastifyPlugin(plugin, { name: 'payments' });

/** A request with a key is never charged, and a fresh rating is never sold. */
function isSold(request: FastifyRequest): boolean {
  if (request.method !== 'GET' || keyText(request.raw) !== null || keyInQuery(request)) return false;
  return (request.query as { readonly fresh?: unknown }).fresh === undefined;
}

interface PaidRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly payment: TakenPayment;
  readonly key: ApiKey;
  /** Sends the request to the routes with that key. */
  readonly inside: () => ReturnType<typeof replyInside>;
  readonly offered: (error: string, problem: Problem) => FastifyReply;
}

/**
 * Holds back the reply until the payment is settled, and sends it with the settlement. Only settled requests count as
 * usage of the payer.
 */
async function answerPaid({ request, reply, payment, key, inside, offered }: PaidRequest): Promise<FastifyReply> {
  const made = await inside().catch(async (error: unknown) => {
    await payment.release();
    throw error;
  });
  if (made.statusCode !== 200) {
    await payment.release();
    return sendMade(reply, made);
  }
  const settled = await payment.settle();
  if (settled.is === 'unknown') {
    if (!payment.isAgain) reply.header('assay-receipt', payment.receipt);
    return sendProblem(reply, UNKNOWN);
  }
  const { network, payer } = payment;
  if (settled.is === 'refused') {
    const { reason } = settled;
    reply.header(
      'payment-response',
      headerOf({ success: false, errorReason: reason, payer, transaction: '', network }),
    );
    return offered(reason, {
      ...REFUSED,
      code: 'payment_not_settled',
      detail: `The payment was not settled: ${reason}.`,
    });
  }
  const { transaction } = settled;
  request.apiKey = key;
  reply.header('payment-response', headerOf({ success: true, payer, transaction, network }));
  reply.header('assay-receipt', payment.receipt);
  return sendMade(reply, made);
}

/**
 * Headers of a payer's request that are passed on. Entity tags are not passed on: a paid reply is always sent in full.
 */
const PASSED_ON = ['accept', 'accept-encoding', 'origin', 'user-agent'] as const;

function replyInside(server: FastifyInstance, request: FastifyRequest, token: string) {
  const headers: Record<string, string> = { [TOKEN]: token, 'x-request-id': request.id };
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return server.inject({ method: 'GET', url: request.url, headers, remoteAddress: request.ip });
}

function sendMade(reply: FastifyReply, made: Awaited<ReturnType<typeof replyInside>>): FastifyReply {
  for (const [name, value] of Object.entries(made.headers))
    if (value !== undefined && !UNSENT.has(name)) reply.header(name, value);
  // No cache may store it: the next reader pays too.
  return reply.code(made.statusCode).header('cache-control', 'private, no-store').send(made.rawPayload);
}

const UNSENT: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

/** Each payer has a separate account for limits and usage. */
function keyOf({ payer, plan }: TakenPayment, scope: Scope): ApiKey {
  const id = payerAccount(payer);
  return {
    id,
    accountId: id,
    name: 'pay per call',
    prefix: '',
    scopes: [scope],
    plan,
    createdAt: '1970-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    allowedIps: [],
    rotatedFrom: null,
  };
}

/** The `Host` of the request if it is a valid host; otherwise `localhost`. */
function hostOf({ host }: FastifyRequest): string {
  return /^[A-Za-z0-9.:[\]-]{1,253}$/.test(host) && URL.canParse(`http://${host}`) ? host : 'localhost';
}

function withOffer(payments: Payments, price: PriceClass, url: string, error: string, problem: Problem): Problem {
  const required = payments.offer(price, url, error);
  return { ...problem, more: { ...required }, headers: { ...problem.headers, 'payment-required': headerOf(required) } };
}

const REQUIRED: Problem = {
  status: 402,
  code: 'payment_required',
  title: 'An API key or a payment is required',
  detail: 'Send a key in the header X-API-Key, or pay for this request by x402 version 2 (PAYMENT-SIGNATURE).',
  retry: 'corrected',
};
const REFUSED: Problem = {
  status: 402,
  code: 'payment_refused',
  title: 'The payment was refused',
  detail: '',
  retry: 'corrected',
};
const MALFORMED: Problem = {
  status: 400,
  code: 'invalid_payment',
  title: 'The payment could not be read',
  detail: '',
  retry: 'corrected',
};
const AWAY: Problem = {
  status: 503,
  code: 'facilitator_away',
  title: 'Payments cannot be verified now',
  detail: 'The payment facilitator returned no usable reply in time. Nothing was delivered, and no transfer was made.',
  retry: 'after',
  headers: { 'retry-after': '10' },
};
const UNKNOWN: Problem = {
  status: 503,
  code: 'payment_outcome_unknown',
  title: 'It is not known whether the payment was settled',
  detail:
    'The payment facilitator did not say whether it made the transfer. Do not sign another payment: repeat this request with the same PAYMENT-SIGNATURE, which is settled at most once. GET /v1/receipts/{receipt} with Assay-Receipt of the first such reply shows the state.',
  retry: 'after',
  headers: { 'retry-after': '2' },
};
