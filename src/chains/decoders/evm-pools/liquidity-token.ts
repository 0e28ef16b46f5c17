import { EVM_CHAINS } from '../../all.ts';
import type { Hex } from '../../codecs/abi.ts';
import { callData, ERC20, uintAt } from '../../codecs/abi.ts';
import type { EvmCall } from '../../codecs/multicall.ts';
import { EVM_BURN_ADDRESSES } from '../../fixed-addresses.ts';
import type { PoolReading } from '../../pool-math/types.ts';

/** Lockers of liquidity tokens by name; the same contract is found on several chains, so all are looked at on each. */
const LOCKERS: readonly (readonly [Hex, string])[] = [
  ...new Map(
    EVM_CHAINS.flatMap((chain) =>
      chain.serviceAddresses
        .filter((row) => row.kind === 'locker')
        .map((row) => [row.address as Hex, row.name] as const),
    ),
  ),
];
/** Solidly locks its first units at address 1. */
const BURNS = [...EVM_BURN_ADDRESSES, '0x0000000000000000000000000000000000000001'] as readonly Hex[];

/** What has to be asked of a pool that is its own liquidity token. */
export function liquidityTokenCalls(pool: Hex): readonly EvmCall[] {
  const owners = [...BURNS, ...LOCKERS.map(([locker]) => locker)];
  return [
    { to: pool, data: ERC20.totalSupply },
    ...owners.map((owner) => ({ to: pool, data: callData(ERC20.balanceOf, owner) })),
  ];
}

/** Burned and locked shares from the answers to `liquidityTokenCalls`; null when nothing was given out. */
export function liquidityTokenState(answers: readonly (Hex | null)[]): PoolReading['lp'] {
  const number = (index: number) => uintAt(answers[index] ?? '0x', 0) ?? 0n;
  const total = number(0);
  if (total === 0n) return null;
  const burned = BURNS.reduce((sum, _, index) => sum + number(1 + index), 0n);
  const locks = LOCKERS.map(([, name], index) => ({ name, held: number(1 + BURNS.length + index) })).filter(
    ({ held }) => held > 0n,
  );
  return {
    burned: Number(burned) / Number(total),
    locked: Number(locks.reduce((sum, { held }) => sum + held, 0n)) / Number(total),
    locker: locks[0]?.name ?? null,
    unlocksAt: null,
    source: 'balances of the liquidity token',
  };
}
