import { archivePool, type OpenedPool, openPool, type SolanaAccount } from '../../chains/index.ts';
import { type Json, type ObservationDraft, poolScope } from '../../domain/index.ts';
import { rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { learnedPools } from '../plans.ts';
import { textsIn } from '../read.ts';
import type { Params } from '../source.ts';
import { accountsCall, atFirst, MANY_ACCOUNTS, type RawAccount, readAccount } from './accounts.ts';

/** The node's own limit of getMultipleAccounts. */
const MOST_ACCOUNTS = 100;
const LEARNED = 'solana_rpc.pools.';

/**
 * Params `{base, mint, pools}`. Observes nothing: a pool's account only names the vaults, ticks and fee accounts that determine its
 * depth. Learns under `solana_rpc.pools.<first pool>` which accounts to read with which pools.
 */
export const poolAccountsEndpoint = rpcEndpoint({
  name: 'pool_accounts',
  doc: 'getMultipleAccounts of the largest pools that an index names: which program each belongs to, whether it holds the mint, and which accounts it needs. Layouts: src/chains/decoders/solana-pools, checked on recorded mainnet accounts.',
  critical: true,
  plan: (facts) => learnedPools(facts).flatMap((pools) => atFirst(facts, { pools })),
  call: (params) => accountsCall(textsIn(params.pools)),
  result: MANY_ACCOUNTS,
  read: ({ value }, params) => accountsBy(textsIn(params.pools), value),
  learn: (accounts, params): Readonly<Record<string, Json>> => {
    const wanted = textsIn(params.pools);
    const groups = grouped(wanted.flatMap((address) => opened(accounts, address, params) ?? []));
    return Object.fromEntries(groups.map((group) => [`${LEARNED}${group.pools[0]}`, group]));
  },
});

/** Params `{base, mint, pools, accounts}`: the pools and all accounts that they need, in one slot. */
export const poolStatesEndpoint = rpcEndpoint({
  name: 'pool_states',
  doc: 'getMultipleAccounts of pools with their vaults, mints, ticks or bins and fee settings, all of one slot: the exact state of each. Layouts and mathematics: src/chains/decoders/solana-pools, src/chains/pool-math.',
  critical: true,
  plan: (facts) =>
    Object.entries(facts.learned).flatMap(([name, value]) =>
      name.startsWith(LEARNED) ? atFirst(facts, value as Params) : [],
    ),
  call: (params) => accountsCall(textsIn(params.accounts)),
  result: MANY_ACCOUNTS,
  read: ({ context, value }, params) => ({
    accounts: accountsBy(textsIn(params.accounts), value),
    slot: context.slot,
  }),
  observe: ({ accounts, slot }, params) =>
    textsIn(params.pools).flatMap((address) => stateOf(accounts, address, params, slot)),
});

function stateOf(accounts: Accounts, address: string, params: Params, slot: number): readonly ObservationDraft[] {
  const reading = opened(accounts, address, params)?.read(accounts, slot);
  // A pool counts for the asset only if its vaults hold the mint; naming the mint is not enough.
  if (!reading?.ok || !reading.value.tokens.some((token) => token.address === params.mint)) return [];
  const value = archivePool(reading.value);
  return observed('pool_state', value, `read from the chain at slot ${slot}`, { scope: poolScope(address) });
}

/** The pool at an address if it belongs to a known program and has the mint among its tokens; otherwise null. */
function opened(accounts: Accounts, address: string, params: Params): OpenedPool | null {
  const account = accounts.get(address);
  const pool = account ? openPool(account, [String(params.mint)]) : null;
  return pool?.ok && pool.value.summary.mints.includes(String(params.mint)) ? pool.value : null;
}

type Accounts = ReadonlyMap<string, SolanaAccount | null>;

/** Accounts by address. Empty if a node omits accounts, because all later ones would be shifted. */
function accountsBy(addresses: readonly string[], values: readonly (RawAccount | null)[]): Accounts {
  if (addresses.length !== values.length) return new Map();
  return new Map(
    addresses.map((address, at) => {
      const account = readAccount(values[at]);
      return [address, account && { address, owner: account.owner, data: account.data, lamports: 0n }];
    }),
  );
}

/** Groups pools so that each group is one request. A pool that needs more accounts than one request allows is dropped. */
function grouped(
  pools: readonly OpenedPool[],
): readonly { readonly pools: readonly string[]; readonly accounts: readonly string[] }[] {
  const groups: { pools: string[]; accounts: Set<string> }[] = [];
  for (const pool of pools) {
    const needed = [pool.address, ...pool.needs];
    if (needed.length > MOST_ACCOUNTS) continue;
    const group = groups.find(({ accounts }) => new Set([...accounts, ...needed]).size <= MOST_ACCOUNTS);
    if (group === undefined) groups.push({ pools: [pool.address], accounts: new Set(needed) });
    else {
      group.pools.push(pool.address);
      for (const address of needed) group.accounts.add(address);
    }
  }
  return groups.map((group) => ({ pools: group.pools, accounts: [...group.accounts] }));
}
