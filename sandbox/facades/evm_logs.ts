import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import type { Scene } from '../scene.ts';
import { addressWord } from '../world/addresses.ts';
import type { BareToken } from '../world/bare.ts';
import type { SandboxAsset } from '../world/types.ts';
import { bareAt } from './evm_bare.ts';
import { blockHash, heightAt } from './evm_blocks.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ZERO = `0x${'0'.repeat(40)}`;
/** Number of holders that get tokens in one block. */
const DEALT_PER_BLOCK = 50;
const MOST_RESULTS = 10_000;
const TOO_MANY = { error: { code: -32602, message: `query exceeds max results ${MOST_RESULTS}` } };

interface Move {
  readonly height: number;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
}

const histories = new WeakMap<SandboxAsset, { readonly until: number; readonly moves: readonly Move[] }>();

/** eth_getLogs over the transfers of the world's tokens; a range with too many results is refused as by nodes. */
export function logsOf(
  scene: Scene,
  chain: string,
  filter: unknown,
): { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } } {
  const { address, topics, from, to } = filterOf(scene, filter);
  const asset = scene.world.byAddress(chain, address);
  const bare = bareAt(scene, chain, address);
  if ((!asset && !bare) || (topics[0] !== undefined && topics[0] !== null && topics[0] !== TRANSFER))
    return { result: [] };
  // Histories of very many holders exceed the limits of a public node, in any ranges.
  if (asset && scene.world.crowd(asset, scene.now) === null) return TOO_MANY;
  const history = asset ? historyOf(scene, asset) : bare ? dealOf(scene, bare) : [];
  const moves = history.filter((move) => move.height >= from && move.height <= to);
  if (moves.length > MOST_RESULTS) return TOO_MANY;
  const seen = new Map<number, number>();
  return {
    result: moves.map(({ height, from: sender, to: receiver, value }) => {
      const index = seen.get(height) ?? 0;
      seen.set(height, index + 1);
      return {
        address: (asset ?? bare)?.address,
        topics: [TRANSFER, addressWord(sender), addressWord(receiver)],
        data: `0x${value.toString(16).padStart(64, '0')}`,
        blockNumber: `0x${height.toString(16)}`,
        blockHash: blockHash(chain, height),
        transactionHash: blockHash(`${(asset ?? bare)?.address} ${index}`, height),
        transactionIndex: '0x0',
        logIndex: `0x${index.toString(16)}`,
        removed: false,
      };
    }),
  };
}

/** The filter of eth_getLogs, with its range of blocks as numbers; the newest block is the last of any range. */
export function filterOf(scene: Scene, filter: unknown) {
  const { address, topics, fromBlock, toBlock } = (filter ?? {}) as {
    readonly address?: string;
    readonly topics?: readonly (string | null)[];
    readonly fromBlock?: string;
    readonly toBlock?: string;
  };
  const newest = heightAt(scene.now);
  return {
    address: String(address ?? ''),
    topics: topics ?? [],
    from: Number(fromBlock ?? newest),
    to: toBlock === undefined || toBlock === 'latest' ? newest : Math.min(newest, Number(toBlock)),
  };
}

/** All at once, a day before the world's anchor. */
function dealOf(scene: Scene, bare: BareToken): readonly Move[] {
  const height = bareBirth(scene);
  return bare.holders.map(({ owner, amount }) => ({ height, from: ZERO, to: owner, value: amount }));
}

/** First block at which the tokens have code that only their chain knows. */
export function bareBirth(scene: Scene): number {
  return heightAt(scene.world.anchor - DAY_MS);
}

/** First block at which a token has code. */
export function birthOf(scene: Scene, asset: SandboxAsset): number {
  return heightAt(scene.world.anchor - asset.ageDays * DAY_MS);
}

/** Any balance, as of now on the chain of the world. */
export function balanceOf(scene: Scene, asset: SandboxAsset, owner: string): bigint {
  return balancesAt(scene, asset, scene.now).get(owner.toLowerCase()) ?? 0n;
}

/** From the initial distribution at a token's birth to the changes of every full hour since the world's anchor. */
function historyOf(scene: Scene, asset: SandboxAsset): readonly Move[] {
  const { anchor } = scene.world;
  const until = Math.max(anchor, Math.floor(scene.now / HOUR_MS) * HOUR_MS);
  const last = histories.get(asset);
  const history = last && last.until <= until ? last : { until: anchor, moves: deal(scene, asset) };
  if (history.until === until && history === last) return history.moves;
  const dealt = balancesOf(scene, asset, anchor);
  const moves = [...history.moves];
  let before = changedSince(scene, asset, history.until);
  for (let hour = history.until + HOUR_MS; hour <= until; hour += HOUR_MS) {
    const after = changedSince(scene, asset, hour);
    moves.push(...changes(dealt, before, after, heightAt(hour)));
    before = after;
  }
  histories.set(asset, { until, moves });
  return moves;
}

/**
 * Balances at `hour` of all that may differ from the initial distribution: the largest, and the first of the small
 * holders.
 */
function changedSince(scene: Scene, asset: SandboxAsset, hour: number): ReadonlyMap<string, bigint> {
  const { anchor } = scene.world;
  const crowd = scene.world.crowd(asset, hour) ?? [];
  const then = scene.world.crowd(asset, anchor) ?? [];
  const same = crowd.findIndex((small, index) => small === then[index]);
  const changed = same === -1 ? crowd : crowd.slice(0, same);
  const balances = new Map<string, bigint>();
  // A holder that has left the largest ones has only its initial amount as a small holder, if any.
  for (const { owner } of scene.world.holders(asset, anchor)) balances.set(owner.toLowerCase(), 0n);
  for (const { owner, amount } of [...scene.world.holders(asset, hour), ...changed])
    balances.set(owner.toLowerCase(), (balances.get(owner.toLowerCase()) ?? 0n) + amount);
  return balances;
}

function deal(scene: Scene, asset: SandboxAsset): Move[] {
  const birth = birthOf(scene, asset);
  return [...balancesOf(scene, asset, scene.world.anchor)].map(([to, value], index) => ({
    height: birth + Math.floor(index / DEALT_PER_BLOCK),
    from: ZERO,
    to,
    value,
  }));
}

const known = new WeakMap<SandboxAsset, { readonly hour: number; readonly balances: ReadonlyMap<string, bigint> }>();

/** Cached: balances change by the hour, and are read for pools all the time. */
function balancesAt(scene: Scene, asset: SandboxAsset, at: number): ReadonlyMap<string, bigint> {
  const hour = Math.floor(at / HOUR_MS);
  const last = known.get(asset);
  if (last?.hour === hour) return last.balances;
  const balances = balancesOf(scene, asset, at);
  known.set(asset, { hour, balances });
  return balances;
}

/** All balances. */
function balancesOf(scene: Scene, asset: SandboxAsset, at: number): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>();
  const add = (owner: string, amount: bigint) => {
    if (amount > 0n) balances.set(owner.toLowerCase(), (balances.get(owner.toLowerCase()) ?? 0n) + amount);
  };
  for (const holder of scene.world.holders(asset, at)) add(holder.owner, holder.amount);
  for (const small of scene.world.crowd(asset, at) ?? []) add(small.owner, small.amount);
  return balances;
}

/**
 * Transfers that turn one set of balances into the other: losers pay gainers, in a fixed order. Holders in neither set
 * keep their initial amount.
 */
function changes(
  dealt: ReadonlyMap<string, bigint>,
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
  height: number,
): readonly Move[] {
  const owners = [...new Set([...before.keys(), ...after.keys()])].sort();
  const difference = owners.map((owner) => {
    const then = dealt.get(owner) ?? 0n;
    return { owner, left: (after.get(owner) ?? then) - (before.get(owner) ?? then) };
  });
  const gains = difference.filter((row) => row.left > 0n);
  const moves: Move[] = [];
  for (const loss of difference.filter((row) => row.left < 0n)) {
    for (const gain of gains) {
      const owed = -loss.left;
      let value = owed;
      if (gain.left < owed) value = gain.left;
      if (value === 0n) continue;
      moves.push({ height, from: loss.owner, to: gain.owner, value });
      gain.left -= value;
      loss.left += value;
    }
  }
  return moves;
}
