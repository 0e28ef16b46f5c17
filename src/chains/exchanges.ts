/** How pools that are separate contracts are read. */
export type ContractForm = 'uniswap_v2' | 'uniswap_v3' | 'solidly' | 'slipstream' | 'algebra';
/** How pools of a factory are read; Uniswap v4 pools are ids inside its pool manager. */
export type PoolForm = ContractForm | 'uniswap_v4' | 'liquidity_book' | 'curve';

/** A decentralised exchange of an EVM chain, identified by the contract that lists its pools. */
export interface Exchange {
  readonly dex: string;
  /** `uniswap_v2`, `pancakeswap_v3`, ... */
  readonly protocol: string;
  readonly form: PoolForm;
  /** Uniswap v4: the pool manager. Curve: a factory or registry that returns the number of coins of its pools. */
  readonly factory: `0x${string}`;
  /** Uniswap v4: the contract that stores the keys of pools. */
  readonly positions?: `0x${string}`;
  /** Taker's fee in millionths, for pools that do not state it; otherwise null. */
  readonly feeMillionths: number | null;
}

// Each factory in the chain files was confirmed in several public code bases (routers, indexers, aggregators) in November 2026.

/** An exchange whose pools are forks of Uniswap v2, with its fee in millionths. */
export function uniswapV2(dex: string, factory: `0x${string}`, feeMillionths: number): Exchange {
  return { dex, protocol: `${dex}_v2`, form: 'uniswap_v2', factory, feeMillionths };
}

/** An exchange whose pools are forks of Uniswap v3. */
export function uniswapV3(dex: string, factory: `0x${string}`): Exchange {
  return { dex, protocol: `${dex}_v3`, form: 'uniswap_v3', factory, feeMillionths: null };
}

/** Uniswap v4: `factory` is the pool manager, `positions` the position manager. */
export function uniswapV4(factory: `0x${string}`, positions: `0x${string}`): Exchange {
  return { dex: 'uniswap', protocol: 'uniswap_v4', form: 'uniswap_v4', factory, feeMillionths: null, positions };
}

/** An exchange with the stable and volatile pools of Solidly. */
export function solidly(dex: string, factory: `0x${string}`): Exchange {
  return { dex, protocol: dex, form: 'solidly', factory, feeMillionths: null };
}

/** An exchange with concentrated liquidity that is read differently from Uniswap v3. */
export function ranged(
  dex: string,
  protocol: string,
  form: 'slipstream' | 'algebra',
  factory: `0x${string}`,
): Exchange {
  return { dex, protocol, form, factory, feeMillionths: null };
}

/** A factory or registry of Curve. */
export function curve(protocol: string, factory: `0x${string}`): Exchange {
  return { dex: 'curve', protocol, form: 'curve', factory, feeMillionths: null };
}

/** Liquidity Book of Trader Joe. */
export function liquidityBook(protocol: string, factory: `0x${string}`): Exchange {
  return { dex: 'traderjoe', protocol, form: 'liquidity_book', factory, feeMillionths: null };
}

/** The factories have the same address on every chain where they are deployed. */
export const LIQUIDITY_BOOKS: readonly Exchange[] = [
  liquidityBook('liquidity_book_v2_1', '0x8e42f2f4101563bf679975178e880fd87d3efd4e'),
  liquidityBook('liquidity_book_v2_2', '0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c'),
];
