import { generateKeyPairSync, sign } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { checkpointText, signatureLine } from '../src/transparency/checkpoint.ts';
import { Frontier, hashLeaf } from '../src/transparency/merkle.ts';
import { leafInput, recordHash } from '../src/transparency/tiles.ts';
import { type LogReader, verifyLog } from '../src/transparency/verify.ts';

/**
 * Verifies a log of a million ratings as `assay log verify` does, once unchanged and once for each kind of forgery, with the time
 * of each and the time of the hashes alone for comparison.
 */
const SIZE = Number(process.env.LOG_SIZE ?? 1_000_000);
const EVERY = SIZE / 20;
const START = Date.parse('2026-01-01T00:00:00Z');
const SECOND = 1_000;

const pair = generateKeyPairSync('ed25519');
const key = { name: 'assay.log/bench', x: String(pair.publicKey.export({ format: 'jwk' }).x) };

/** Leaf in the log's format: one rating a second. */
const inputOf = (index: number, record = index, asOf = index) =>
  leafInput({
    asset: `eip155:1/erc20:0x${(index % 10_000).toString(16).padStart(40, '0')}`,
    asOf: new Date(START + asOf * SECOND).toISOString(),
    recordSha256: recordHash(`record ${record}`),
  }).toString();

function notes(inputs: (index: number) => string, size = SIZE): readonly string[] {
  const frontier = new Frontier();
  const signed: string[] = [];
  for (let index = 0; index < size; index += 1) {
    frontier.add(hashLeaf(Buffer.from(inputs(index))));
    if (frontier.size % EVERY !== 0) continue;
    const at = new Date(START + frontier.size * SECOND).toISOString();
    const text = checkpointText({ origin: key.name, size: frontier.size, root: frontier.root(), at });
    signed.push(`${text}\n${signatureLine(key, 'log', sign(null, Buffer.from(text), pair.privateKey))}`);
  }
  return signed;
}

const readerOf = (signed: readonly string[], inputs: (index: number) => string, size = SIZE): LogReader => ({
  checkpoints: async (after) => signed.filter((note) => Number(note.split('\n')[1]) > after).slice(0, 1_000),
  entries: async (from) =>
    Array.from({ length: Math.max(0, Math.min(1_000, size - from)) }, (_, offset) => inputs(from + offset)),
});

const begun = performance.now();
const right = notes((index) => inputOf(index));
console.log(`making and hashing ${SIZE} leaves: ${((performance.now() - begun) / 1000).toFixed(1)} s`);

const target = Math.floor(SIZE * 0.777);
const back = (index: number) => (index === target ? inputOf(index, index, index - 3 * 86_400) : inputOf(index));
for (const [name, reader] of [
  ['as it was signed', readerOf(right, (index) => inputOf(index))],
  ['one record changed', readerOf(right, (index) => inputOf(index, index === target ? -1 : index))],
  ['one rating dropped', readerOf(right, (index) => inputOf(index < target ? index : index + 1), SIZE - 1)],
  ['two ratings in the other order', readerOf(right, (index) => inputOf(swapped(index)))],
  ['one rating put in later', readerOf(right, (index) => inputOf(index === target ? target + 7 : index))],
  ['one rating dated back by three days, signed', readerOf(notes(back), back)],
] as const) {
  const start = performance.now();
  const { complaints, state } = await verifyLog(reader, [key], null);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const found = complaints.map(({ kind, at }) => `${kind} at ${at}`).join(', ') || 'nothing is wrong';
  console.log(`${name}: ${found}; verified ${state?.size ?? 0} in ${seconds} s`);
}

function swapped(index: number): number {
  if (index === target) return target + 1;
  return index === target + 1 ? target : index;
}
