import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readAccountFile } from '../chain/solana/account-file.ts';
import { describeAccount } from '../chain/solana/describe-account.ts';
import type { Command } from './command.ts';

/** Reads one file's JSON into a description, or says what is wrong with it. */
export type AccountDecoder = (
  json: unknown,
  chain: string,
) =>
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly detail: string };

const LARGEST_FILE = 256 * 1024 * 1024;

/** By chain; `evm` stands for every EVM chain that has no entry of its own. */
export function decodeCommand(decoders: Readonly<Record<string, AccountDecoder>> = {}): Command {
  const known: Readonly<Record<string, AccountDecoder>> = { solana: decodeSolana, ...decoders };
  const command: Command = {
    usage: 'assay decode CHAIN ACCOUNT.json',
    summary: 'say what a raw account is: a mint, a token account or a pool, with price, fee, tokens and liquidity',
    async run(args, { terminal }) {
      const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
      const [chain, path, ...rest] = positionals;
      if (chain === undefined || path === undefined || rest.length > 0) {
        terminal.err(`usage: ${command.usage}`);
        return 64;
      }
      const decode = Object.hasOwn(known, chain) ? known[chain] : known.evm;
      if (decode === undefined) {
        terminal.err(`accounts of ${chain} cannot be decoded; the chains are ${Object.keys(known).join(', ')}`);
        return 64;
      }
      const json = await jsonOf(path);
      const decoded = json.ok ? decode(json.value, chain) : json;
      if (!decoded.ok) {
        terminal.err(`${path}: ${decoded.detail}`);
        return 65;
      }
      terminal.out(JSON.stringify({ chain, ...decoded.value }, null, 2));
      return 0;
    },
  };
  return command;
}

function decodeSolana(json: unknown): ReturnType<AccountDecoder> {
  const file = readAccountFile(json);
  return file.ok ? describeAccount(file.value) : file;
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
