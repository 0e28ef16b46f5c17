import Type from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { ObservationDraft, QuantityId } from '../domain/index.ts';
import { contractOn } from './on-chain.ts';
import { defineSource, endpoint } from './source.ts';

const PERCENT = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const REPLY = Type.Object({
  simulationSuccess: Type.Optional(Type.Boolean()),
  honeypotResult: Type.Optional(Type.Union([Type.Null(), Type.Object({ isHoneypot: Type.Optional(Type.Boolean()) })])),
  simulationResult: Type.Optional(
    Type.Union([Type.Null(), Type.Object({ buyTax: PERCENT, sellTax: PERCENT, transferTax: PERCENT })]),
  ),
  contractCode: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        openSource: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
        isProxy: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
      }),
    ]),
  ),
});

const isHoneypot = endpoint({
  name: 'is_honeypot',
  doc: 'GET /v2/IsHoneypot?address=&chainID=: buys, sells and transfers in a simulation on the main pair. Taxes are percent 0-100. https://docs.honeypot.is/ishoneypot',
  critical: true,
  plan: contractOn('honeypot_is'),
  request: (params) => ({
    path: '/v2/IsHoneypot',
    query: { address: String(params.address), chainID: Number(params.chainId) },
  }),
  reply: REPLY,
  classify: (reply) =>
    reply.simulationSuccess === true
      ? { outcome: 'ok' }
      : { outcome: 'empty', detail: 'the simulation did not run: nothing is known' },
  observe: (reply) => {
    const { honeypotResult, simulationResult, contractCode } = reply;
    return [
      ...(typeof honeypotResult?.isHoneypot === 'boolean'
        ? [draft('honeypot', honeypotResult.isHoneypot, 'honeypotResult of a simulation that ran')]
        : []),
      ...tax('buy_tax', simulationResult?.buyTax),
      ...tax('sell_tax', simulationResult?.sellTax),
      ...tax('transfer_tax', simulationResult?.transferTax),
      ...(typeof contractCode?.openSource === 'boolean'
        ? [draft('source_verified', contractCode.openSource, 'contractCode.openSource')]
        : []),
    ];
  },
});

function tax(quantity: QuantityId, percent: number | null | undefined): readonly ObservationDraft[] {
  return typeof percent === 'number' && percent >= 0 && percent <= 100
    ? [draft(quantity, percent / 100, 'simulated, percent at the source')]
    : [];
}

function draft(quantity: QuantityId, value: number | boolean, meaning: string): ObservationDraft {
  return { quantity, value, meaning };
}

/**
 * Honeypot.is: simulated trades on Ethereum, BNB Smart Chain and Base.
 *
 * Lineage: own simulation on a fork of the chain; family `honeypot_is`.
 * Terms: keyless; no rate is documented, so well below one request a second. No terms for passing data on were found.
 * Quirks: taxes are percent 0-100 where GoPlus writes fractions; without `simulationSuccess` everything else is
 * meaningless, a "no honeypot" too; 404 is "no pair found"; its risk level is a verdict and not used.
 */
export const honeypotIs = defineSource({
  name: 'honeypot_is',
  title: 'Honeypot.is',
  doc: 'https://docs.honeypot.is/',
  family: 'honeypot_is',
  tier: 'aggregator',
  reliability: 0.8,
  bases: { main: 'https://api.honeypot.is' },
  key: { required: false, header: 'x-api-key' },
  terms: {
    attribution: { text: 'Trade simulation by Honeypot.is', url: 'https://honeypot.is' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'No terms for redistribution found: the source is named, raw replies are not passed on.',
  },
  budget: { perMinute: 40, burst: 3, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 10_000,
  chains: chainsOf('honeypot_is'),
  tells: { scanners: 3 },
  endpoints: [isHoneypot],
});
