import { constantProduct } from '../../pools/constant-product.ts';
import type { PoolReading } from '../../pools/types.ts';
import { callData, uintAt } from '../abi.ts';
import { SELECTORS } from '../token.ts';
import type { EvmCall, Hex } from '../types.ts';
import { GET_RESERVES, type PoolShape } from './shape.ts';

/** Lockers of liquidity tokens by chain-independent name (sources-chain B). */
const LOCKERS: readonly (readonly [Hex, string])[] = [
  ['0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214', 'UNCX'],
  ['0x59d7d55ddc58494fbbbca29904f108ece82ac7fb', 'UNCX'],
  ['0x63f4b2c082b1e0bba38874567e053800379bf8d7', 'UNCX'],
  ['0x5923c3911d9424f7725cad33ed176a6b885484d6', 'UNCX'],
  ['0x939d71ade0bf94d3f8cf578413bf2a2f248bf58b', 'UNCX'],
  ['0xe2fe530c047f2d85298b07d9333c05737f1435fb', 'Team Finance'],
];
const BURNS: readonly Hex[] = [
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
];
const UNKNOWN_FEE = 3_000;

/** What has to be asked of a pair, all at one block. */
export function pairCalls({ address, token0, token1 }: PoolShape): readonly EvmCall[] {
  return [
    { to: address, data: GET_RESERVES },
    { to: address, data: SELECTORS.totalSupply },
    { to: token0, data: SELECTORS.decimals },
    { to: token1, data: SELECTORS.decimals },
    { to: token0, data: callData(SELECTORS.balanceOf, address) },
    { to: token1, data: callData(SELECTORS.balanceOf, address) },
    ...[...BURNS, ...LOCKERS.map(([locker]) => locker)].map((owner) => ({
      to: address,
      data: callData(SELECTORS.balanceOf, owner),
    })),
  ];
}

/** A pair from the answers to `pairCalls`; a text says why it cannot be one. Fee and rounding are UniswapV2Library's. */
export function readPair(shape: PoolShape, answers: readonly (Hex | null)[], block: number): PoolReading | string {
  const [reserves, supply, decimals0, decimals1, held0, held1, ...lp] = answers.map((answer) => answer ?? '0x');
  const [reserve0, reserve1] = [uintAt(reserves ?? '0x', 0), uintAt(reserves ?? '0x', 1)];
  const places = [uintAt(decimals0 ?? '0x', 0), uintAt(decimals1 ?? '0x', 0)];
  if (reserve0 === null || reserve1 === null || reserve0 >> 112n || reserve1 >> 112n)
    return 'its reserves cannot be read';
  const [first, second] = places;
  if (first === null || second === null || first === undefined || second === undefined || first > 255n || second > 255n)
    return 'the decimals of its tokens cannot be read';
  const balances = [uintAt(held0 ?? '0x', 0), uintAt(held1 ?? '0x', 0)];
  const short = (balances[0] ?? 0n) < reserve0 || (balances[1] ?? 0n) < reserve1;
  const fee = shape.dex?.feeMillionths ?? UNKNOWN_FEE;
  const total = uintAt(supply ?? '0x', 0) ?? 0n;
  const share = (index: number) => uintAt(lp[index] ?? '0x', 0) ?? 0n;
  const burned = share(0) + share(1);
  const locks = LOCKERS.map(([, name], index) => ({ name, held: share(BURNS.length + index) })).filter(
    ({ held }) => held > 0n,
  );
  const locked = locks.reduce((sum, { held }) => sum + held, 0n);
  return {
    dex: shape.dex?.dex ?? 'unknown',
    protocol: shape.dex?.protocol ?? 'uniswap_v2_like',
    kind: 'constant_product',
    address: shape.address,
    tokens: [
      { address: shape.token0, decimals: Number(first), reserve: reserve0 },
      { address: shape.token1, decimals: Number(second), reserve: reserve1 },
    ],
    feeRate: fee / 1e6,
    curve: constantProduct({
      reserve0,
      reserve1,
      fee: { how: 'folded', keep: BigInt(1_000_000 - fee), of: 1_000_000n },
    }),
    lp:
      total > 0n
        ? {
            burned: Number(burned) / Number(total),
            locked: Number(locked) / Number(total),
            locker: locks[0]?.name ?? null,
            unlocksAt: null,
            source: 'balances of the liquidity token',
          }
        : null,
    height: block,
    // Somebody who can take tokens out of the pair behind its back makes its price worthless.
    inactive:
      shape.dex === null
        ? 'nobody known vouches for it'
        : short
          ? 'it holds less than its reserves say'
          : reserve0 === 0n || reserve1 === 0n
            ? 'it is empty'
            : null,
    notes: [...shape.notes, ...(shape.dex === null ? ['its fee is not known; 0.3 % is assumed'] : [])],
  };
}
