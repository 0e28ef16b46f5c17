import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { HoldersSnapshot } from '../contract/index.ts';
import { type Asset, SNAPSHOT_KINDS, type SnapshotKind } from '../domain/index.ts';
import { assetFromText } from '../indexer/index.ts';
import { loadMethodology } from '../methodology/index.ts';
import { bookOf } from '../metrics/index.ts';
import {
  buildHoldersSnapshot,
  type CsvOddities,
  readHolderCsv,
  type SnapshotCollector,
  textKeys,
  totalOf,
} from '../snapshots/index.ts';
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
    for (const warning of made.value.warnings) terminal.err(`warning: ${warning}`);
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
  // `pipe` does not forward an error of the file.
  file.once('error', (error) => chunks.destroy(error));
  try {
    const read = await readHolderCsv(chunks, textKeys(), decimals);
    if (!read.ok) return { ok: false, detail: `${path}: line ${read.line}: ${read.detail}` };
    const { table, oddities } = read;
    const total = supply ?? totalOf(table);
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
        supply: total,
        decimals: decimals ?? 0,
        priceUsd,
        labels: bookOf([]),
        rules: loadMethodology().holders,
        alsoLook: [],
        previous: null,
        scan: { accounts: read.lines, height: null, bytes: null, milliseconds: null },
        sources: ['file'],
        attributions: [],
        warnings: [...unitWarnings(oddities, total, decimals), ...letterWarnings(oddities)],
      }),
    };
  } catch (error) {
    return { ok: false, detail: `${path}: ${error instanceof Error ? error.message : 'cannot be read'}` };
  }
}

/**
 * No token has this many whole units: such amounts were base units, multiplied by ten to the power of the decimals a
 * second time.
 */
const MOST_WHOLE_TOKENS = 10n ** 18n;

function unitWarnings({ fractions }: CsvOddities, total: bigint, decimals: number | null): readonly string[] {
  const whole = total / 10n ** BigInt(decimals ?? 0);
  return decimals !== null && decimals > 0 && fractions === 0 && whole >= MOST_WHOLE_TOKENS
    ? [
        `with --decimals ${decimals} the amounts are whole tokens, ${whole} in all, and none has a fraction: if they are base units (wei), leave --decimals away`,
      ]
    : [];
}

function letterWarnings({ sameLetters, example }: CsvOddities): readonly string[] {
  if (sameLetters === 0 || example === null) return [];
  const isEvm = /^0x[0-9a-f]{40}$/i.test(example);
  return [
    `${sameLetters} ${sameLetters === 1 ? 'address differs' : 'addresses differ'} from another in capital letters only (${example}) and ${sameLetters === 1 ? 'counts as a holder of its own' : 'count as holders of their own'}: ${isEvm ? 'on EVM chains they are one holder; write all in small letters' : 'on Solana that is right, on EVM chains they are one holder'}`,
  ];
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
      terminal.err(
        `${text} is not an asset: expected a CAIP-19 id or chain:address, such as solana:<mint>; assay rms list has the ids`,
      );
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
