import Type, { type Static } from 'typebox';
import { chainsOf, nameAt, ZERO_ADDRESS } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { observed } from './observations.ts';
import { amount, evmAddress, Loose, Maybe, TextOptional } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';

/**
 * Safe Transaction Service: number of owners and required signatures of a Safe, for the accounts that own a token or may replace its code.
 *
 * Lineage: the service's index of Safes that were created with its own contracts; family `safe`. The chain gives the same data for the Safes
 * that `evm_rpc` can prove; the service adds the number of owners, modules and older versions. A Safe with a module is not a multisig, because
 * the module acts without the owners. Only an account that is a Safe is observed: a 404 means an address that the service has not seen.
 * It is unknown which account is a treasury, so none is requested. Terms: Safe's API terms; a key is free (50,000 a month, 5 a second; without
 * a key 5,000 a month and 2 a second, for exploration: docs.safe.global/core-api/how-to-use-api-keys and api-evangelist/gnosis-safe, 2026-06).
 * Quirks: the old hosts require checksummed addresses in the path, the new one accepts any case; numbers may be text.
 */
const Safe = Type.Object({
  address: Type.String(),
  threshold: Loose,
  owners: Type.Array(Type.String()),
  modules: Maybe(Type.Array(Type.String())),
  version: TextOptional,
});

/** Facts that name an account with control over the token, and the quantity that states the kind of that account. */
const ROLES = [
  ['evm_rpc.owner', 'owner_state'],
  ['evm_rpc.slot.admin', 'proxy_admin_state'],
  ['evm_rpc.slot.zeppelinAdmin', 'proxy_admin_state'],
  ['evm_rpc.adminOwner', 'proxy_admin_state'],
] as const;
type State = (typeof ROLES)[number][1];
const MOST_OWNERS = 1_000;

/** Params for accounts that are contracts; a plain key cannot be a Safe. */
function accountsOf({ chain, learned }: Facts): readonly Params[] {
  const network = chain === null ? null : nameAt('safe', chain);
  if (network === null) return [];
  const found = new Map<string, Params>();
  for (const [fact, state] of ROLES) {
    const account = evmAddress(learned[fact]);
    if (account === null || account === ZERO_ADDRESS || learned[`evm_rpc.contract.${account}`] === undefined) continue;
    const known = found.get(account);
    const states = [...(Array.isArray(known?.states) ? known.states : []), state];
    found.set(account, { network, account, states: [...new Set(states)] });
  }
  return [...found.values()];
}

function observe(reply: Static<typeof Safe>, params: Params): readonly ObservationDraft[] {
  const needed = amount(reply.threshold);
  const owners = new Set(reply.owners.slice(0, MOST_OWNERS).map((row) => evmAddress(row) ?? row)).size;
  const isOther = evmAddress(reply.address) !== params.account;
  if (isOther || needed === null || !Number.isInteger(needed) || needed < 1 || needed > owners) return [];
  const modules = reply.modules?.length ?? 0;
  // A module can act without the owners.
  const state = modules > 0 ? 'contract' : needed === 1 ? 'eoa' : 'multisig';
  const meaning = `Safe ${(reply.version ?? '').slice(0, 20)}: ${needed} of ${owners} owners${modules > 0 ? `, and ${modules} modules that act without them` : ''}`;
  const states = (Array.isArray(params.states) ? params.states : []).filter((row): row is State =>
    ROLES.some(([, one]) => one === row),
  );
  return states.flatMap((quantity) => observed(quantity, state, meaning));
}

export const safe = defineSource({
  name: 'safe',
  title: 'Safe Transaction Service',
  doc: 'https://docs.safe.global/core-api/transaction-service-overview',
  family: 'safe',
  tier: 'registry',
  reliability: 0.9,
  bases: { main: 'https://api.safe.global' },
  key: {
    required: true,
    header: 'authorization',
    prefix: 'Bearer ',
    adds: 'a second source for the number of owners that a Safe requires',
    from: 'https://developer.safe.global',
  },
  disabledReason: 'needs a key: without one Safe allows 5,000 requests a month, for exploration',
  terms: { redistribute: true, keepBodyDays: 90, note: 'facts of public chains, under the terms of the key holder' },
  budget: { perMinute: 60, burst: 4, concurrency: 2, shareSeconds: 3_600 },
  timeoutMs: 8_000,
  chains: chainsOf('safe'),
  endpoints: [
    endpoint({
      name: 'safe',
      doc: '/tx-service/{network}/api/v1/safes/{address}/: owners, threshold, modules, guard (safe-global/safe-docs, components/ApiReference/examples)',
      maxBytes: 256 * 1024,
      plan: accountsOf,
      request: get('/tx-service/{+network}/api/v1/safes/{+account}/'),
      reply: Safe,
      observe,
    }),
  ],
});
