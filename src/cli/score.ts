import { parseArgs } from 'node:util';
import type { JobEvent } from '../contract/index.ts';
import type { JobFailure } from '../jobs/index.ts';
import type { CliContext, Command } from './context.ts';
import { MANUAL } from './manual.ts';

const MOST_TRIED = 12;

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
      },
    });
    const markdown = values.format === 'markdown';
    if (positionals.length === 0 && values.project === undefined && values.url === undefined) {
      terminal.err(`usage: ${MANUAL.score.usage}`);
      return 64;
    }
    const words =
      positionals.length > 0
        ? { asset: positionals.join(' ') }
        : { type: 'posttge', project: values.project, project_url: withScheme(values.url) };
    const body = {
      ...words,
      ...(values.type === undefined ? {} : { type: values.type }),
      token_symbol: values.symbol,
      blockchain: values.chain,
      token_address: values.address,
      category: values.category,
      output_format: markdown ? 'full' : values.format,
    };
    // Alone: the rest of the room loads while the database starts.
    const { readScoreRequest } = await import('../contract/requests/score.ts');
    const read = readScoreRequest(body, await judgeUrl());
    const wait = Number(values.wait);
    if (!read.ok || !(wait >= 1)) {
      for (const error of read.ok ? [{ pointer: '/wait', detail: 'expected seconds, 1 or more' }] : read.errors)
        terminal.err(`${error.pointer.slice(1) || 'request'}: ${error.detail}`);
      return 64;
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
    const { answerView } = await import('../jobs/index.ts');
    const { fullFormat, minimalFormat, standardFormat } = await import('../contract/index.ts');
    const view = answerView(job, report, { asked: request, warnings, now: now() });
    for (const { code, detail } of report.decision.because) terminal.err(`not published: ${code}: ${detail}`);
    if (markdown) {
      const [{ committeeReport, markdownOf }, { loadMethodology }] = await Promise.all([
        import('../report/index.ts'),
        import('../methodology/index.ts'),
      ]);
      const beside = { ties: view.ties, actions: [], moves: null, peers: null };
      terminal.out(markdownOf(committeeReport(report, beside, loadMethodology())));
    } else
      terminal.out(
        JSON.stringify(
          format === 'minimal'
            ? minimalFormat(report, view)
            : format === 'full'
              ? fullFormat(report, view)
              : standardFormat(report, view),
          null,
          values.json ? 0 : 2,
        ),
      );
    return 0;
  },
};

/** A url as it is typed: `https://` is added to a bare host. */
function withScheme(url: string | undefined): string | undefined {
  return url === undefined || url.includes('://') ? url : `https://${url}`;
}

/** What failed, what it may have meant, what was tried, and what to do next. Names are untrusted text. */
function failureText({ code, detail, candidates, tried }: JobFailure): string {
  const plain = (text: string) => text.replace(/\p{C}/gu, '?');
  return [
    `${code}: ${plain(detail)}`,
    ...candidates.map(
      ({ asset, why }) =>
        `  ${plain(asset.id)}  ${plain(asset.name)}${asset.symbol === null ? '' : ` (${plain(asset.symbol)})`}: ${plain(why)}`,
    ),
    ...(candidates.length > 0 ? ['assay score ID takes one of them'] : []),
    ...tried.slice(0, MOST_TRIED).map((row) => `  tried: ${plain(row)}`),
    ...(candidates.length > 0 ? [] : ['assay doctor says which sources answer']),
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
