import {
  type Abi,
  type Address,
  type BaseError,
  bytesToHex,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
} from 'viem';
import { assetHash } from '../../src/attestation/claim.ts';
import type { Anvil } from './anvil.ts';
import { ASSET, FORGERIES, HERE, type Presented, SERVICE } from './forged-attestations.ts';
import { compileContracts } from './solidity.ts';

export interface RatedVault {
  readonly verifier: Address;
  readonly vault: Address;
  readonly verifierAbi: Abi;
  readonly vaultAbi: Abi;
  /** Seconds since the epoch, of the newest block. */
  now(): Promise<number>;
  /** Why a deposit with the record would be refused in the next block, by the name of the error; null when it would go through. */
  refusal(record: Presented): Promise<string | null>;
  accepts(record: Presented): Promise<boolean>;
  accepts(record: Presented): Promise<boolean>;
  /** Deposits with the record; gas that it took. */
  deposit(record: Presented): Promise<bigint>;
  /** Gas of `check` alone, as the execution of the call, without what any transaction costs. */
  gasOfCheck(record: Presented): Promise<bigint>;
}

export const WORST_BAND = 3;
export const LEAST_TRUST = 500;

/** A verifier that trusts the test's service, and a vault for Ether from BBB on, on a chain of its own. */
export async function deployVault(anvil: Anvil): Promise<RatedVault> {
  const { AssayVerifier, RatedVault } = compileContracts(['AssayVerifier', 'RatedVault']);
  const [verifierAbi, vaultAbi] = [AssayVerifier.abi, RatedVault.abi];
  const verifier = await anvil.deploy(verifierAbi, AssayVerifier.bytecode, [
    HERE.contract,
    HERE.version,
    SERVICE.address,
  ]);
  const terms = [verifier, bytesToHex(assetHash(ASSET, 'live')), WORST_BAND, LEAST_TRUST, 36n * 3_600n];
  const vault = await anvil.deploy(vaultAbi, RatedVault.bytecode, terms);
  const { client } = anvil;
  const depositCall = (record: Presented) =>
    ({
      address: vault,
      abi: vaultAbi,
      functionName: 'deposit',
      args: [record.attestation, record.signature],
      value: 1n,
    }) as never;
  const data = (record: Presented) =>
    encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [record.attestation, record.signature] });
  // Errors of the verifier come through the vault as they are.
  const errors = [...verifierAbi, ...vaultAbi];
  async function refusal(record: Presented): Promise<string | null> {
    try {
      await client.call({ to: vault, data: data(record), value: 1n });
      return null;
    } catch (error) {
      const raised = (error as BaseError).walk((one) => typeof (one as { data?: unknown }).data === 'string');
      const revert = (raised as { data?: Hex } | null)?.data;
      if (revert === undefined) throw error;
      // ABI decoding of broken data reverts without a reason.
      return revert === '0x' ? 'undecodable' : decodeErrorResult({ abi: errors, data: revert }).errorName;
    }
  }
  return {
    verifier,
    vault,
    verifierAbi,
    vaultAbi,
    now: async () => Number((await client.getBlock()).timestamp),
    refusal,
    accepts: async (record) => (await refusal(record)) === null,
    async deposit(record) {
      const hash = await client.writeContract(depositCall(record));
      const receipt = await anvil.receipt(hash);
      if (receipt.status !== 'success') throw new Error('the deposit reverted');
      return receipt.gasUsed;
    },
    gasOfCheck: (record) =>
      client.estimateContractGas({
        address: verifier,
        abi: verifierAbi,
        functionName: 'check',
        args: [record.attestation, record.signature],
      } as never),
  };
}

/** Tries so many forgeries, each kind in turn; those that the vault would have accepted. */
export async function tryForgeries(
  world: RatedVault,
  { count, newest, draw }: { readonly count: number; readonly newest: number; readonly draw: () => number },
): Promise<{
  readonly tried: Readonly<Record<string, number>>;
  readonly accepted: readonly string[];
  /** Errors that each kind met. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}> {
  const kinds = Object.entries(FORGERIES);
  const tried: Record<string, number> = {};
  const accepted: string[] = [];
  const reasons: Record<string, string[]> = {};
  const now = await world.now();
  const ATONCE = 50;
  for (let from = 0; from < count; from += ATONCE)
    await Promise.all(
      Array.from({ length: Math.min(ATONCE, count - from) }, async (_, offset) => {
        const [kind, forge] = kinds[(from + offset) % kinds.length] ?? [];
        if (kind === undefined || forge === undefined) throw new Error('there are no forgeries');
        tried[kind] = (tried[kind] ?? 0) + 1;
        const reason = await world.refusal(forge(draw, { now, newest }));
        if (reason === null) accepted.push(kind);
        else if (!reasons[kind]?.includes(reason)) reasons[kind] = [...(reasons[kind] ?? []), reason];
      }),
    );
  return { tried, accepted, reasons };
}

export const revocationArgs = (revocation: {
  readonly message: { readonly asset: Hex; readonly notBefore: string };
  readonly signature: unknown;
}) => [revocation.message.asset, BigInt(revocation.message.notBefore), revocation.signature] as const;
