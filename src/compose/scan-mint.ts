import { randomBytes } from 'node:crypto';
import { findChain } from '../chains/index.ts';
import type { HoldersSnapshot } from '../domain/index.ts';
import { createSolanaReader, holdersOf, solanaHolders } from '../snapshots/index.ts';
import type { Engine } from './engine.ts';

/** The holders of a mint read from one node of the caller's choice, without any other source. */
export async function scanMint(
  engine: Engine,
  url: string,
  mint: string,
  priceUsd: number | null,
  now: () => number,
): Promise<{ readonly ok: true; readonly value: HoldersSnapshot } | { readonly ok: false; readonly detail: string }> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return { ok: false, detail: '--rpc must be a http or https url' };
  const node = { label: 'holders_rpc', url, secretHeaders: {}, secretQuery: [] };
  engine.upstream.setBudget(node.label, { perMinute: 6_000, burst: 100, concurrency: 8, shareSeconds: 0 });
  const list = solanaHolders({
    upstream: engine.upstream,
    reader: createSolanaReader(engine.upstream, [node]),
    nodes: [{ node, form: 'plain', most: Number.POSITIVE_INFINITY }],
    random: () => randomBytes(4).readUInt32LE(),
    now,
  });
  const chain = findChain('solana');
  const asset = {
    id: `${chain?.caip2}/token:${mint}`,
    chain: 'solana',
    address: mint,
    symbol: null,
    name: mint,
    category: null,
    website: null,
  };
  const listed = await list(asset, null, new AbortController().signal);
  if (!listed.ok) return { ok: false, detail: `${listed.reason}: ${listed.detail}` };
  return {
    ok: true,
    value: holdersOf(
      asset,
      listed.value,
      null,
      new Date(now()).toISOString(),
      null,
      engine.methodology.holders,
      priceUsd,
    ),
  };
}
