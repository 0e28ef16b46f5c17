import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JobEvent } from '../contract/index.ts';
import type { JobFailure } from '../jobs/index.ts';
import { type CliContext, type Command, type Terminal, waiting } from './context.ts';
import { MANUAL } from './manual.ts';
import { members, plain, problemText, type Service, serviceOf } from './service.ts';

type Form = 'markdown' | 'line' | 'pretty';

const MOST_TRIED = 12;
const JOB_POLL_MS = 1_000;
/** Longest wait of a service for one request by default. */
const MOST_WAIT_SECONDS = 300;

export const scoreCommand: Command = {
  ...MANUAL.score,
  async run(args, context) {
    const { terminal, config, judgeUrl, openScoring, now } = context;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        project: { type: 'string' },
        url: { type: 'string' },
        type: { type: 'string' },
        symbol: { type: 'string' },
        chain: { type: 'string' },
        address: { type: 'string' },
        category: { type: 'string' },
        format: { type: 'string', default: 'standard' },
        wait: { type: 'string', default: String(config.scoreDeadlineSeconds) },
        json: { type: 'boolean' },
        file: { type: 'string' },
        csv: { type: 'boolean', default: false },
        out: { type: 'string' },
      },
    });
    if (values.file !== undefined) {
      if (positionals.length > 0) {
        terminal.err(`--file has the assets: expected no other, got ${positionals.join(' ').slice(0, 100)}`);
        return 64;
      }
      const { scoreFile } = await import('./bulk.ts');
      return scoreFile(values.file, { json: values.json === true, csv: values.csv, out: values.out ?? null }, context);
    }
    if (values.csv || values.out !== undefined) {
      terminal.err(
        '--csv and --out go with --file; for one asset use --json or --format, and > FILE to keep the output',
      );
      return 64;
    }
    const markdown = values.format === 'markdown';
    if (positionals.length === 0 && values.project === undefined && values.url === undefined) {
      terminal.err(`usage: ${MANUAL.score.usage}`);
      return 64;
    }
    const words =
      positionals.length > 0
        ? { asset: positionals.join(' ') }
        : { type: 'posttge', project: values.project, project_url: values.url };
    const body = {
      ...words,
      ...(values.type === undefined ? {} : { type: values.type }),
      token_symbol: values.symbol,
      blockchain: values.chain,
      token_address: values.address,
      category: values.category,
      output_format: markdown ? 'full' : values.format,
    };
    // Loaded separately: the rest of the room loads while the database starts.
    const { readScoreRequest } = await import('../contract/requests/score.ts');
    const read = readScoreRequest(body, await judgeUrl());
    const wait = Number(values.wait);
    if (!read.ok || !(wait >= 1)) {
      for (const error of read.ok ? [{ pointer: '/wait', detail: 'expected seconds, 1 or more' }] : read.errors)
        terminal.err(`${error.pointer.slice(1) || 'request'}: ${error.detail}`);
      return 64;
    }
    if (config.serviceUrl !== null) {
      const service = serviceOf(config, terminal);
      if (!service.ok) terminal.err(service.detail);
      if (!service.ok || service.value === null) return 64;
      const form = markdown ? 'markdown' : values.json ? 'line' : 'pretty';
      return scoreAt(service.value, { body, wait, form, path: config.scoringPath }, terminal);
    }
    const scoring = await openScoring();
    const { request, format, warnings } = read.value;
    const submitted = await scoring.submit(request, { keyId: 'cli', idempotencyKey: null, deadlineSeconds: wait });
    if (!submitted.ok) {
      terminal.err(`${submitted.code}: ${submitted.detail}`);
      return 1;
    }
    await watch(scoring.events(submitted.job.id, 0, AbortSignal.timeout((wait + 5) * 1000)), context);
    const job = await scoring.wait(submitted.job.id, 5_000);
    const report = job?.state === 'succeeded' ? await scoring.report(job.id) : null;
    if (!job || !report) {
      const failure = job?.failure;
      if (values.json)
        terminal.out(
          JSON.stringify({ job_id: submitted.job.id, state: job?.state ?? 'unknown', error: failure ?? null }),
        );
      else terminal.err(failure ? failureText(failure) : `the job is ${job?.state ?? 'unknown'}`);
      return 1;
    }
    const { replyContext } = await import('../jobs/index.ts');
    const { fullFormat, minimalFormat, standardFormat } = await import('../contract/index.ts');
    const view = replyContext(job, report, { asked: request, warnings, now: now() });
    for (const { code, detail } of report.decision.because) terminal.err(`not published: ${code}: ${detail}`);
    if (markdown) terminal.out((await (await context.openReports())(job.id, 'markdown')) ?? '');
    else {
      const shown =
        format === 'minimal'
          ? minimalFormat(report, view)
          : format === 'full'
            ? fullFormat(report, view)
            : standardFormat(report, view);
      print(shown, values.json ? 'line' : 'pretty', values.format === 'standard', terminal);
    }
    return 0;
  },
};

/** Scores at the service of ASSAY_URL: the same request, and the same forms of a result. */
async function scoreAt(
  service: Service,
  { body, wait, form, path }: { body: { output_format?: string | undefined }; wait: number; form: Form; path: string },
  terminal: Terminal,
): Promise<number> {
  const begun = performance.now();
  const left = () => wait - (performance.now() - begun) / 1000;
  const ends = new Set(['succeeded', 'failed', 'cancelled']);
  const asked = () =>
    service.json({
      method: 'POST',
      path,
      body,
      headers: { prefer: `wait=${Math.min(Math.ceil(wait), MOST_WAIT_SECONDS)}` },
      timeoutMs: (wait + 10) * 1000,
    });
  const told = await waiting(
    terminal,
    () => `${service.url} scores it`,
    async () => {
      let reply = await asked();
      while (reply.ok && !('rating' in reply.value.body) && !('band' in reply.value.body)) {
        const { state, location, job_id: id, result, error } = reply.value.body;
        if (error) return { ok: false, detail: problemText(0, members(error), service.url) } as const;
        if (result) return { ok: true, value: { status: 200, body: members(result) } } as const;
        const at = `/v1/jobs/${String(id)}`;
        if (ends.has(String(state)) && location === undefined)
          return { ok: false, detail: `the job is ${String(state)}` } as const;
        if (left() <= 0)
          return {
            ok: false,
            detail: `${service.url}${at} is ${String(state)} and continues; --wait SECONDS waits longer`,
          } as const;
        await sleep(JOB_POLL_MS);
        reply = await service.json({ path: `${at}?output_format=${body.output_format ?? 'standard'}` });
      }
      return reply;
    },
  );
  if (!told.ok) {
    terminal.err(told.detail);
    return 1;
  }
  const result = told.value.body;
  if (form !== 'markdown') {
    print(result, form, body.output_format === 'standard', terminal);
    return 0;
  }
  const at = `/v1/jobs/${String(result.job_id)}?output_format=full`;
  const report = await service.text({ path: at, accept: 'text/markdown' });
  if (report.ok) terminal.out(report.value.trimEnd());
  else terminal.err(report.detail);
  return report.ok ? 0 : 1;
}

/** JSON for programs; for the usual format, a few lines for a person at a terminal. */
function print(result: unknown, form: Form, isUsual: boolean, terminal: Terminal): void {
  if (form === 'pretty' && isUsual && terminal.isTerminal === true) terminal.out(shortText(members(result)));
  else terminal.out(JSON.stringify(result, null, form === 'line' ? 0 : 2));
}

/** A score in short. */
function shortText(result: Readonly<Record<string, unknown>>): string {
  const [asset, rating, trust, vfr] = ['asset', 'rating', 'trust_score', 'vfr'].map((name) =>
    members(result[name]),
  ) as [ReturnType<typeof members>, ReturnType<typeof members>, ReturnType<typeof members>, ReturnType<typeof members>];
  const interval = Array.isArray(rating.interval) ? ` (${rating.interval.join(' to ')})` : '';
  const flags = (Array.isArray(result.risk_flags) ? result.risk_flags : []).map((flag) => {
    const { severity, code, detail } = members(flag);
    return `  ${String(severity).padEnd(8)}  ${plain(code)}: ${plain(detail)}`;
  });
  return [
    `${plain(asset.name)}${asset.symbol ? ` (${plain(asset.symbol)})` : ''}  ${plain(asset.id)}`,
    `  ${plain(rating.band)}  score ${rating.score ?? 'none'}${interval}  trust ${trust.score} ${plain(trust.tier)}  vfr ${vfr.value ?? 'none'}`,
    ...(flags.length === 0 ? ['  no flags'] : flags),
    `  as of ${plain(result.as_of)}, job ${plain(result.job_id)}; --json prints all of it`,
  ].join('\n');
}

/** The failure, the possible candidates, the attempts, and the remedy. Names are untrusted text. */
function failureText({ code, detail, candidates, tried }: JobFailure): string {
  return [
    `${code}: ${plain(detail)}`,
    ...candidates.map(
      ({ asset, why }) =>
        `  ${plain(asset.id)}  ${plain(asset.name)}${asset.symbol === null ? '' : ` (${plain(asset.symbol)})`}: ${plain(why)}`,
    ),
    ...(candidates.length > 0 ? ['assay score ID takes one of them'] : []),
    ...tried.slice(0, MOST_TRIED).map((row) => `  tried: ${plain(row)}`),
    ...(candidates.length > 0 ? [] : ['assay doctor lists the sources that respond']),
  ].join('\n');
}

async function watch(events: AsyncIterable<JobEvent>, { terminal }: CliContext): Promise<void> {
  const counts = new Map<string, number>();
  for await (const event of events) {
    if (event.type === 'source') {
      counts.set(event.outcome, (counts.get(event.outcome) ?? 0) + 1);
      const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
      terminal.progress(`${event.source} ${event.endpoint}: ${event.outcome} in ${event.milliseconds} ms (${summary})`);
    } else if (event.type === 'waiting') {
      terminal.progress(`${event.source} ${event.endpoint}: waits about ${event.seconds} s for its turn`);
    } else if (event.type === 'identified') {
      terminal.progress(`identified ${event.asset.id}`);
    }
  }
  terminal.progress('');
}
