import type { ScoreRecord } from '../contract/index.ts';
import type { Terminal } from './context.ts';
import { historyLine, recordLines } from './rms-lines.ts';
import { members, plain, type Service, tableText } from './service.ts';

interface Wanted {
  readonly action: string;
  readonly texts: readonly string[];
  readonly json: boolean;
  readonly actionsOnly: boolean;
  /** A project to be scored first; null without one. */
  readonly body: unknown;
}

const PAGE = 200;
const MOST_SHOWN = 1_000;
const WAIT_SECONDS = 120;

/** `assay rms` at a service: the account's own list of watched assets, and the ratings that its key may read. */
export async function rmsAt(service: Service, wanted: Wanted, terminal: Terminal): Promise<number> {
  const { action, texts, json } = wanted;
  if (action === 'list') return list(service, json, terminal);
  if (action === 'add' && texts.length === 0) return rateAndWatch(service, wanted.body, terminal);
  let failed = false;
  for (const text of texts) {
    const at = `/v1/rms/${encodeURIComponent(text)}`;
    const done =
      action === 'show'
        ? await show(service, at, json, terminal)
        : action === 'history'
          ? await history(service, `${at}/${wanted.actionsOnly ? 'actions' : 'history?interval=all'}`, json, terminal)
          : await watch(service, text, action === 'add', terminal);
    failed ||= !done;
  }
  return failed ? 1 : 0;
}

/** Every rating that the service publishes, the best first. */
async function list(service: Service, json: boolean, terminal: Terminal): Promise<number> {
  const rows: (readonly string[])[] = [];
  let cursor: string | null = '';
  do {
    const page = await service.json({
      path: `/v1/rms?sort=-score&limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    });
    if (!page.ok) {
      terminal.err(page.detail);
      return 1;
    }
    const { data, next_cursor: next } = page.value.body as {
      readonly data: readonly ScoreRecord[];
      readonly next_cursor: string | null;
    };
    for (const record of data) {
      if (json) terminal.out(JSON.stringify(record));
      rows.push([
        record.band,
        record.score?.toFixed(1) ?? '',
        record.trust_score.toFixed(1),
        record.rating_action,
        plain(record.asset.symbol ?? record.asset.name),
        record.asset.id,
      ]);
    }
    cursor = next;
  } while (cursor !== null && rows.length < MOST_SHOWN);
  if (!json) terminal.out(tableText(['BAND', 'SCORE', 'TRUST', 'ACTION', 'SYMBOL', 'ASSET'], rows));
  if (cursor !== null) terminal.err(`there are more than ${MOST_SHOWN}; GET /v1/rms pages through all`);
  return 0;
}

async function show(service: Service, path: string, json: boolean, terminal: Terminal): Promise<boolean> {
  const read = await service.json({ path });
  if (!read.ok) terminal.err(read.detail);
  else if (json) terminal.out(JSON.stringify(read.value.body, null, 2));
  else for (const line of recordLines(read.value.body as unknown as ScoreRecord)) terminal.out(line);
  return read.ok;
}

async function history(service: Service, path: string, json: boolean, terminal: Terminal): Promise<boolean> {
  let shown = 0;
  let cursor: string | null = '';
  const mark = path.includes('?') ? '&' : '?';
  do {
    const page = await service.json({
      path: `${path}${mark}from=2000-01-01T00:00:00Z&limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    });
    if (!page.ok) {
      terminal.err(page.detail);
      return false;
    }
    const { data, next_cursor: next } = page.value.body as {
      readonly data: readonly ScoreRecord[];
      readonly next_cursor: string | null;
    };
    for (const record of data) terminal.out(json ? JSON.stringify(record) : historyLine(record));
    shown += data.length;
    cursor = next;
  } while (cursor !== null && shown < MOST_SHOWN);
  if (cursor !== null) terminal.err(`there are more than ${MOST_SHOWN}; the service pages through all`);
  return true;
}

async function watch(service: Service, text: string, isAdded: boolean, terminal: Terminal): Promise<boolean> {
  const done = await service.json({
    method: isAdded ? 'PUT' : 'DELETE',
    path: `/v1/rms/whitelist/${encodeURIComponent(text)}`,
    ...(isAdded ? { body: {} } : {}),
  });
  if (!done.ok) terminal.err(done.detail);
  else
    terminal.out(
      `${plain(text)}  is ${isAdded ? 'watched by the account and kept up to date' : 'no longer watched; its ratings stay'}`,
    );
  return done.ok;
}

async function rateAndWatch(service: Service, body: unknown, terminal: Terminal): Promise<number> {
  terminal.progress('rating ...');
  const scored = await service.json({
    method: 'POST',
    path: '/v1/score',
    body,
    headers: { prefer: `wait=${WAIT_SECONDS}` },
    timeoutMs: (WAIT_SECONDS + 10) * 1000,
  });
  terminal.progress('');
  if (!scored.ok) {
    terminal.err(scored.detail);
    return 1;
  }
  const { id } = members(scored.value.body.asset);
  if (typeof id !== 'string') {
    terminal.err(`the job ${String(scored.value.body.job_id)} continues; repeat the command to get its result`);
    return 1;
  }
  return (await watch(service, id, true, terminal)) ? 0 : 1;
}
