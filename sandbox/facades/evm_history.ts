import { DAY_MS, HOUR_MS } from '../../src/domain/statistics.ts';
import type { Scene } from '../scene.ts';
import { addressWord, evmAddress } from '../world/addresses.ts';
import { QUOTES } from '../world/pools.ts';
import type { SandboxAsset } from '../world/types.ts';
import { blockHash, heightAt } from './evm_blocks.ts';
import { filterOf } from './evm_logs.ts';
import { quoteAnswers } from './evm_pools.ts';
import { chainOfBase } from './evm_world.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const COIN = 10n ** 18n;

/**
 * Transfers of a counter token in pools of the world: each pool's holding was deposited when it was opened. Null when
 * the address is not a counter token.
 */
export function quoteLogs(scene: Scene, chain: string, filter: unknown): { readonly result: unknown } | null {
  const { address, topics, from, to } = filterOf(scene, filter);
  const quote = QUOTES[chain]?.find((row) => row.address === address.toLowerCase());
  if (quote === undefined) return null;
  const rows = scene.world.tokens
    .filter((asset) => asset.chain === chain)
    .flatMap((asset) =>
      asset.pools
        .filter((pool) => pool.quote.address === quote.address)
        .map((pool) => ({ asset, pool, height: heightAt(scene.world.anchor - pool.ageDays * DAY_MS) })),
    )
    .filter(({ height }) => height >= from && height <= to);
  const wanted = (row: { readonly asset: SandboxAsset; readonly pool: { readonly address: string } }) =>
    [TRANSFER, addressWord(row.asset.creator), addressWord(row.pool.address)].every(
      (topic, index) => topics[index] === undefined || topics[index] === null || topics[index] === topic,
    );
  return {
    result: rows.filter(wanted).map(({ asset, pool, height }, index) => ({
      address: quote.address,
      topics: [TRANSFER, addressWord(asset.creator), addressWord(pool.address)],
      data: `0x${BigInt(quoteAnswers(scene, chain, quote)('balanceOf', [pool.address]) as bigint)
        .toString(16)
        .padStart(64, '0')}`,
      blockNumber: `0x${height.toString(16)}`,
      blockHash: blockHash(chain, height),
      transactionHash: blockHash(`opening ${pool.address}`, height),
      transactionIndex: '0x0',
      logIndex: `0x${index.toString(16)}`,
      removed: false,
    })),
  };
}

/** Transactions sent by an address: an exchange's wallet sends all day. */
export function sentBy(scene: Scene, address: string): string {
  const isExchange = [0, 1].some((index) => evmAddress(scene.world.seed, 'exchange', index) === address.toLowerCase());
  return isExchange ? '0x3d090' : '0x7';
}

/** An explorer's `module=account&action=txlist`: the first payment of a wallet of the world. */
export function firstPayments(scene: Scene, base: string, query: URLSearchParams) {
  const wallet = String(query.get('address') ?? '').toLowerCase();
  const found = payerOf(scene, chainOfBase(base).name, wallet);
  const from = Number(query.get('startblock') ?? 0);
  if (found === null || heightAt(found.at) < from) return { status: '0', message: 'No transactions found', result: [] };
  const height = heightAt(found.at);
  return {
    status: '1',
    message: 'OK',
    result: [
      {
        blockNumber: String(height),
        timeStamp: String(Math.floor(found.at / 1000)),
        hash: blockHash(`payment ${wallet}`, height),
        from: found.payer,
        to: wallet,
        value: (2n * COIN).toString(),
        isError: '0',
        txreceipt_status: '1',
      },
    ],
  };
}

/** As on the other chain: an exchange pays the creator and most holders, the creator's paymaster four of a bad token's. */
function payerOf(scene: Scene, chain: string, wallet: string): { readonly payer: string; readonly at: number } | null {
  const { seed, anchor } = scene.world;
  const exchange = (index: number) => evmAddress(seed, 'exchange', index);
  for (const asset of scene.world.tokens) {
    if (asset.chain !== chain) continue;
    const birth = anchor - asset.ageDays * DAY_MS;
    const paymaster = evmAddress(seed, asset.slug, 'paymaster');
    if (asset.creator === wallet) return { payer: exchange(0), at: birth - DAY_MS };
    if (paymaster === wallet) return { payer: asset.creator, at: birth - 20 * HOUR_MS };
    const holders = scene.world.holders(asset, anchor).filter((holder) => holder.kind === 'wallet');
    const index = holders.findIndex((holder) => holder.owner.toLowerCase() === wallet);
    if (index < 0) continue;
    const at = birth - 19 * HOUR_MS + index * 7 * 60_000;
    return { payer: asset.grade === 'bad' && index > 0 && index <= 4 ? paymaster : exchange(index % 2), at };
  }
  return null;
}
