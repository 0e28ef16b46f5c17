import Type, { type Static } from 'typebox';
import { chainsOf } from '../chains/index.ts';
import { observed } from './observations.ts';
import { contractOn } from './plans.ts';
import { FlagOptional, flag, Maybe, share, TextOptional } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint } from './source.ts';

const PERCENT = Maybe(Type.Number());
const REPLY = Type.Object({
  token: Maybe(Type.Object({ address: TextOptional })),
  simulationSuccess: FlagOptional,
  honeypotResult: Maybe(Type.Object({ isHoneypot: FlagOptional })),
  simulationResult: Maybe(Type.Object({ buyTax: PERCENT, sellTax: PERCENT, transferTax: PERCENT })),
  contractCode: Maybe(
    Type.Object({
      openSource: FlagOptional,
      rootOpenSource: FlagOptional,
    }),
  ),
});

const isHoneypot = endpoint({
  name: 'is_honeypot',
  doc: 'GET /v2/IsHoneypot?address=&chainID=: buys, sells and transfers in a simulation on the main pair. Taxes are percent 0-100. https://docs.honeypot.is/ishoneypot',
  critical: true,
  plan: contractOn('honeypot_is'),
  request: get('/v2/IsHoneypot', { address: '{address}', chainID: '{chainId}' }),
  reply: REPLY,
  // The API also accepts the address of a pair, so the token in the reply is compared.
  about: { param: 'address', named: ({ token }) => token?.address },
  classify: (reply) =>
    reply.simulationSuccess === true
      ? { outcome: 'ok' }
      : { outcome: 'empty', detail: 'the simulation did not run: nothing is known' },
  observe: (reply) => {
    const { honeypotResult, simulationResult, contractCode } = reply;
    const simulated = 'simulated, percent at the source';
    return [
      ...observed('honeypot', flag(honeypotResult?.isHoneypot), 'honeypotResult of a simulation that ran'),
      ...observed('buy_tax', share(simulationResult?.buyTax, 100), simulated),
      ...observed('sell_tax', share(simulationResult?.sellTax, 100), simulated),
      ...observed('transfer_tax', share(simulationResult?.transferTax, 100), simulated),
      ...observed('source_verified', sourceOf(contractCode), 'contractCode: of the token itself'),
    ];
  },
});

type Reply = Static<typeof REPLY>;

/** `rootOpenSource` describes the token itself. `openSource` is true only if every contract that it calls is open too; false means nothing. */
function sourceOf(code: Reply['contractCode']): boolean | null {
  return flag(code?.rootOpenSource) ?? (code?.openSource === true ? true : null);
}

/**
 * Honeypot.is: simulated trades on Ethereum, BNB Smart Chain and Base.
 *
 * Lineage: own simulation on a fork of the chain; family `honeypot_is`.
 * Terms: keyless; no limit is documented, so we stay well below one request a second. No terms for redistribution were found.
 * Quirks: taxes are percent 0-100, unlike the fractions of GoPlus; without `simulationSuccess` all other fields are
 * meaningless, including a "no honeypot"; 404 means "no pair found"; its risk level is a verdict and not used.
 */
export const honeypotIs = defineSource({
  name: 'honeypot_is',
  title: 'Honeypot.is',
  doc: 'https://docs.honeypot.is/',
  family: 'honeypot_is',
  tier: 'aggregator',
  reliability: 0.8,
  bases: { main: 'https://api.honeypot.is' },
  terms: {
    attribution: { text: 'Trade simulation by Honeypot.is', url: 'https://honeypot.is' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'No terms for redistribution found: the source is named, raw replies are not passed on.',
  },
  budget: { perMinute: 40, burst: 3, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 10_000,
  chains: chainsOf('honeypot_is'),
  provides: { scanners: 3 },
  endpoints: [isHoneypot],
});
