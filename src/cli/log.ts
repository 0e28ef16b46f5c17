import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serviceAddress } from '../config/index.ts';
import { counted } from '../domain/index.ts';
import { auditRecords, type LogEntry, type LogReader, type VerifierState, verifyLog } from '../transparency/index.ts';
import type { Command, Terminal } from './context.ts';
import { readKeys } from './export.ts';
import { MANUAL } from './manual.ts';
import { plain } from './service.ts';

const DEADLINE_MS = 30_000;
const MOST_BYTES = 32 << 20;
const PAGE = 1_000;
const HISTORY_PAGE = 200;
const SHOWN = 50;

export const logCommand: Command = {
  ...MANUAL.log,
  async run(args, { terminal, config }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        keys: { type: 'string' },
        state: { type: 'string' },
        records: { type: 'boolean', default: false },
        'api-key': { type: 'string' },
      },
    });
    const given = values.url ?? config.serviceUrl;
    const base = given === null ? null : serviceAddress.parse(given);
    const key = values['api-key'] ?? config.serviceKey;
    if (positionals.length !== 1 || positionals[0] !== 'verify' || base === null) {
      terminal.err(`usage: ${logCommand.usage}`);
      return 64;
    }
    if (values.records && key === null) {
      terminal.err('--records reads ratings, which requires a key: expected --api-key or ASSAY_API_KEY');
      return 64;
    }
    const keys = await readKeys(values.keys ?? `${base}/.well-known/assay-keys.json`);
    if (!keys.ok) {
      terminal.err(keys.detail);
      return 1;
    }
    const before = await readState(values.state);
    if (before === 'unreadable') {
      terminal.err(`${values.state} is not a state file of this command; without it the whole log is read`);
      return 65;
    }
    if (values.keys === undefined && before === null)
      terminal.err('the keys were read from the service now: keep them and pass them with --keys from now on');
    const byAsset = new Map<string, LogEntry[]>();
    let read = before?.size ?? 0;
    const found = await verifyLog(readerOf(base), keys.value, before, (entry, index) => {
      read = index + 1;
      if (read % PAGE === 0) terminal.progress(`${read} ratings`);
      if (values.records) byAsset.set(entry.asset, [...(byAsset.get(entry.asset) ?? []), entry]);
    });
    terminal.progress('');
    const { state, complaints } = found;
    for (const { kind, at, detail } of complaints.slice(0, SHOWN)) terminal.err(`${kind} at ${at}: ${plain(detail)}`);
    if (complaints.length > SHOWN) terminal.err(`and ${complaints.length - SHOWN} more`);
    let bad = complaints.length;
    if (state !== null && values.records) {
      const span = { from: before?.at ?? '', to: state.at };
      bad += await auditAll(terminal, base, key ?? '', byAsset, span);
    }
    if (state === null && bad === 0) terminal.out('the log is empty');
    if (state !== null)
      terminal.out(
        `${plain(state.origin)}: ${counted(state.size, 'rating')}, ${found.added} of them new, under ${counted(found.checkpoints, 'new checkpoint')}: ${bad === 0 ? 'nothing was changed, dropped or dated back' : counted(bad, 'complaint')}`,
      );
    // The state advances only with a correct log, so that later runs report a finding again.
    if (values.state !== undefined && state !== null && bad === 0) await keepState(values.state, state);
    return bad === 0 ? 0 : 1;
  },
};

/** The log through its replies. */
function readerOf(base: string): LogReader {
  return {
    async checkpoints(after) {
      const { data } = await getJson(`${base}/v1/log/checkpoints?cursor=${after}&limit=${PAGE}`);
      return rowsOf(data).map((row) => String(row['checkpoint']));
    },
    async entries(from) {
      const { data } = await getJson(`${base}/v1/log/entries?from=${from}&limit=${PAGE}`);
      return rowsOf(data).map((row) => String(row['leaf']));
    },
  };
}

/** Checks the records of the service against the log, asset by asset; returns the number of complaints. */
async function auditAll(
  terminal: Terminal,
  base: string,
  key: string,
  byAsset: ReadonlyMap<string, readonly LogEntry[]>,
  span: { readonly from: string; readonly to: string },
): Promise<number> {
  let bad = 0;
  let done = 0;
  for (const [asset, entries] of byAsset) {
    done += 1;
    terminal.progress(`records of asset ${done} of ${byAsset.size}`);
    const records: Readonly<Record<string, unknown>>[] = [];
    const path = `${base}/v1/rms/${encodeURIComponent(asset)}/history?interval=all&from=2000-01-01T00:00:00Z&limit=${HISTORY_PAGE}`;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await getJson(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`, key);
      records.push(...rowsOf(page['data']));
      cursor = typeof page['next_cursor'] === 'string' ? page['next_cursor'] : null;
    }
    for (const { kind, asOf, detail } of auditRecords(entries, records, span)) {
      bad += 1;
      if (bad <= SHOWN) terminal.err(plain(`${kind}: ${asset} as of ${asOf}: ${detail}`));
    }
  }
  terminal.progress('');
  return bad;
}

async function getJson(url: string, key?: string): Promise<Readonly<Record<string, unknown>>> {
  const reply = await fetch(url, {
    signal: AbortSignal.timeout(DEADLINE_MS),
    redirect: 'error',
    headers: { accept: 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`the reply of ${url} is too large`);
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!reply.ok) throw new Error(`${url} replied with status ${reply.status}: ${detailOf(body)}`);
  if (typeof body !== 'object' || body === null) throw new Error(`the reply of ${url} is not a JSON object`);
  return body as Readonly<Record<string, unknown>>;
}

function detailOf(body: unknown): string {
  const { detail } = (body ?? {}) as { readonly detail?: unknown };
  return typeof detail === 'string' ? plain(detail.slice(0, 300)) : 'without a reason';
}

function rowsOf(data: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(data) ? data.filter((row) => typeof row === 'object' && row !== null) : [];
}

/** The state of the previous run; null without one. */
async function readState(path: string | undefined): Promise<VerifierState | null | 'unreadable'> {
  if (path === undefined) return null;
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unreadable';
  }
  try {
    const { origin, size, parts, checkpoint, at } = JSON.parse(text);
    const isState =
      typeof origin === 'string' &&
      Number.isSafeInteger(size) &&
      Array.isArray(parts) &&
      parts.every((part) => typeof part === 'string') &&
      typeof checkpoint === 'string' &&
      typeof at === 'string';
    return isState ? { origin, size, parts, checkpoint, at } : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Written to another file and renamed: a killed command leaves the previous state. */
async function keepState(path: string, state: VerifierState): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`);
  await rename(`${path}.new`, path);
}
