import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, type Address, encodeAbiParameters, type Hex, keccak256, toHex } from 'viem';
import type { Exchange } from '../../src/chains/exchanges.ts';
import type { Anvil } from './anvil.ts';

const require = createRequire(import.meta.url);
interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A published artifact of a Uniswap package. */
export function artifact(path: string): Artifact {
  const read = JSON.parse(readFileSync(require.resolve(path), 'utf8')) as {
    abi: Abi;
    bytecode: string | { object: string };
  };
  const code = typeof read.bytecode === 'string' ? read.bytecode : read.bytecode.object;
  return { abi: read.abi, bytecode: (code.startsWith('0x') ? code : `0x${code}`) as Hex };
}

const V2_FACTORY = artifact('@uniswap/v2-core/build/UniswapV2Factory.json');
const PAIR = artifact('@uniswap/v2-core/build/UniswapV2Pair.json');
const V3_FACTORY = artifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json');
const V3_POOL = artifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json');
const PERIPHERY = '@uniswap/v3-periphery/artifacts/contracts';
const POSITIONS = artifact(`${PERIPHERY}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`);
const ROUTER = artifact(`${PERIPHERY}/SwapRouter.sol/SwapRouter.json`);
const QUOTER = artifact(`${PERIPHERY}/lens/QuoterV2.sol/QuoterV2.json`);
export const TOKEN = artifact('@uniswap/v4-core/out/MockERC20.sol/MockERC20.json');
const MAX = (1n << 255n) - 1n;
const LATE = 9_999_999_999n;

export interface Quote {
  readonly amountOut: bigint;
  readonly sqrtPriceAfter: bigint;
  readonly ticksCrossed: number;
}

/** Uniswap v2 and v3 as they were published, on a chain of our own. */
export async function deployUniswap(anvil: Anvil) {
  const me = anvil.accounts[0]?.address as Address;
  const v2 = await anvil.deploy(V2_FACTORY.abi, V2_FACTORY.bytecode, [me]);
  const v3 = await anvil.deploy(V3_FACTORY.abi, V3_FACTORY.bytecode);
  const weth = await anvil.deploy(TOKEN.abi, TOKEN.bytecode);
  const positions = await anvil.deploy(POSITIONS.abi, POSITIONS.bytecode, [v3, weth, weth]);
  const router = await anvil.deploy(ROUTER.abi, ROUTER.bytecode, [v3, weth]);
  const quoter = await anvil.deploy(QUOTER.abi, QUOTER.bytecode, [v3, weth]);
  const lower = (address: Address) => address.toLowerCase() as Hex;
  const dexes: readonly Exchange[] = [
    { dex: 'uniswap', protocol: 'uniswap_v2', form: 'uniswap_v2', factory: lower(v2), feeMillionths: 3_000 },
    { dex: 'uniswap', protocol: 'uniswap_v3', form: 'uniswap_v3', factory: lower(v3), feeMillionths: null },
  ];
  /** Gives an owner a balance by writing the token's storage (`_balanceOf` is its fifth variable). */
  const deal = async (token: Address, owner: Address, amount: bigint) => {
    const index = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 4n]));
    await anvil.client.setStorageAt({ address: token, index, value: toHex(amount, { size: 32 }) });
  };
  return {
    deal,
    dexes,
    me,
    v2,
    /** A token of any decimals, of which the first account has plenty. */
    async token(name: string, decimals: number): Promise<Address> {
      const token = await anvil.deploy(TOKEN.abi, TOKEN.bytecode);
      await anvil.send(token, TOKEN.abi, 'initialize', [name, name, decimals]);
      await deal(token, me, 10n ** 40n);
      for (const spender of [positions, router]) await anvil.send(token, TOKEN.abi, 'approve', [spender, MAX]);
      return token;
    },
    transfer: (token: Address, to: Address, amount: bigint) => anvil.send(token, TOKEN.abi, 'transfer', [to, amount]),
    balance: (token: Address, of: Address) => anvil.read(token, TOKEN.abi, 'balanceOf', [of]) as Promise<bigint>,
    async pair(a: Address, b: Address, amountA: bigint, amountB: bigint): Promise<Address> {
      await anvil.send(v2, V2_FACTORY.abi, 'createPair', [a, b]);
      const pair = (await anvil.read(v2, V2_FACTORY.abi, 'getPair', [a, b])) as Address;
      await anvil.send(a, TOKEN.abi, 'transfer', [pair, amountA]);
      await anvil.send(b, TOKEN.abi, 'transfer', [pair, amountB]);
      await anvil.send(pair, PAIR.abi, 'mint', [me]);
      return pair;
    },
    /** Takes `out` for `amountIn`, as the pair itself allows it; throws when it does not. */
    async swapPair(pair: Address, tokenIn: Address, amountIn: bigint, zeroForOne: boolean, out: bigint): Promise<void> {
      await anvil.send(tokenIn, TOKEN.abi, 'transfer', [pair, amountIn]);
      await anvil.send(pair, PAIR.abi, 'swap', zeroForOne ? [0n, out, me, '0x'] : [out, 0n, me, '0x']);
    },
    sendLp: (pair: Address, to: Address, amount: bigint) => anvil.send(pair, PAIR.abi, 'transfer', [to, amount]),
    lpSupply: (pair: Address) => anvil.read(pair, PAIR.abi, 'totalSupply') as Promise<bigint>,
    async pool(a: Address, b: Address, fee: number, sqrtPrice: bigint): Promise<Address> {
      await anvil.send(v3, V3_FACTORY.abi, 'createPool', [a, b, fee]);
      const pool = (await anvil.read(v3, V3_FACTORY.abi, 'getPool', [a, b, fee])) as Address;
      if (sqrtPrice > 0n) await anvil.send(pool, V3_POOL.abi, 'initialize', [sqrtPrice]);
      return pool;
    },
    async addRange(
      a: Address,
      b: Address,
      fee: number,
      tickLower: number,
      tickUpper: number,
      amount0: bigint,
      amount1: bigint,
    ): Promise<void> {
      const [token0, token1] = a.toLowerCase() < b.toLowerCase() ? [a, b] : [b, a];
      const range = { token0, token1, fee, tickLower, tickUpper, amount0Desired: amount0, amount1Desired: amount1 };
      await anvil.send(positions, POSITIONS.abi, 'mint', [
        { ...range, amount0Min: 0n, amount1Min: 0n, recipient: me, deadline: LATE },
      ]);
    },
    async swapPool(tokenIn: Address, tokenOut: Address, fee: number, amountIn: bigint): Promise<void> {
      const swap = {
        tokenIn,
        tokenOut,
        fee,
        recipient: me,
        deadline: LATE,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      };
      await anvil.send(router, ROUTER.abi, 'exactInputSingle', [swap]);
    },
    async quote(tokenIn: Address, tokenOut: Address, fee: number, amountIn: bigint): Promise<Quote | null> {
      const asked = { tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n };
      try {
        const [amountOut, sqrtPriceAfter, ticksCrossed] = (await anvil.read(
          quoter,
          QUOTER.abi.map((row) => ({ ...row, stateMutability: 'view' })) as unknown as Abi,
          'quoteExactInputSingle',
          [asked],
        )) as [bigint, bigint, number];
        return { amountOut, sqrtPriceAfter, ticksCrossed };
      } catch {
        return null;
      }
    },
    poolState: (pool: Address) => anvil.read(pool, V3_POOL.abi, 'slot0') as Promise<readonly [bigint, number]>,
  };
}

export type Uniswap = Awaited<ReturnType<typeof deployUniswap>>;
