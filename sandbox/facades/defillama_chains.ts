import type { Scene } from '../scene.ts';

/** Chains with their coins; Base has none of its own. */
const CHAIN_ROWS = [
  { gecko_id: 'ethereum', tvl: 6.1e10, tokenSymbol: 'ETH', cmcId: '1027', name: 'Ethereum', chainId: 1 },
  { gecko_id: 'solana', tvl: 9.4e9, tokenSymbol: 'SOL', cmcId: '5426', name: 'Solana', chainId: null },
  { gecko_id: 'bitcoin', tvl: 6.2e9, tokenSymbol: 'BTC', cmcId: '1', name: 'Bitcoin', chainId: null },
  { gecko_id: null, tvl: 4.1e9, tokenSymbol: null, cmcId: null, name: 'Base', chainId: 8453 },
];
/** US dollars that the usual chains are paid in a day. */
const USUAL_FEES = 1_000_000;
const STABLECOIN_CHAINS = [
  { gecko_id: 'ethereum', totalCirculatingUSD: { peggedUSD: 1.2e11, peggedEUR: 4e8 }, name: 'Ethereum' },
  { gecko_id: 'solana', totalCirculatingUSD: { peggedUSD: 1.1e10 }, name: 'Solana' },
];

/** A chain with its coin, as the list has it, and what is paid to it in a day. */
interface ChainRow {
  readonly gecko_id: string | null;
  readonly tvl: number;
  readonly tokenSymbol: string | null;
  readonly cmcId: string | null;
  readonly name: string;
  readonly chainId: number | null;
  readonly feesPerDayUsd: number;
}

/** Chains of the world's coins and rollups with known fees, and those of every world. */
export function chainsOf({ world }: Scene): readonly ChainRow[] {
  const told = world.assets.flatMap(({ economy, coingeckoId, symbol, cmcId, name }) =>
    economy === undefined
      ? []
      : [
          {
            gecko_id: coingeckoId,
            tvl: economy.tvlUsd ?? 0,
            tokenSymbol: symbol,
            cmcId: String(cmcId),
            name,
            chainId: null,
            feesPerDayUsd: economy.feesPerDayUsd,
          },
        ],
  );
  const usual = CHAIN_ROWS.filter((row) => told.every(({ gecko_id: id }) => id !== row.gecko_id));
  return [...told, ...usual.map((row) => ({ ...row, feesPerDayUsd: USUAL_FEES }))];
}

/** Its name in URLs. */
export const slugOf = ({ name }: ChainRow) => name.toLowerCase().replaceAll(' ', '-');

/** Stablecoins of the usual chains; the locked value of a coin's chain includes them. */
export function stablecoinChains({ world }: Scene) {
  return STABLECOIN_CHAINS.filter((row) =>
    world.assets.every(({ economy, coingeckoId }) => economy === undefined || coingeckoId !== row.gecko_id),
  );
}

/** Fees paid to a chain itself; a part of them is burned, which benefits holders. */
export function chainFees({ name, feesPerDayUsd }: ChainRow, dataType: string) {
  const day = feesPerDayUsd * (dataType === 'dailyFees' ? 1 : 0.6);
  return {
    id: '1',
    name,
    defillamaId: `chain#${name.toLowerCase()}`,
    category: 'Chain',
    protocolType: 'chain',
    total24h: day,
    total30d: day * 30,
    totalDataChart: [],
  };
}
