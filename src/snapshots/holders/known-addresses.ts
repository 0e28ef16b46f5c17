import { CHAINS, EVM_BURNS, OWNER_PROGRAMS, SOLANA_BURNS } from '../../chains/index.ts';
import type { HolderLabel } from '../../domain/index.ts';
import { bookOf, type LabelBook } from '../../metrics/index.ts';

/** The built-in book of a chain. */
export function knownAddresses(chainName: string): LabelBook {
  const chain = CHAINS.find((row) => row.name === chainName);
  if (chain === undefined) return bookOf([]);
  const burns = (chain.kind === 'solana' ? SOLANA_BURNS : EVM_BURNS).map((row) => ({ ...row, kind: 'burn' as const }));
  return bookOf(
    [...burns, ...chain.serviceAddresses].map(
      ({ address, kind, name, source }) => [address, { kind, name, source, confidence: 1 }] as const,
    ),
  );
}

/** Names of owners that are accounts of known programs; `programs` gives the program of each owner that has an account. */
export function byProgram(programs: ReadonlyMap<string, string>): LabelBook {
  return {
    labelsOf(address): readonly HolderLabel[] {
      const program = programs.get(address);
      const label = OWNER_PROGRAMS.find((row) => row.address === program)?.label;
      return label ? [{ ...label, source: 'program_owner', confidence: 0.95 }] : [];
    },
  };
}

/** Pools of the asset as they were found, with what else holds their reserves (authorities, vaults). */
export function poolAddresses(pools: Iterable<readonly [address: string, dex: string]>): LabelBook {
  return bookOf(
    [...pools].map(([address, dex]) => [
      address,
      { kind: 'pool', name: `${dex} pool`, source: 'pools_snapshot', confidence: 0.9 } as const,
    ]),
  );
}
