import { findChain, isAddressOn, isMistyped } from '../../chains/index.ts';
import type { Input, PortfolioBody, PortfolioVerdictReply, PositionInput } from '../../contract/index.ts';
import type { Outcome } from '../../policy/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, refuse, refuseField } from '../replies/problems.ts';

/** Positions of an address, with where they were read. `isCut`: some positions are known to be missing. */
export interface HeldPositions {
  readonly positions: readonly PositionInput[];
  readonly holdings: NonNullable<PortfolioVerdictReply['holdings']>;
  readonly isCut: boolean;
}

/**
 * Reads the holdings of an address from the operator's nodes: on the given chains, or else on every chain that has a
 * node and this address format. Refuses when a chain cannot be read, because unread positions must not count as none.
 * `most`: maximum number of positions of the plan; the remaining ones are counted and make the list incomplete.
 */
export async function heldPositions(
  context: Pick<ApiContext, 'holdings' | 'now'>,
  { address = '', chains }: Input<typeof PortfolioBody>,
  most: number,
): Promise<HeldPositions> {
  const { holdings } = context;
  if (isMistyped(address))
    refuseField('/address', 'wrong_checksum', 'the capitals are not the checksum of the address: one letter is wrong');
  const served = holdings?.chains ?? [];
  const fits = (name: string) => {
    const chain = findChain(name);
    return chain !== null && isAddressOn(chain, address);
  };
  const wanted = [...new Set(chains ?? served.filter(fits))];
  const strange = wanted.find((name) => !fits(name));
  if (strange !== undefined)
    refuseField('/address', 'malformed', `expected an address of ${strange}, got ${JSON.stringify(address)}`);
  const unread = wanted.find((name) => !served.includes(name));
  if (unread !== undefined) refuse(notRead(`no node of ${unread} is configured here`, 'corrected'));
  if (wanted.length === 0 || holdings === undefined)
    return refuseField('/address', 'malformed', 'expected an address of a chain that is read here');
  const read = await Promise.all(wanted.map(async (chain) => ({ chain, reply: await holdings.read(chain, address) })));
  const at = new Date(context.now()).toISOString();
  const rows = read.map(({ chain, reply }) =>
    reply.ok ? { chain, ...reply.value } : refuse(notRead(`${chain}: ${reply.detail}`, 'after')),
  );
  const all = rows.flatMap(({ held }) => held);
  return {
    positions: all
      .slice(0, most)
      .map(({ assetId, quantity }) => (quantity === null ? { asset: assetId } : { asset: assetId, quantity })),
    holdings: rows.map(({ chain, height, held, complete, gaps, looked }) => ({
      chain,
      address,
      height,
      positions: held.length,
      tokens_looked_at: looked,
      complete,
      gaps,
      read_at: at,
    })),
    isCut: all.length > most || rows.some(({ gaps }) => gaps.includes('cut')),
  };
}

/**
 * Effect of an incomplete list on the overall outcome: tokens known to be missing make it unknown, tokens that cannot
 * be seen require a review.
 */
export function outcomeOfGaps({ holdings, isCut }: HeldPositions, unknown: Outcome): Outcome {
  if (isCut) return unknown;
  return holdings.every(({ complete }) => complete) ? 'allow' : 'caution';
}

function notRead(detail: string, retry: 'after' | 'corrected'): Problem {
  return {
    status: 503,
    code: 'holdings_not_read',
    title: 'The holdings of the address could not be read',
    detail,
    retry,
    ...(retry === 'after' ? { headers: { 'retry-after': '10' } } : {}),
  };
}

interface Priced {
  readonly price_usd?: number | null;
}

/**
 * Price from the asset's newest market snapshot, or from the newest at a point of the plan's freshness grid, in US
 * dollars; null if there is none or the rating is newer.
 */
export async function snapshotPrice(
  { chain }: Pick<ApiContext, 'chain'>,
  assetId: string,
  ratedAt: string | null,
  point: string | null,
): Promise<number | null> {
  const { reader } = chain;
  const snapshot = await (point === null ? reader.latest(assetId, 'market') : reader.asOf(assetId, 'market', point));
  if (snapshot === null || (ratedAt !== null && ratedAt > snapshot.asOf)) return null;
  const { price_usd: price = null } = JSON.parse(Buffer.from(snapshot.body).toString('utf8')) as Priced;
  return price;
}
