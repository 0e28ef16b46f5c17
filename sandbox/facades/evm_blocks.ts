import { createHash } from 'node:crypto';
import type { Hex } from 'viem';

const BLOCK_MS = 12_000;

/** The newest block at a moment: every chain of this world makes one in twelve seconds. */
export function heightAt(now: number): number {
  return Math.floor(now / BLOCK_MS);
}

/** A block's moment, in milliseconds. */
export function momentOf(height: number): number {
  return height * BLOCK_MS;
}

export function blockHash(chain: string, height: number): Hex {
  return `0x${createHash('sha256').update(`${chain} ${height}`).digest('hex')}`;
}

/** Result of eth_getBlockByNumber, without transactions; null for a future block. */
export function blockJson(chain: string, wanted: unknown, now: number) {
  const newest = heightAt(now);
  const named: Readonly<Record<string, number>> = {
    latest: newest,
    pending: newest,
    safe: newest - 32,
    finalized: newest - 64,
    earliest: 0,
  };
  const height = named[String(wanted)] ?? Number(wanted);
  if (!Number.isInteger(height) || height < 0 || height > newest) return null;
  return {
    number: `0x${height.toString(16)}`,
    hash: blockHash(chain, height),
    parentHash: blockHash(chain, height - 1),
    timestamp: `0x${Math.floor(momentOf(height) / 1000).toString(16)}`,
    transactions: [],
  };
}
