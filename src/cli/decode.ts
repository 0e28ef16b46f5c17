import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Hex } from '../chains/index.ts';
import { findChain } from '../chains/index.ts';
import {
  asRecording,
  describeAccount,
  describeContract,
  type EvmRecording,
  readAccountFile,
  recordedReader,
} from '../snapshots/index.ts';
import type { CliContext, Command } from './context.ts';
import { MANUAL } from './manual.ts';

const LARGEST_FILE = 256 * 1024 * 1024;
const EVM_ADDRESS = /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i;

type Description =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly detail: string };

export const decodeCommand: Command = {
  ...MANUAL.decode,
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { rpc: { type: 'string' }, address: { type: 'string' }, save: { type: 'string' } },
    });
    const { terminal } = context;
    const [name, path, ...rest] = positionals;
    const live = values.rpc !== undefined;
    const { address } = values;
    if (name === undefined || rest.length > 0 || (path === undefined) !== live || (address === undefined) === live) {
      terminal.err(`usage:\n${decodeCommand.usage}`);
      return 64;
    }
    const chain = findChain(name);
    if (chain === null || (live && chain.kind !== 'evm')) {
      terminal.err(
        `decoding${live ? ' from a node' : ''} is not supported for ${name}: expected solana or an EVM chain`,
      );
      return 64;
    }
    if (live && !EVM_ADDRESS.test(address ?? '')) {
      terminal.err('--address must be 0x and 40 hexadecimal digits, or 64 for a pool of Uniswap v4');
      return 64;
    }
    const described =
      path === undefined
        ? await fromNode(context, chain.name, values.rpc ?? '', address?.toLowerCase() as Hex, values.save)
        : await fromFile(path, chain);
    if (!described.ok) {
      terminal.err(path === undefined ? described.detail : `${path}: ${described.detail}`);
      return path === undefined ? 1 : 65;
    }
    terminal.out(JSON.stringify({ chain: chain.name, ...described.value }, null, 2));
    return 0;
  },
};

async function fromFile(path: string, chain: { readonly name: string; readonly kind: string }): Promise<Description> {
  const json = await jsonOf(path);
  if (!json.ok) return json;
  if (chain.kind === 'solana') {
    const file = readAccountFile(json.value);
    return file.ok ? describeAccount(file.value) : file;
  }
  const recording = asRecording(json.value);
  if (recording === null)
    return { ok: false, detail: 'expected a recording as assay decode --rpc URL --address A --save FILE writes it' };
  return describeContract(recordedReader(recording), chain.name, recording.address);
}

async function fromNode(
  { recordContract }: Pick<CliContext, 'recordContract'>,
  chain: string,
  url: string,
  address: Hex,
  save: string | undefined,
): Promise<Description> {
  const recorded = await recordContract(url, chain, address);
  if (!recorded.ok) return recorded;
  if (save !== undefined) await saveRecording(save, recorded.value.recording);
  return { ok: true, value: recorded.value.description };
}

async function saveRecording(path: string, recording: EvmRecording): Promise<void> {
  await writeFile(path, `${JSON.stringify(recording, null, 1)}\n`);
}

async function jsonOf(path: string): Promise<{ ok: true; value: unknown } | { ok: false; detail: string }> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > LARGEST_FILE) return { ok: false, detail: 'larger than 256 MiB' };
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : 'cannot be read' };
  }
}
