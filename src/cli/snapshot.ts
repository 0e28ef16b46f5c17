import { parseArgs } from 'node:util';
import type { Asset } from '../domain/index.ts';
import { SNAPSHOT_KINDS, type SnapshotKind } from '../domain/index.ts';
import { assetFromText } from '../indexer/index.ts';
import type { SnapshotCollector } from '../snapshots/index.ts';
import type { Terminal } from './context.ts';
import { MANUAL } from './manual.ts';
import { waiting } from './waiting.ts';

/** What the command needs besides the terminal. */
export interface SnapshotContext {
  readonly terminal: Terminal;
  /** Makes a snapshot now, asking the world. */
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
