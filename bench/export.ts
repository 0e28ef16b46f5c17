import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sampleChainRow } from '../src/exports/fixtures/chain-row.ts';
import { csv, fileSink, jsonArray, ndjson } from '../src/exports/forms.ts';
import { parquetFile } from '../src/exports/parquet.ts';
import { createExportService } from '../src/exports/published-days.ts';
import { CHAIN_COLUMNS, type ChainRow } from '../src/exports/rows.ts';

/**
 * A day of `ROWS` assets in each form, rows a second compared with the limit: writing and hashing the same bytes from memory.
 * Then the whole day in all ten files, the peak memory, and the first byte of the published file.
 */
const ROWS = Number(process.env.ASSAY_BENCH_ROWS ?? 1_000_000);
const CHUNK = 128 * 1024;
const scratch = Buffer.allocUnsafe(4 * CHUNK);
const root = await mkdtemp(join(tmpdir(), 'assay-bench-'));
let peakMb = 0;
const watch = setInterval(() => {
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
}, 20);

const seconds = async (work: () => Promise<void>) => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};
const figures: Record<string, unknown> = { rows: ROWS, columns: CHAIN_COLUMNS.length };

for (const [name, form] of [
  ['json', jsonArray(CHAIN_COLUMNS)],
  ['csv', csv(CHAIN_COLUMNS)],
  ['ndjson', ndjson(CHAIN_COLUMNS)],
] as const) {
  const path = join(root, name);
  const took = await seconds(async () => {
    const sink = await fileSink(path, 'identity');
    let pending = form.head;
    for (let index = 0; index < ROWS; index += 1) {
      pending += form.row(sampleChainRow(index), index);
      if (pending.length >= CHUNK) {
        await sink.write(scratch.subarray(0, scratch.write(pending)));
        pending = '';
      }
    }
    await sink.write(Buffer.from(pending + form.tail));
    await sink.end();
  });
  figures[name] = await against(path, took);
}
{
  const path = join(root, 'parquet');
  const took = await seconds(async () => {
    const sink = await fileSink(path, 'identity');
    const file = parquetFile<ChainRow>(CHAIN_COLUMNS);
    for (let index = 0; index < ROWS; index += 1) {
      const bytes = file.row(sampleChainRow(index));
      if (bytes) await sink.write(bytes);
    }
    await sink.write(file.end());
    await sink.end();
  });
  figures.parquet = await against(path, took);
}
{
  // Memory left by the forms above does not count for the day.
  figures.peak_rss_mb_of_single_forms = Math.round(peakMb);
  globalThis.gc?.();
  peakMb = 0;
  const took = await seconds(async () => {
    const worker = new Worker(new URL('./export-worker.ts', import.meta.url), {
      workerData: { root, rows: ROWS },
      resourceLimits: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 },
    });
    await once(worker, 'exit');
  });
  figures.whole_day = { files: 10, seconds: round(took), rows_per_second: Math.round(ROWS / took) };
  const startedAt = performance.now();
  const service = createExportService(root);
  const opened = await service.open('solana', null, 'json', ['identity'], null);
  if (!opened.ok) throw new Error(opened.detail);
  for await (const chunk of service.read(opened.value.file, 0, opened.value.file.bytes)) {
    if (chunk.byteLength > 0) break;
  }
  figures.first_byte_ms = round(performance.now() - startedAt);
}
clearInterval(watch);
figures.peak_rss_mb_of_the_day = Math.round(peakMb);
await rm(root, { recursive: true });
console.log(JSON.stringify(figures, null, 1));

/** The file's bytes written and hashed again from one buffer: the upper limit of any form. */
async function against(path: string, took: number) {
  const { size } = await stat(path);
  await rm(path);
  const block = Buffer.alloc(CHUNK, 'x');
  const limit = await seconds(async () => {
    const sink = await fileSink(`${path}.limit`, 'identity');
    for (let written = 0; written < size; written += block.length) await sink.write(block);
    await sink.end();
  });
  await rm(`${path}.limit`);
  return {
    rows_per_second: Math.round(ROWS / took),
    megabytes: Math.round(size / 1e6),
    mb_per_second: Math.round(size / 1e6 / took),
    of_plain_write: round(limit / took),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
