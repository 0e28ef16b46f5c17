import type { Outcome, Problem, StandardReply } from './demo-print.ts';

export interface Service {
  readonly url: string;
  readonly key: string;
}

const RETRY_MS = 30_000;
const MOST_TRIES = 3;

/**
 * Scores one project over HTTP as a client would: asynchronously, following the job's event stream; `say` is called for
 * each reply of a source. Where the service allows a later retry, as on a machine too busy for its sources to reply in
 * time, the request is repeated.
 */
export async function scoreWithProgress(
  service: Service,
  body: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await scoreOnce(service, body, say);
    if (outcome.ok || outcome.problem.retry !== 'after' || attempt === MOST_TRIES) return outcome;
    say(`  ${outcome.problem.title}: asked again in ${RETRY_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function scoreOnce(
  service: Service,
  body: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Outcome> {
  const headers = { 'x-api-key': service.key };
  const accepted = await fetch(`${service.url}/v1/score`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(body),
  });
  const location = accepted.headers.get('location');
  if (accepted.status !== 202 || location === null) return { ok: false, problem: (await accepted.json()) as Problem };
  const job = new URL(location, service.url);
  const stream = await fetch(`${job.href}/events`, { headers: { ...headers, accept: 'text/event-stream' } });
  for await (const { type, data } of serverSentEvents(stream)) {
    const line = progressLine(type, data);
    if (line !== null) say(line);
  }
  const finished = (await (await fetch(job, { headers })).json()) as {
    state: string;
    result: StandardReply | null;
    error: Problem | null;
  };
  if (finished.result !== null) return { ok: true, report: finished.result };
  return { ok: false, problem: finished.error ?? { title: `the job is ${finished.state}` } };
}

interface ServerSentEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { type: field('event') ?? 'message', data: JSON.parse(data) };
    }
  }
}

function progressLine(type: string, data: Readonly<Record<string, unknown>>): string | null {
  if (type === 'source') {
    const mark = data.outcome === 'ok' ? '' : ` (${data.outcome})`;
    return `  ${data.source}.${data.endpoint}${mark} ${data.milliseconds} ms, ${data.observations} values`;
  }
  if (type === 'identified') {
    const asset = data.asset as { id?: string } | undefined;
    return `  identified as ${asset?.id}, match ${Number(data.match).toFixed(2)}`;
  }
  return type === 'state' ? `  job ${data.state}` : null;
}
