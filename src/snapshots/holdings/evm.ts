import { assetId, type ChainFault, callData, ERC20, type EvmChain, type Hex, uintOf } from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { type Blockscout, blockscoutTokens } from '../evm/blockscout.ts';
import { type EvmReader, hexOf } from '../evm/reader.ts';
import { callRpc, malformedReply, type RpcNode, requestNodes } from '../json-rpc.ts';
import { type Holding, type HoldingsGap, MOST_TOKENS, type ReadHoldings, wholeOf } from './holdings.ts';

const COIN_DECIMALS = 18;
const MOST_DECIMALS = 36n;
/** Precompiled contracts of the chain itself have the lowest addresses. */
const LAST_PRECOMPILE = 0xffffn;

/**
 * An EVM node has no list of the holdings of an address. These are requested, at one block: the coin, the tokens that
 * are known here, and those that Blockscout lists if it is a source. Blockscout only names tokens: every balance is the
 * node's. Tokens that neither names are not found, and the reply states this.
 */
export function evmHoldings({
  upstream,
  chain,
  nodes,
  reader,
  blockscout,
}: {
  readonly upstream: Upstream;
  readonly chain: EvmChain;
  readonly nodes: readonly RpcNode[];
  readonly reader: Pick<EvmReader, 'block' | 'calls'>;
  /** Null: Blockscout is not a source. */
  readonly blockscout: Omit<Blockscout, 'upstream'> | null;
}): ReadHoldings {
  async function listed(
    owner: Hex,
    signal: AbortSignal,
  ): Promise<{ readonly tokens: readonly Hex[]; readonly gap: HoldingsGap }> {
    if (blockscout === null) return { tokens: [], gap: 'known_assets_only' };
    const reply = await blockscoutTokens({ upstream, ...blockscout }, owner, signal);
    return reply.ok ? { tokens: reply.value, gap: 'explorer_list' } : { tokens: [], gap: 'explorer_silent' };
  }

  /** Balances as holdings, with the decimals and the supply that each token states at this block. */
  async function rowsOf(
    held: readonly { readonly token: Hex; readonly units: bigint }[],
    height: number,
    signal: AbortSignal,
  ): Promise<Result<readonly Holding[], ChainFault>> {
    const facts = await reader.calls(
      held.flatMap(({ token: to }) => [
        { to, data: ERC20.decimals },
        { to, data: ERC20.totalSupply },
      ]),
      height,
      signal,
    );
    if (!facts.ok) return facts;
    return ok(
      held.map(({ token, units }, index) => {
        const [decimals, supply] = [2 * index, 2 * index + 1].map((at) => uintOf(facts.value.results[at]));
        const isSound = decimals != null && decimals <= MOST_DECIMALS && supply != null && units <= supply;
        return { assetId: assetId(chain, token), quantity: isSound ? wholeOf(units, Number(decimals)) : null };
      }),
    );
  }

  return async (given, known, signal) => {
    const owner = given.toLowerCase() as Hex;
    const [block, { tokens: named, gap }] = await Promise.all([reader.block('latest', signal), listed(owner, signal)]);
    if (!block.ok) return block;
    const height = block.value.number;
    const coin = await requestNodes(nodes, (node) =>
      callRpc(upstream, node, 'eth_getBalance', [owner, hexOf(height)], signal),
    );
    if (!coin.ok) return coin;
    if (typeof coin.value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(coin.value)) return malformedReply('a balance');
    const wei = BigInt(coin.value);
    const ours = [...new Set(known.map((address) => address.toLowerCase() as Hex))];
    const strangers = named.filter((token) => BigInt(token) > LAST_PRECOMPILE && !ours.includes(token));
    const tokens = [...ours, ...strangers].slice(0, MOST_TOKENS);
    const data = callData(ERC20.balanceOf, owner);
    const balancesOf = async (part: readonly Hex[]) => {
      const balances = await reader.calls(
        part.map((to) => ({ to, data })),
        height,
        signal,
      );
      if (!balances.ok) return balances;
      return ok(part.map((token, index) => ({ token, units: uintOf(balances.value.results[index]) })));
    };
    const first = await balancesOf(tokens.slice(0, ours.length));
    if (!first.ok) return first;
    // A token that a stranger sent here may be made to disturb nodes: it must not hide the others.
    const second = await balancesOf(tokens.slice(ours.length));
    const read = [...first.value, ...(second.ok ? second.value : [])].filter(({ units }) => units !== null).length;
    const ourRows = await rowsOf(heldOf(first.value), height, signal);
    if (!ourRows.ok) return ourRows;
    const foreign = second.ok ? heldOf(second.value) : [];
    const foreignRows = await rowsOf(foreign, height, signal);
    const rows = [
      ...ourRows.value,
      ...(foreignRows.ok
        ? foreignRows.value
        : foreign.map(({ token }): Holding => ({ assetId: assetId(chain, token), quantity: null }))),
    ];
    const native = wei > 0n ? [{ assetId: assetId(chain, 'native'), quantity: wholeOf(wei, COIN_DECIMALS) }] : [];
    return ok({
      height,
      held: [...native, ...rows],
      complete: false,
      gaps: [
        second.ok ? gap : 'explorer_silent',
        ...(tokens.length < ours.length + strangers.length ? (['cut'] as const) : []),
        ...(read < tokens.length ? (['unread'] as const) : []),
      ],
      looked: read,
    });
  };
}

/** Balances above zero. One that could not be read (null) is not zero: the reply states the gap `unread`. */
function heldOf(
  balances: readonly { readonly token: Hex; readonly units: bigint | null }[],
): readonly { readonly token: Hex; readonly units: bigint }[] {
  return balances.flatMap(({ token, units }) => (units !== null && units > 0n ? [{ token, units }] : []));
}
