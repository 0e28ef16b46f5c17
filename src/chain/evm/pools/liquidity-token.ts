import type { PoolReading } from '../../pools/types.ts';
import { callData, uintAt } from '../abi.ts';
import { SELECTORS } from '../token.ts';
import type { EvmCall, Hex } from '../types.ts';

/** Lockers of liquidity tokens by name (sources-chain B); the same contract is found on several chains. */
const LOCKERS: readonly (readonly [Hex, string])[] = [
  ['0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214', 'UNCX'],
  ['0x59d7d55ddc58494fbbbca29904f108ece82ac7fb', 'UNCX'],
  ['0x63f4b2c082b1e0bba38874567e053800379bf8d7', 'UNCX'],
  ['0x5923c3911d9424f7725cad33ed176a6b885484d6', 'UNCX'],
  ['0x939d71ade0bf94d3f8cf578413bf2a2f248bf58b', 'UNCX'],
  ['0xe2fe530c047f2d85298b07d9333c05737f1435fb', 'Team Finance'],
];
/** Nobody has a key for these; Solidly locks its first units at address 1. */
const BURNS: readonly Hex[] = [
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000dead',
];

/** What has to be asked of a pool that is its own liquidity token. */
export function liquidityTokenCalls(pool: Hex): readonly EvmCall[] {
  const owners = [...BURNS, ...LOCKERS.map(([locker]) => locker)];
  return [
    { to: pool, data: SELECTORS.totalSupply },
    ...owners.map((owner) => ({ to: pool, data: callData(SELECTORS.balanceOf, owner) })),
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
