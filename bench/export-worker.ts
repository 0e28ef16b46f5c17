import { workerData } from 'node:worker_threads';
import { sampleChainRow } from '../src/exports/fixtures/chain-row.ts';
import { publishDay } from '../src/exports/publish.ts';
import { CHAIN_COLUMNS, type ChainRow } from '../src/exports/rows.ts';

/** A day published in a thread, as the service does it. */
const { root, rows } = workerData as { readonly root: string; readonly rows: number };
async function* made(): AsyncGenerator<ChainRow> {
  for (let index = 0; index < rows; index += 1) yield sampleChainRow(index);
}
await publishDay({
  root,
  subject: 'solana',
  date: '2026-11-20',
  columns: CHAIN_COLUMNS,
  rows: made(),
  now: Date.now,
  sign: () => ({ algorithm: 'Ed25519', key_id: 'bench', value: '' }),
});
