import { type Abi, type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem';
import type { Exchange } from '../../src/chains/exchanges.ts';
import type { Anvil } from './anvil.ts';
import { artifact, TOKEN } from './uniswap.ts';

const OUT = '@uniswap/v4-core/out';
const MANAGER = artifact(`${OUT}/PoolManager.sol/PoolManager.json`);
const LIQUIDITY = artifact(`${OUT}/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json`);
const SWAP = artifact(`${OUT}/PoolSwapTest.sol/PoolSwapTest.json`);
const LOWEST_PRICE = 4_295_128_740n;
const HIGHEST_PRICE = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;
const MAX = (1n << 255n) - 1n;

export interface V4PoolKey {
  readonly currency0: Address;
  readonly currency1: Address;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
}

/** Uniswap v4's pool manager as it was published, with the routers of its own tests. */
export async function deployUniswapV4(anvil: Anvil) {
  const me = anvil.accounts[0]?.address as Address;
  const manager = await anvil.deploy(MANAGER.abi, MANAGER.bytecode, [me]);
  const liquidity = await anvil.deploy(LIQUIDITY.abi, LIQUIDITY.bytecode, [manager]);
  const swaps = await anvil.deploy(SWAP.abi, SWAP.bytecode, [manager]);
  await anvil.send(manager, MANAGER.abi, 'setProtocolFeeController', [me]);
  const dex: Exchange = {
    dex: 'uniswap',
    protocol: 'uniswap_v4',
    form: 'uniswap_v4',
    factory: manager.toLowerCase() as Hex,
    feeMillionths: null,
    positions: '0x00000000000000000000000000000000000000aa',
  };
  const settings = { takeClaims: false, settleUsingBurn: false };
  const swapArgs = (key: V4PoolKey, amountIn: bigint, zeroForOne: boolean) => [
    key,
    { zeroForOne, amountSpecified: -amountIn, sqrtPriceLimitX96: zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE },
    settings,
    '0x',
  ];
  return {
    dex,
    manager,
    async approve(token: Address): Promise<void> {
      for (const spender of [liquidity, swaps]) await anvil.send(token, TOKEN.abi, 'approve', [spender, MAX]);
    },
    async pool(key: V4PoolKey, sqrtPrice: bigint): Promise<Hex> {
      await anvil.send(manager, MANAGER.abi, 'initialize', [key, sqrtPrice]);
      return keccak256(
        encodeAbiParameters(
          [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
          [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
        ),
      );
    },
    addRange: (key: V4PoolKey, tickLower: number, tickUpper: number, liquidityDelta: bigint) =>
      anvil.send(liquidity, LIQUIDITY.abi, 'modifyLiquidity', [
        key,
        { tickLower, tickUpper, liquidityDelta, salt: `0x${'00'.repeat(32)}` },
        '0x',
      ]),
    /** Millionths for both directions; at most 1,000 each. */
    setProtocolFee: (key: V4PoolKey, down: number, up: number) =>
      anvil.send(manager, MANAGER.abi, 'setProtocolFee', [key, down + up * 4_096]),
    swap: (key: V4PoolKey, amountIn: bigint, zeroForOne: boolean) =>
      anvil.send(swaps, SWAP.abi, 'swap', swapArgs(key, amountIn, zeroForOne)),
    /** What a swap would take and give now; null when it would revert. */
    async quote(key: V4PoolKey, amountIn: bigint, zeroForOne: boolean) {
      const abi = SWAP.abi.map((row) => ({ ...row, stateMutability: 'view' })) as unknown as Abi;
      try {
        const delta = (await anvil.client.readContract({
          address: swaps,
          abi,
          functionName: 'swap',
          args: swapArgs(key, amountIn, zeroForOne),
          account: me,
        } as never)) as bigint;
        const [amount0, amount1] = [BigInt.asIntN(128, delta >> 128n), BigInt.asIntN(128, delta)];
        return zeroForOne ? { taken: -amount0, amountOut: amount1 } : { taken: -amount1, amountOut: amount0 };
      } catch {
        return null;
      }
    },
    held: (token: Address) => anvil.read(token, TOKEN.abi, 'balanceOf', [manager]) as Promise<bigint>,
  };
}
