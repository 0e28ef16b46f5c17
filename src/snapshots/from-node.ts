import { randomBytes } from 'node:crypto';
import { findChain, type Hex } from '../chains/index.ts';
import type { HoldersSnapshot } from '../contract/index.ts';
import { ok, type Result } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { describeContract } from './describe.ts';
import { createEvmReader, type EvmRecording, recordReads } from './evm/reader.ts';
import { holdersOf } from './holders/list.ts';
import { solanaHolders } from './solana/holders.ts';
import { createSolanaReader } from './solana/reader.ts';

const BUDGET = { perMinute: 6_000, burst: 100, concurrency: 8, shareSeconds: 0 };

/** The node at a URL given by the caller of a command; null if that is not an http or https URL. */
function nodeAt(upstream: Upstream, label: string, url: string) {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  upstream.setBudget(label, BUDGET);
  return { label, url, secretHeaders: {}, secretQuery: [] };
}

const NO_URL = { ok: false, detail: '--rpc must be a http or https url' } as const;

/** The holders of a mint read from one node of the caller's choice, without any other source. */
export async function scanMint(
  engine: { readonly upstream: Upstream; readonly methodology: Pick<Methodology, 'holders'> },
  url: string,
  mint: string,
  priceUsd: number | null,
  now: () => number,
): Promise<Result<HoldersSnapshot, { readonly detail: string }>> {
  const node = nodeAt(engine.upstream, 'holders_rpc', url);
  if (node === null) return NO_URL;
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
  return ok(
    holdersOf(asset, listed.value, null, new Date(now()).toISOString(), null, engine.methodology.holders, priceUsd),
  );
}

/**
 * Reads a contract from one node of the caller's choice; the recording gives the same description again without the
 * node.
 */
export async function recordContract(
  { upstream }: { readonly upstream: Upstream },
  url: string,
  chain: string,
  address: Hex,
): Promise<
  Result<
    { readonly description: Readonly<Record<string, unknown>>; readonly recording: EvmRecording },
    { readonly detail: string }
  >
> {
  const node = nodeAt(upstream, 'decode_rpc', url);
  if (node === null) return NO_URL;
  const recorder = await recordReads(createEvmReader(upstream, [node]), address);
  if (recorder === null) return { ok: false, detail: 'the node did not tell its newest block' };
  const described = await describeContract(recorder.reader, chain, address);
  if (!described.ok) return { ok: false, detail: `${described.reason}: ${described.detail}` };
  return ok({ description: described.value, recording: recorder.recording() });
}
