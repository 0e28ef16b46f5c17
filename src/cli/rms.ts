import { parseArgs } from 'node:util';
import type { Config } from '../config/index.ts';
import { readScoreRequest, type ScoreRecord, type UrlJudge } from '../contract/index.ts';
import { counted } from '../domain/index.ts';
import type { ScoringService } from '../jobs/index.ts';
import type { MonitoredAsset, RatedAsset, StoredRating } from '../monitoring/index.ts';
import type { RatedStore, Terminal } from './context.ts';
import { MANUAL } from './manual.ts';
import { historyLine, recordLines } from './rms-lines.ts';
import { plain, serviceOf } from './service.ts';

interface RmsContext {
  readonly config: Pick<Config, 'serviceUrl' | 'serviceKey'>;
  readonly terminal: Terminal;
  readonly judgeUrl: () => Promise<UrlJudge>;
  readonly openRated: () => Promise<RatedStore>;
  readonly openScoring: () => Promise<Pick<ScoringService, 'submit' | 'wait' | 'report'>>;
}

const PAGE = 500;
const MOST_SHOWN = 1_000;
const WAIT_SECONDS = 120;

export const rmsCommand = {
  ...MANUAL.rms,
  async run(args: readonly string[], context: RmsContext): Promise<number> {
    const { terminal } = context;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        actions: { type: 'boolean' },
        project: { type: 'string' },
        url: { type: 'string' },
        type: { type: 'string', default: 'posttge' },
        symbol: { type: 'string' },
        chain: { type: 'string' },
        address: { type: 'string' },
      },
    });
    const [action, ...texts] = positionals;
    const json = values.json === true;
    const fits =
      action === 'list'
        ? texts.length === 0
        : action === 'show' || action === 'history'
          ? texts.length === 1
          : action === 'remove'
            ? texts.length > 0
            : action === 'add' && (values.project === undefined) === texts.length > 0;
    if (!fits) {
      terminal.err(`usage:\n${rmsCommand.usage}`);
      return 64;
    }
    const service = serviceOf(context.config, terminal);
    if (!service.ok) {
      terminal.err(service.detail);
      return 64;
    }
    if (service.value !== null) {
      const { rmsAt } = await import('./rms-service.ts');
      const body = values.project === undefined ? null : scoreBody(values);
      return rmsAt(
        service.value,
        { action: action ?? '', texts, json, actionsOnly: values.actions === true, body },
        terminal,
      );
    }
    const { register, reader } = await context.openRated();
    if (action === 'list') return list(terminal, register, reader, json);
    if (action === 'add' && texts.length === 0) return rateAndAdd(context, register, values);
    let failed = false;
    for (const text of texts) {
      const asset = await only(terminal, reader, text);
      if (asset === null) failed = true;
      else if (action === 'show') await show(terminal, reader, asset, json);
      else if (action === 'history') await history(terminal, reader, asset, values.actions === true, json);
      else if (action === 'add') {
        await register.add(asset.asset.id, 'cli');
        terminal.out(`${asset.asset.id}  is kept up to date`);
      } else if (await register.remove(asset.asset.id))
        terminal.out(`${asset.asset.id}  is no longer kept up to date; its ratings stay`);
      else {
        terminal.err(`${asset.asset.id} was not kept up to date`);
        failed = true;
      }
    }
    return failed ? 1 : 0;
  },
};

/** The message for a name that identifies no rated asset, with those that have it. */
export function notIdentified(text: string, candidates: readonly RatedAsset[]): string {
  const which = candidates.map(({ asset }) => `\n  ${asset.id}  ${plain(asset.name)}`).join('');
  return candidates.length === 1
    ? `${plain(text)} alone does not identify an asset: registries list another one of this name too, or too few of them list the one that is rated; if it is meant, give its id:${which}`
    : `${plain(text)} is the name of ${candidates.length} rated assets; choose one:${which}`;
}

/** The rated asset that a text identifies; null, with a message, if there is none or more than one. */
async function only(terminal: Terminal, reader: RatedStore['reader'], text: string): Promise<RatedAsset | null> {
  const { meant, candidates } = await reader.find(text);
  if (meant !== null) return meant;
  terminal.err(
    candidates.length > 0
      ? notIdentified(text, candidates)
      : `${plain(text)} is not rated; assay score ${plain(text)} has it rated, and assay rms add keeps it up`,
  );
  return null;
}

async function list(
  terminal: Terminal,
  register: RatedStore['register'],
  reader: RatedStore['reader'],
  json: boolean,
): Promise<number> {
  let after = '';
  for (;;) {
    const page = await register.list({ after, limit: PAGE });
    const records = new Map(
      json
        ? []
        : (await reader.latestOf(page.map(({ asset }) => asset.id))).map(recordOf).map((row) => [row.asset.id, row]),
    );
    if (after === '' && page.length === 0)
      terminal.err('no ratings are kept up to date yet: use assay score ASSET or assay rms add');
    if (!json && after === '' && page.length > 0) terminal.out(columns('BAND', 'SCORE', 'TRUST', 'ACTION', 'ASSET'));
    for (const row of page)
      terminal.out(json ? JSON.stringify(row) : monitoredLine(row, records.get(row.asset.id) ?? null));
    const last = page.at(-1);
    if (page.length < PAGE || !last) return 0;
    after = last.asset.id;
  }
}

function columns(band: string, score: string, trust: string, action: string, rest: string): string {
  return `${band.padEnd(4)}  ${score.padStart(5)}  ${trust.padStart(5)}  ${action.padEnd(12)}  ${rest}`;
}

function monitoredLine(
  { asset, addedBy, dueAt, reason, failures, lastFailure }: MonitoredAsset,
  record: ScoreRecord | null,
): string {
  const failing = failures === 0 ? '' : `  failed ${counted(failures, 'time')}: ${plain(lastFailure ?? '')}`;
  const rating =
    record === null
      ? columns('-', '-', '-', 'not rated', '')
      : columns(record.band, record.score?.toFixed(1) ?? '-', record.trust_score.toFixed(1), record.rating_action, '');
  return `${rating}${asset.id}  ${plain(asset.symbol ?? asset.name)}  next ${dueAt} (${reason})  by ${plain(addedBy)}${failing}`;
}

async function show(terminal: Terminal, reader: RatedStore['reader'], { asset }: RatedAsset, json: boolean) {
  const rating = await reader.latest(asset.id);
  if (rating === null) return;
  const record = recordOf(rating);
  if (json) return terminal.out(JSON.stringify(record, null, 2));
  for (const line of recordLines(record)) terminal.out(line);
}

async function history(
  terminal: Terminal,
  reader: RatedStore['reader'],
  { asset }: RatedAsset,
  actionsOnly: boolean,
  json: boolean,
) {
  let cursor: string | null = null;
  let shown = 0;
  do {
    const query = { from: '2000-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z', intervalSeconds: null };
    const page = await reader.history(asset.id, { ...query, actionsOnly, limit: PAGE, cursor });
    for (const record of page.ratings.map(recordOf)) terminal.out(json ? JSON.stringify(record) : historyLine(record));
    shown += page.ratings.length;
    cursor = page.nextCursor;
  } while (cursor !== null && shown < MOST_SHOWN);
  if (cursor !== null) terminal.err(`there are more than ${MOST_SHOWN}; GET /v1/rms/{asset}/history pages through all`);
}

/** Rates a project for the first time, and keeps the rating up to date from then on. */
async function rateAndAdd(
  { terminal, judgeUrl, openScoring }: RmsContext,
  register: RatedStore['register'],
  values: Readonly<Record<string, string | boolean | undefined>>,
): Promise<number> {
  const read = readScoreRequest(scoreBody(values), await judgeUrl());
  if (!read.ok) {
    for (const { pointer, detail } of read.errors) terminal.err(`${pointer.slice(1) || 'request'}: ${detail}`);
    return 64;
  }
  const scoring = await openScoring();
  const submitted = await scoring.submit(read.value.request, {
    keyId: 'cli',
    idempotencyKey: null,
    deadlineSeconds: WAIT_SECONDS,
  });
  if (!submitted.ok) {
    terminal.err(`${submitted.code}: ${submitted.detail}`);
    return 1;
  }
  terminal.progress('rating ...');
  const job = await scoring.wait(submitted.job.id, WAIT_SECONDS * 1000);
  const report = job?.state === 'succeeded' ? await scoring.report(job.id) : null;
  if (report === null) {
    terminal.err(
      job?.failure ? `${job.failure.code}: ${plain(job.failure.detail)}` : `the job is ${job?.state ?? 'unknown'}`,
    );
    return 1;
  }
  const { asset } = report.published;
  await register.add(asset.id, 'cli');
  terminal.out(`${asset.id}  is rated and kept up to date`);
  return 0;
}

/** The scoring request from the options. */
function scoreBody(values: Readonly<Record<string, string | boolean | undefined>>) {
  return {
    type: values.type,
    project: values.project,
    project_url: values.url,
    token_symbol: values.symbol,
    blockchain: values.chain,
    token_address: values.address,
  };
}

function recordOf(rating: StoredRating): ScoreRecord {
  return JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
}
