import { parseArgs } from 'node:util';
import { SNAPSHOT_KINDS, type SnapshotKind } from '../domain/index.ts';
import type { IndexRequest, Registry } from '../indexer/index.ts';
import { assetFromText } from '../indexer/index.ts';
import type { Terminal } from './context.ts';
import { MANUAL } from './manual.ts';
import { plain } from './service.ts';

type Assets = Pick<Registry, 'add' | 'remove' | 'list'>;
type Listed = Awaited<ReturnType<Registry['add']>>[number];

/** What the command needs besides the terminal. */
export interface IndexContext {
  readonly terminal: Terminal;
  /** The registry on the store; needs no running worker. */
  readonly openIndex: () => Promise<Assets>;
}

const GRIDS: Readonly<Record<string, IndexRequest['cadence']>> = {
  hourly: 'hourly',
  'five-minutes': 'five_minutes',
  newest: 'newest',
};
const PAGE = 500;

export const indexCommand = {
  ...MANUAL.index,
  async run(args: readonly string[], { terminal, openIndex }: IndexContext): Promise<number> {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cadence: { type: 'string', default: 'newest' },
        kinds: { type: 'string', default: SNAPSHOT_KINDS.join(',') },
        json: { type: 'boolean' },
      },
    });
    const [action, ...texts] = positionals;
    if (action === 'list' && texts.length === 0) return list(terminal, await openIndex(), values.json === true);
    const cadence = GRIDS[values.cadence];
    const kinds = values.kinds.split(',').map((kind) => SNAPSHOT_KINDS.find((known) => known === kind.trim()));
    const assets = texts.map((text) => ({ text, asset: assetFromText(text) }));
    const wrong = assets.find(({ asset }) => asset === null);
    if ((action !== 'add' && action !== 'remove') || texts.length === 0) {
      terminal.err(`usage:\n${indexCommand.usage}`);
      return 64;
    }
    if (wrong || cadence === undefined || kinds.includes(undefined)) {
      terminal.err(
        wrong
          ? `${wrong.text} is not an asset: expected a CAIP-19 id or chain:address, such as solana:<mint>; assay rms list has the ids`
          : cadence === undefined
            ? `--cadence must be one of ${Object.keys(GRIDS).join(', ')}`
            : `--kinds must be some of ${SNAPSHOT_KINDS.join(', ')}`,
      );
      return 64;
    }
    const registry = await openIndex();
    const named = assets.flatMap(({ asset }) => (asset === null ? [] : [asset]));
    if (action === 'add') {
      const request = {
        cadence,
        kinds: kinds.filter((kind): kind is SnapshotKind => kind !== undefined),
        addedBy: 'cli',
      };
      for (const indexed of await registry.add(named, request)) terminal.out(lineOf(indexed));
      return 0;
    }
    let code = 0;
    for (const { id } of named) {
      if (await registry.remove(id)) terminal.out(`removed ${id}`);
      else {
        terminal.err(`${id} is not indexed`);
        code = 1;
      }
    }
    return code;
  },
};

async function list(terminal: Terminal, registry: Assets, json: boolean): Promise<number> {
  let after = '';
  for (;;) {
    const page = await registry.list({ after, limit: PAGE });
    for (const indexed of page) terminal.out(json ? JSON.stringify(indexed) : lineOf(indexed));
    after = page.at(-1)?.asset.id ?? '';
    if (page.length < PAGE) return 0;
  }
}

function lineOf(indexed: Listed): string {
  const until = indexed.wantedUntil === null ? '' : `  until ${indexed.wantedUntil}`;
  const state = indexed.paused ? '  paused' : '';
  const symbol = indexed.asset.symbol === null ? '-' : plain(indexed.asset.symbol);
  return `${indexed.asset.id}  ${symbol}  ${indexed.cadence}  [${indexed.kinds.join(' ')}]  by ${indexed.addedBy}${until}${state}`;
}
