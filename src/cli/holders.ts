import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { HoldersSnapshot } from '../contract/index.ts';
import { type Asset, SNAPSHOT_KINDS, type SnapshotKind } from '../domain/index.ts';
import { assetFromText } from '../indexer/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import { bookOf } from '../metrics/index.ts';
import { buildHoldersSnapshot, readHolderCsv, type SnapshotCollector, textKeys, totalOf } from '../snapshots/index.ts';
import { type CliContext, type Command, type Terminal, waiting } from './context.ts';
import { MANUAL } from './manual.ts';

export const holdersCommand: Command = {
  ...MANUAL.holders,
  async run(args, context) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        csv: { type: 'string' },
        decimals: { type: 'string' },
        supply: { type: 'string' },
        price: { type: 'string' },
        rpc: { type: 'string' },
        mint: { type: 'string' },
      },
    });
    const { terminal } = context;
    const decimals = values.decimals === undefined ? null : Number(values.decimals);
    const price = values.price === undefined ? null : Number(values.price);
    const wrong =
      (values.csv === undefined) === (values.rpc === undefined) ||
      (values.rpc === undefined) !== (values.mint === undefined)
        ? `usage:\n${holdersCommand.usage}`
        : decimals !== null && !(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255)
          ? '--decimals must be a whole number from 0 to 255'
          : values.supply !== undefined && !/^\d{1,78}$/.test(values.supply)
            ? '--supply must be a whole number of base units'
            : price !== null && !(price > 0 && Number.isFinite(price))
              ? '--price must be a number above 0'
              : null;
    if (wrong !== null) {
      terminal.err(wrong);
      return 64;
    }
    const made = values.csv
      ? await fromFile(values.csv, decimals, values.supply === undefined ? null : BigInt(values.supply), price, context)
      : await waiting(
          terminal,
          () => `reading the holders of ${values.mint}`,
          () => context.scanMint(values.rpc ?? '', values.mint ?? '', price),
        );
    if (!made.ok) {
      terminal.err(made.detail);
      return 65;
    }
    terminal.out(JSON.stringify(made.value, null, 2));
    return 0;
  },
};

async function fromFile(
  path: string,
  decimals: number | null,
  supply: bigint | null,
  priceUsd: number | null,
  context: CliContext,
): Promise<{ readonly ok: true; readonly value: HoldersSnapshot } | { readonly ok: false; readonly detail: string }> {
  const file = createReadStream(path);
  const chunks = /\.gz$/i.test(path) ? file.pipe(createGunzip()) : file;
  // An error of the file does not reach what it is piped into by itself.
  file.once('error', (error) => chunks.destroy(error));
  try {
    const read = await readHolderCsv(chunks, textKeys(), decimals);
    if (!read.ok) return { ok: false, detail: `${path}: line ${read.line}: ${read.detail}` };
    const { table } = read;
    return {
      ok: true,
      value: buildHoldersSnapshot({
        asset: {
          id: `file:${path}`,
          chain: null,
          address: null,
          symbol: null,
          name: path,
          category: null,
          website: null,
        },
        asOf: new Date(context.now()).toISOString(),
        method: 'full_scan',
        table,
        holderCount: null,
        supply: supply ?? totalOf(table),
        decimals: decimals ?? 0,
        priceUsd,
        labels: bookOf([]),
        rules: loadMethodology().holders,
        alsoLook: [],
        previous: null,
        scan: { accounts: read.lines, height: null, bytes: null, milliseconds: null },
        sources: ['file'],
        attributions: [],
        warnings: [],
      }),
    };
  } catch (error) {
    return { ok: false, detail: `${path}: ${error instanceof Error ? error.message : 'cannot be read'}` };
  }
}

/** What the command needs besides the terminal. */
export interface SnapshotContext {
  readonly terminal: Terminal;
  /** Makes a snapshot now from the sources. */
  readonly takeSnapshot: (
    asset: Asset,
    kind: SnapshotKind,
    signal: AbortSignal,
  ) => ReturnType<SnapshotCollector['collect']>;
}

export const snapshotCommand = {
  ...MANUAL.snapshot,
  async run(args: readonly string[], { terminal, takeSnapshot }: SnapshotContext): Promise<number> {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { kind: { type: 'string', default: 'market' }, timeout: { type: 'string', default: '600' } },
    });
    const [text] = positionals;
    const kind = SNAPSHOT_KINDS.find((known) => known === values.kind);
    const asset = assetFromText(text ?? '');
    const seconds = Number(values.timeout);
    if (text === undefined || positionals.length > 1 || !kind || !(seconds > 0 && seconds <= 86_400)) {
      terminal.err(`usage: ${snapshotCommand.usage}`);
      return 64;
    }
    if (asset === null) {
      terminal.err(`${text} names no asset: expected a CAIP-19 id or chain:address, such as solana:<mint>`);
      return 64;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), seconds * 1000);
    const made = await waiting(
      terminal,
      () => `reading ${kind} of ${asset.id}`,
      () => takeSnapshot(asset, kind, stop.signal),
    ).finally(() => clearTimeout(timer));
    if (made.ok) terminal.out(JSON.stringify(made.value, null, 2));
    else terminal.err(`${made.reason}: ${made.detail}`);
    return made.ok ? 0 : 1;
  },
};
