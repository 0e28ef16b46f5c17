import type { Abi, Address, Hex } from 'viem';
import type { Exchange } from '../../src/chains/exchanges.ts';
import type { Anvil } from './anvil.ts';
import type { Payer } from './payer.ts';
import { artifact } from './uniswap.ts';

const CONTRACTS = '@cryptoalgebra/v1-core/artifacts/contracts';
const FACTORY = artifact(`${CONTRACTS}/AlgebraFactory.sol/AlgebraFactory.json`);
const DEPLOYER = artifact(`${CONTRACTS}/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json`);
const POOL = artifact(`${CONTRACTS}/AlgebraPool.sol/AlgebraPool.json`);
const LOWEST_PRICE = 4_295_128_740n;
const HIGHEST_PRICE = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;

/** Algebra's first version as it was published: what QuickSwap v3 runs. */
export async function deployAlgebra(anvil: Anvil, payer: Payer) {
  const me = anvil.accounts[0]?.address as Address;
  const deployer = await anvil.deploy(DEPLOYER.abi, DEPLOYER.bytecode);
  const factory = await anvil.deploy(FACTORY.abi, FACTORY.bytecode, [deployer, me]);
  await anvil.send(deployer, DEPLOYER.abi, 'setFactory', [factory]);
  const dex: Exchange = {
    dex: 'quickswap',
    protocol: 'quickswap_v3',
    form: 'algebra',
    factory: factory.toLowerCase() as Hex,
    feeMillionths: null,
  };
  const swapArgs = (amountIn: bigint, zeroForOne: boolean) => [
    payer.address,
    zeroForOne,
    amountIn,
    zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE,
    '0x',
  ];
  return {
    dex,
    async pool(a: Address, b: Address, sqrtPrice: bigint): Promise<Address> {
      await anvil.send(factory, FACTORY.abi, 'createPool', [a, b]);
      const pool = (await anvil.read(factory, FACTORY.abi, 'poolByPair', [a, b])) as Address;
      await anvil.send(pool, POOL.abi, 'initialize', [sqrtPrice]);
      return pool;
    },
    addRange: (pool: Address, lower: number, upper: number, liquidity: bigint) =>
      payer.run(pool, POOL.abi, 'mint', [payer.address, payer.address, lower, upper, liquidity, '0x']),
    swap: (pool: Address, amountIn: bigint, zeroForOne: boolean) =>
      payer.run(pool, POOL.abi, 'swap', swapArgs(amountIn, zeroForOne)),
    /** What a swap would take and give in the next block; null when it would revert. */
    async quote(pool: Address, amountIn: bigint, zeroForOne: boolean) {
      const told = (await payer.ask(pool, POOL.abi as Abi, 'swap', swapArgs(amountIn, zeroForOne))) as
        | readonly [bigint, bigint]
        | null;
      if (told === null) return null;
      const [amount0, amount1] = told;
      return zeroForOne ? { taken: amount0, amountOut: -amount1 } : { taken: amount1, amountOut: -amount0 };
    },
  };
}
