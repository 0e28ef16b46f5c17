import type { OpenedPool, SolanaAccount } from '../../chains/index.ts';
import { archivePool, openPool } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { poolScope } from '../../domain/index.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { taughtPools } from '../pool-addresses.ts';
import { type Endpoint, endpoint, type Params } from '../source.ts';
import { MANY_ACCOUNTS, type RawAccount, readAccount } from './accounts.ts';
import { fromOperator, mintOf, type Operators } from './mint-endpoints.ts';

/** The node's own limit of getMultipleAccounts. */
const MOST_ACCOUNTS = 100;
const LEARNED = 'solana_rpc.pools.';

/**
 * Params `{base, mint, pools}`. Observes nothing: a pool's account names the vaults, ticks and fees that its depth is made of.
 * Learns under `solana_rpc.pools.<first pool>` which accounts are read with which pools.
 */
export function poolAccountsEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'pool_accounts',
    doc: 'getMultipleAccounts of the largest pools that an index names: what program each is of, whether it holds the mint, and which accounts it needs. Layouts: src/chains/decoders/solana-pools, checked on recorded mainnet accounts.',
    critical: true,
    plan: (facts) => {
      const mint = mintOf(facts);
      const base = operators.bases[0];
      return mint === null || base === undefined ? [] : taughtPools(facts).map((pools) => ({ base, mint, pools }));
    },
    request: (params) => manyAccounts(params, textsOf(params.pools)),
    reply: MANY_ACCOUNTS,
    classify: (reply) => classifyRpc(reply),
    learn: (reply, params): Readonly<Record<string, Json>> => {
      const wanted = textsOf(params.pools);
      const accounts = accountsBy(wanted, reply.result?.value ?? []);
      const groups = grouped(wanted.flatMap((address) => opened(accounts, address, params) ?? []));
      return Object.fromEntries(groups.map((group) => [`${LEARNED}${group.pools[0]}`, group]));
    },
  });
}

/** Params `{base, mint, pools, accounts}`: the pools and all they need, of one slot. */
export function poolStatesEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'pool_states',
    doc: 'getMultipleAccounts of pools with their vaults, mints, ticks or bins and fee settings, all of one slot: the exact state of each. Layouts and mathematics: src/chains/decoders/solana-pools, src/chains/pool-math.',
    critical: true,
    plan: (facts) => {
      const mint = mintOf(facts);
      const base = operators.bases[0];
      if (mint === null || base === undefined) return [];
      return Object.entries(facts.learned).flatMap(([name, value]) =>
        name.startsWith(LEARNED) ? [{ base, mint, ...(value as Params) }] : [],
      );
    },
    request: (params) => manyAccounts(params, textsOf(params.accounts)),
    reply: MANY_ACCOUNTS,
    classify: (reply) => classifyRpc(reply),
    observe: (reply, params) => {
      if (reply.result === undefined) return [];
      const accounts = accountsBy(textsOf(params.accounts), reply.result.value);
      const { slot } = reply.result.context;
      return fromOperator(
        operators,
        params,
        textsOf(params.pools).flatMap((address) => stateOf(accounts, address, params, slot)),
      );
    },
  });
}

function stateOf(accounts: Accounts, address: string, params: Params, slot: number): readonly ObservationDraft[] {
  const reading = opened(accounts, address, params)?.read(accounts, slot);
  // The vaults say what the pool holds: a pool that only names the mint is none of the asset.
  if (!reading?.ok || !reading.value.tokens.some((token) => token.address === params.mint)) return [];
  const value = archivePool(reading.value);
  if (value === null) return [];
  return [{ quantity: 'pool_state', scope: poolScope(address), value, meaning: `read from the chain at slot ${slot}` }];
}

/** The pool at an address when it is one, of a program that is known, with the mint among its tokens. */
function opened(accounts: Accounts, address: string, params: Params): OpenedPool | null {
  const account = accounts.get(address);
  const pool = account ? openPool(account, [String(params.mint)]) : null;
  return pool?.ok && pool.value.summary.mints.includes(String(params.mint)) ? pool.value : null;
}

type Accounts = ReadonlyMap<string, SolanaAccount | null>;

/** Accounts by their addresses; none where a node leaves some out, which would shift all after it. */
function accountsBy(addresses: readonly string[], values: readonly (RawAccount | null)[]): Accounts {
  if (addresses.length !== values.length) return new Map();
  return new Map(
    addresses.map((address, at) => {
      const account = readAccount(values[at]);
      return [address, account && { address, owner: account.owner, data: account.data, lamports: 0n }];
    }),
  );
}

/** Pools packed so that each group is one request. A pool that alone needs more is left out. */
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

function manyAccounts(params: Params, addresses: readonly string[]) {
  return rpcCall(String(params.base), 'getMultipleAccounts', [
    addresses,
    { encoding: 'base64', commitment: 'confirmed' },
  ]);
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
