import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >;
}

const FOLDER = new URL('../../integrations/solidity/', import.meta.url);

/** Contracts of tests alone. */
export const TEST_CONTRACTS = new URL('./contracts/', import.meta.url);

/** Compiles contracts of a folder (integrations/solidity) with the optimizer, by the names of their files without ending. */
export function compileContracts<const Names extends readonly string[]>(
  names: Names,
  folder: URL = FOLDER,
): Record<Names[number], Compiled> {
  // The compiler is loaded when it is needed: it takes a second.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const sources = Object.fromEntries(
    names.map((name) => [`${name}.sol`, { content: readFileSync(new URL(`${name}.sol`, folder), 'utf8') }]),
  );
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'paris',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as Output;
  const [problem] = output.errors ?? [];
  if (problem !== undefined) throw new Error(problem.formattedMessage);
  const compiled = names.map((name) => {
    const contract = output.contracts[`${name}.sol`]?.[name];
    if (contract === undefined) throw new Error(`${name}.sol has no contract of that name`);
    return [name, { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` as Hex }];
  });
  return Object.fromEntries(compiled);
}
