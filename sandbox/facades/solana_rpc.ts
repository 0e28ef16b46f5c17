import type { Facade } from '../facade.ts';
import type { Scene } from '../scene.ts';
import type { SandboxAsset } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { accountsOf, crowdAccounts, isSolanaAddress, lpHolders, supplyOf } from './solana_accounts.ts';
import { bareAccounts, bareMint, heldOf } from './solana_bare.ts';
import { LP_SUPPLY, type SolanaAccount } from './solana_bytes.ts';
import { blockOf, signaturesFor, transactionOf } from './solana_history.ts';
import { clockAccount, poolAccount, priceAccount } from './solana_redemption.ts';

const SLOT_MS = 400;
const EPOCH_SLOTS = 432_000;
const LAMPORTS = 2_039_280;

/** Solana JSON-RPC over the world's accounts; real account bytes, single calls and batches. */
export const solana_rpc: Facade = ({ body }, scene) => {
  const answer = (call: unknown) => {
    const { id = null, method, params = [] } = (typeof call === 'object' && call !== null ? call : {}) as RpcCall;
    const reply = call1(scene, method ?? '', Array.isArray(params) ? params : []);
    return { jsonrpc: '2.0', ...reply, id };
  };
  return { json: Array.isArray(body) ? body.map(answer) : answer(body) };
};

interface RpcCall {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
}

type RpcReply = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

function call1(scene: Scene, method: string, params: readonly unknown[]): RpcReply {
  const slot = Math.floor(scene.now / SLOT_MS) - 3_800_000_000;
  const wrap = (value: unknown): RpcReply => ({ result: { context: { slot, apiVersion: '2.3.6' }, value } });
  const [first, second] = params;
  switch (method) {
    case 'getSlot':
    case 'getBlockHeight':
      return { result: slot };
    case 'getHealth':
      return { result: 'ok' };
    case 'getBlockTime':
      return { result: Math.floor(scene.now / 1000) };
    case 'getEpochInfo':
      return {
        result: {
          absoluteSlot: slot,
          blockHeight: slot,
          epoch: Math.floor(slot / EPOCH_SLOTS),
          slotIndex: slot % EPOCH_SLOTS,
          slotsInEpoch: EPOCH_SLOTS,
          transactionCount: 1,
        },
      };
    case 'getAccountInfo':
      if (!isSolanaAddress(first)) return invalid('Invalid param: WrongSize');
      return wrap(toJson(find(scene, first), second));
    case 'getMultipleAccounts':
      if (!Array.isArray(first) || first.length > 100 || !first.every(isSolanaAddress))
        return invalid('Too many inputs provided; max 100');
      return wrap(first.map((address) => toJson(find(scene, address), second)));
    case 'getTokenSupply':
      return supply(scene, first, wrap);
    case 'getTokenLargestAccounts':
      return largest(scene, first, wrap);
    case 'getBalance':
      if (!isSolanaAddress(first)) return invalid('Invalid param: WrongSize');
      return wrap(find(scene, first) === null ? 0 : LAMPORTS);
    case 'getTokenAccountsByOwner':
      return isSolanaAddress(first) ? wrap(ownedBy(scene, first, second)) : invalid('Invalid param: WrongSize');
    case 'getProgramAccounts':
      return programAccounts(scene, second, wrap);
    case 'getSignaturesForAddress':
      return isSolanaAddress(first)
        ? { result: signaturesFor(scene, first, second) }
        : invalid('Invalid param: WrongSize');
    case 'getTransaction':
      return { result: transactionOf(scene, String(first)) };
    case 'getBlock':
      return { result: blockOf(scene, first) };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

function invalid(message: string): RpcReply {
  return { error: { code: -32602, message } };
}

const directories = new WeakMap<World, ReadonlyMap<string, SandboxAsset>>();
const readings = new WeakMap<Scene, Map<SandboxAsset, ReadonlyMap<string, SolanaAccount>>>();

function find(scene: Scene, address: string): SolanaAccount | null {
  const asset = directoryOf(scene).get(address);
  if (asset === undefined) return bareAccounts(scene.world).get(address) ?? redemptionAccount(scene, address);
  const known = readings.get(scene) ?? new Map<SandboxAsset, ReadonlyMap<string, SolanaAccount>>();
  readings.set(scene, known);
  const accounts = known.get(asset) ?? accountsOf(scene, asset);
  known.set(asset, accounts);
  return accounts.get(address) ?? null;
}

/** Accounts with the clock, the price of SOL and the rates of stake pools. */
function redemptionAccount(scene: Scene, address: string): SolanaAccount | null {
  return clockAccount(scene, address) ?? priceAccount(scene, address) ?? poolAccount(scene, address);
}

/** The asset of an address, cached, since addresses do not change with time. */
function directoryOf(scene: Scene): ReadonlyMap<string, SandboxAsset> {
  const known = directories.get(scene.world);
  if (known) return known;
  const directory = new Map<string, SandboxAsset>();
  for (const asset of scene.world.tokens) {
    if (asset.chain !== 'solana') continue;
    for (const address of accountsOf(scene, asset).keys()) directory.set(address, asset);
  }
  directories.set(scene.world, directory);
  return directory;
}

interface AccountOptions {
  readonly encoding?: string;
  readonly dataSlice?: { readonly offset: number; readonly length: number };
}

function toJson(account: SolanaAccount | null, options: unknown) {
  if (account === null) return null;
  const { dataSlice } = (options ?? {}) as AccountOptions;
  const data = dataSlice ? account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : account.data;
  return {
    data: [data.toString('base64'), 'base64'],
    executable: account.executable ?? false,
    lamports: LAMPORTS,
    owner: account.owner,
    // Not a JavaScript-safe number, as real nodes send it.
    rentEpoch: 2 ** 64,
    space: account.data.length,
  };
}

function amountJson(amount: bigint, decimals: number) {
  const whole = Number(amount) / 10 ** decimals;
  return { amount: amount.toString(), decimals, uiAmount: whole, uiAmountString: String(whole) };
}

type Wrap = (value: unknown) => RpcReply;

function supply(scene: Scene, mint: unknown, wrap: Wrap): RpcReply {
  const asset = scene.world.byAddress('solana', String(mint));
  if (asset) return wrap(amountJson(supplyOf(scene, asset), asset.decimals));
  const bare = bareMint(scene.world, String(mint));
  if (bare) return wrap(amountJson(bare.supply, bare.decimals));
  return poolOf(scene, mint) ? wrap(amountJson(LP_SUPPLY, 9)) : invalid('Invalid param: could not find account');
}

function largest(scene: Scene, mint: unknown, wrap: Wrap): RpcReply {
  const asset = scene.world.byAddress('solana', String(mint));
  const bare = bareMint(scene.world, String(mint));
  if (bare)
    return wrap(bare.holders.map((row) => ({ address: row.account, ...amountJson(row.amount, bare.decimals) })));
  const lp = poolOf(scene, mint);
  if (!asset && !lp) return invalid('Invalid param: not a Token mint');
  const rows = asset
    ? scene.world.holders(asset, scene.now).map((holder) => ({ address: holder.tokenAccount, amount: holder.amount }))
    : lp
      ? lpHolders(lp.asset, lp.pool).map((row) => ({ address: row.tokenAccount, amount: row.amount }))
      : [];
  const sorted = [...rows].sort((left, right) => (right.amount > left.amount ? 1 : -1)).slice(0, 20);
  return wrap(sorted.map((row) => ({ address: row.address, ...amountJson(row.amount, asset ? asset.decimals : 9) })));
}

function poolOf(scene: Scene, mint: unknown) {
  for (const asset of scene.world.tokens) {
    const pool = asset.pools.find((row) => row.lpMint === mint && row.kind === 'constant_product');
    if (pool) return { asset, pool };
  }
  return null;
}

/** The token accounts of an owner under one token program, over all mints. */
function ownedBy(scene: Scene, owner: string, filter: unknown) {
  const { programId } = (filter ?? {}) as { readonly programId?: string };
  return scene.world.tokens.flatMap((asset) => {
    if (asset.chain !== 'solana') return [];
    const largest = scene.world
      .holders(asset, scene.now)
      .filter((holder) => holder.owner === owner)
      .map(({ tokenAccount }) => [tokenAccount, find(scene, tokenAccount)] as const);
    return largest.flatMap(([pubkey, account]) =>
      account === null || account.owner !== programId ? [] : [{ pubkey, account: toJson(account, {}) }],
    );
  });
}

interface ProgramAccountOptions extends AccountOptions {
  readonly filters?: readonly {
    readonly dataSize?: number;
    readonly memcmp?: { readonly offset: number; readonly bytes: string };
  }[];
  readonly withContext?: boolean;
}

/** A node returns accounts of the requested size only. */
function fits(account: SolanaAccount, { filters = [] }: ProgramAccountOptions): boolean {
  return filters.every((filter) => filter.dataSize === undefined || filter.dataSize === account.data.length);
}

/** The only supported filter: the token accounts of one mint. */
function programAccounts(scene: Scene, options: unknown, wrap: Wrap): RpcReply {
  const given = (options ?? {}) as ProgramAccountOptions;
  const mint = given.filters?.find((filter) => filter.memcmp?.offset === 0)?.memcmp?.bytes;
  const asset = mint === undefined ? null : scene.world.byAddress('solana', mint);
  const bare = mint === undefined ? null : bareMint(scene.world, mint);
  const crowd = asset !== null ? crowdAccounts(scene, asset) : bare === null ? [] : heldOf(bare);
  // Real nodes have no index of mints with very many accounts.
  if (crowd === null)
    return {
      error: { code: -32010, message: 'excluded from account secondary indexes; this RPC method unavailable for key' },
    };
  const largest = asset
    ? scene.world
        .holders(asset, scene.now)
        .map((holder) => [holder.tokenAccount, find(scene, holder.tokenAccount)] as const)
    : [];
  const rows = [...largest, ...crowd].flatMap(([pubkey, account]) =>
    account === null || !fits(account, given) ? [] : [{ pubkey, account: toJson(account, given) }],
  );
  return given.withContext === true ? wrap(rows) : { result: rows };
}
