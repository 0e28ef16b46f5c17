import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type BulkInput,
  type BulkRowView,
  bulkCsv,
  MOST_BULK_ROWS,
  type Reply,
  readBulkBody,
  readBulkCsv,
} from '../contract/index.ts';
import { counted, ok, type Result } from '../domain/index.ts';
import type { CliContext, Command, Terminal } from './context.ts';
import { MANUAL } from './manual.ts';
import { plain, type Service, serviceOf, tableText } from './service.ts';

type Row = Reply<typeof BulkRowView>;

/** State of a bulk job, on this machine or at a service. */
interface Progress {
  readonly ended: boolean;
  readonly states: Readonly<Record<string, number>>;
  readonly total: number;
  readonly done: number;
  readonly etaSeconds: number | null;
}
interface Form {
  readonly json: boolean;
  readonly csv: boolean;
  readonly out: string | null;
}
type Failed = { readonly code: number; readonly detail: string };

const POLL_MS = 500;
/** Account of bulk jobs from the command line; no other account can read them. */
const ACCOUNT = 'cli';

export const bulkCommand: Command = {
  ...MANUAL.bulk,
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        csv: { type: 'boolean', default: false },
        out: { type: 'string' },
      },
    });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1 || (values.json && values.csv)) {
      context.terminal.err(`usage: ${MANUAL.bulk.usage}`);
      return 64;
    }
    return scoreFile(file, { ...values, out: values.out ?? null }, context);
  },
};

/** Scores every row of a file as one job, locally or at the service of ASSAY_URL. */
export async function scoreFile(file: string, form: Form, context: CliContext): Promise<number> {
  const { terminal, config } = context;
  const read = await rowsOf(file, context);
  if (!read.ok) {
    terminal.err(read.detail);
    return read.code;
  }
  const service = serviceOf(config, terminal);
  if (!service.ok) {
    terminal.err(service.detail);
    return 64;
  }
  const rows =
    service.value === null
      ? await scoredHere(read.value, context)
      : await scoredAt(service.value, read.value, terminal);
  terminal.progress('');
  if (!rows.ok) {
    terminal.err(rows.detail);
    return rows.code;
  }
  await show(rows.value, form, terminal);
  const lost = rows.value.filter(({ state }) => state !== 'rated' && state !== 'duplicate').length;
  if (lost > 0)
    terminal.err(
      `${lost} of ${counted(rows.value.length, 'row')} ${lost === 1 ? 'has' : 'have'} no rating: the errors state why; assay doctor lists the sources that respond`,
    );
  return lost === 0 ? 0 : 1;
}

interface BulkFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: 'text/csv' | 'application/json';
  readonly inputs: readonly BulkInput[];
}

async function rowsOf(file: string, { judgeUrl }: CliContext): Promise<Result<BulkFile, Failed>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : `it cannot be read (${code})`;
    return { ok: false, code: 66, detail: `${file}: ${why}; expected CSV with a header, or one asset a line` };
  }
  const text = new TextDecoder().decode(bytes);
  const isJson = /^\s*[[{]/.test(text);
  const judge = await judgeUrl();
  let parsed: unknown = null;
  if (isJson)
    try {
      parsed = JSON.parse(text);
    } catch {
      return {
        ok: false,
        code: 65,
        detail: `${file}: it starts like JSON but is not valid JSON; expected {"rows": [...]} or CSV`,
      };
    }
  const body = Array.isArray(parsed) ? { rows: parsed } : parsed;
  const read = isJson ? readBulkBody(body, judge) : readBulkCsv(text, judge);
  if (!read.ok)
    return { ok: false, code: 65, detail: read.errors.map(({ detail }) => `${file}: ${detail}`).join('\n') };
  if (read.value.length > MOST_BULK_ROWS)
    return {
      ok: false,
      code: 65,
      detail: `${file}: ${read.value.length} rows, expected at most ${MOST_BULK_ROWS}: split the file`,
    };
  const sent = isJson ? new TextEncoder().encode(JSON.stringify(body)) : bytes;
  return ok({ bytes: sent, type: isJson ? 'application/json' : 'text/csv', inputs: read.value });
}

async function scoredHere(
  { bytes, inputs }: BulkFile,
  { terminal, openBulk }: CliContext,
): Promise<Result<readonly Row[], Failed>> {
  const bulk = await openBulk();
  const made = await bulk.create(inputs, {
    accountId: ACCOUNT,
    keyId: ACCOUNT,
    mostRows: null,
    share: null,
    plan: 'local',
    idempotencyKey: null,
    bodySha256: createHash('sha256').update(bytes).digest('hex'),
  });
  if (!made.ok) return { ok: false, code: 1, detail: made.code };
  const { id } = made.bulk;
  const ended = await until(terminal, async () => {
    const found = await bulk.get(id, ACCOUNT);
    return found === null
      ? { ok: false, code: 1, detail: `the bulk job ${id} does not exist any more` }
      : ok({ ...found, ended: found.state !== 'running' });
  });
  return ended.ok ? ok(await bulk.rows({ id, state: null, after: 0, limit: MOST_BULK_ROWS })) : ended;
}

async function scoredAt(
  service: Service,
  { bytes, type }: BulkFile,
  terminal: Terminal,
): Promise<Result<readonly Row[], Failed>> {
  const made = await service.json({ method: 'POST', path: '/v1/bulk', raw: { type, bytes } });
  if (!made.ok) return { ok: false, code: 1, detail: made.detail };
  const location = String(made.value.body.location);
  terminal.err(`${service.url}${location} continues if this command is stopped`);
  const ended = await until(terminal, async () => {
    const read = await service.json({ path: location });
    if (!read.ok) return { ok: false, code: 1, detail: read.detail };
    const {
      state,
      rows,
      eta_seconds: etaSeconds,
    } = read.value.body as unknown as {
      readonly state: string;
      readonly rows: Readonly<Record<string, number>> & { readonly total: number; readonly done: number };
      readonly eta_seconds: number | null;
    };
    const { total, done, ...states } = rows;
    return ok({ ended: state !== 'running', states, total, done, etaSeconds });
  });
  if (!ended.ok) return ended;
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await service.json({ path: `${location}/rows?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}` });
    if (!page.ok) return { ok: false, code: 1, detail: page.detail };
    const { data, next_cursor: next } = page.value.body as {
      readonly data: readonly Row[];
      readonly next_cursor: string | null;
    };
    rows.push(...data);
    cursor = next;
  }
  return ok(rows);
}

/** Waits for the end and shows progress: on an interactive terminal on one line, otherwise one line per tenth. */
async function until(terminal: Terminal, look: () => Promise<Result<Progress, Failed>>): Promise<Result<null, Failed>> {
  let told = -1;
  for (;;) {
    const found = await look();
    if (!found.ok) return found;
    const { ended, states, total, done, etaSeconds } = found.value;
    const parts = Object.entries(states).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
    const line = `${done} of ${counted(total, 'row')}: ${parts.join(', ')}${etaSeconds === null ? '' : `, about ${Math.ceil(etaSeconds)} s left`}`;
    terminal.progress(line);
    const tenth = Math.floor((10 * done) / Math.max(1, total));
    if (terminal.isWatched !== true && tenth > told) terminal.err(line);
    told = Math.max(told, tenth);
    if (ended) return ok(null);
    await sleep(POLL_MS);
  }
}

/** A table for people, JSON for programs, or CSV on request; for a file, by its extension. */
async function show(rows: readonly Row[], { json, csv, out }: Form, terminal: Terminal): Promise<void> {
  const isCsv = csv || (out?.toLowerCase().endsWith('.csv') === true && !json);
  const isTable = !isCsv && !json && out === null && terminal.isTerminal === true;
  const text = isCsv ? bulkCsv(rows).trimEnd() : isTable ? table(rows) : JSON.stringify(rows, null, 2);
  if (out === null) terminal.out(text);
  else {
    await writeFile(out, `${text}\n`);
    terminal.err(`${out}: ${counted(rows.length, 'row')}`);
  }
}

function table(rows: readonly Row[]): string {
  return tableText(
    ['ROW', 'BAND', 'SCORE', 'TRUST', 'ASKED', 'ASSET OR ERROR'],
    rows.map(({ row, requested, state, result, error, duplicate_of: of }) => [
      String(row),
      result?.band ?? '-',
      result?.score?.toFixed(1) ?? '',
      result?.trust_score?.toFixed(1) ?? '',
      plain(requested.asset ?? requested.project ?? '').slice(0, 28),
      result !== null
        ? `${result.symbol === null ? plain(result.name) : plain(result.symbol)}  ${result.asset}`
        : of !== null
          ? `repeats row ${of}`
          : error === null
            ? state
            : `${error.code}: ${plain(error.detail)}${error.errors?.map((one) => `; ${plain(one.detail)}`).join('') ?? ''}${error.candidates ? `; ${error.candidates.map(({ id }) => id).join(' ')}` : ''}`,
    ]),
  );
}
