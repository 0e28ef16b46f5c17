import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { counted, type Result } from '../domain/index.ts';
import { type VerifyingKey, verifyDays } from '../exports/index.ts';
import { type CliContext, type Command, waiting } from './context.ts';
import { MANUAL } from './manual.ts';

const LONGEST_REASON = 1_000;

export const exportCommand: Command = {
  ...MANUAL.export,
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        subject: { type: 'string' },
        date: { type: 'string' },
        dir: { type: 'string' },
        keys: { type: 'string' },
        reason: { type: 'string' },
        job: { type: 'string' },
        without: { type: 'string' },
      },
    });
    const { terminal, exportSubjects } = context;
    const [action] = positionals;
    const { subject, date } = values;
    if (date !== undefined && !isDay(date)) {
      terminal.err(`${date} is not a date: expected YYYY-MM-DD`);
      return 64;
    }
    const known = [...exportSubjects, ...(action === 'restate' ? ['rating'] : [])];
    if (subject !== undefined && !known.includes(subject)) {
      terminal.err(`there is no export of ${subject}; there are ${known.join(', ')}`);
      return 64;
    }
    if ((values.reason?.length ?? 0) > LONGEST_REASON) {
      terminal.err('the reason is too long: every manifest shows it; expected at most 1,000 characters');
      return 64;
    }
    const subjects = subject === undefined ? exportSubjects : [subject];
    if (positionals.length === 1) {
      if (action === 'build') return build(context, subjects, date ?? null);
      if (action === 'verify') return verify(context, subjects, date ?? null, values.dir, values.keys);
      if (action === 'restate' && subject !== undefined && values.reason?.trim())
        return restate(context, { ...values, subject, reason: values.reason.trim() });
    }
    terminal.err(`usage: ${exportCommand.usage}`);
    return 64;
  },
};

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Text about the published days after a run without failures. */
function leftOf(subject: string, date: string | null, closed: readonly string[]): string {
  if (closed.length === 0) return `${subject}: no day is closed yet`;
  return `${subject}: ${date ?? `all ${closed.length} closed days up to ${[...closed].sort().at(-1)}`} published`;
}

async function build({ terminal, openExports }: CliContext, subjects: readonly string[], date: string | null) {
  const exports = await openExports();
  let failed = false;
  for (const subject of subjects) {
    let under = `looking for closed days of ${subject}`;
    const { days, closed, failures } = await waiting(
      terminal,
      () => under,
      () =>
        exports.build(subject, date, (day, done, all) => {
          under = `publishing ${subject} ${day} (${done + 1} of at most ${all})`;
        }),
    );
    for (const day of days) terminal.out(`${subject} ${day} published`);
    for (const failure of failures) terminal.err(`${subject} ${failure}`);
    failed ||= failures.length > 0;
    if (date !== null && !closed.includes(date)) {
      terminal.err(`${subject} ${date} is not closed yet, or nothing of it is kept`);
      failed = true;
    } else if (failures.length === 0 && (date === null || days.length === 0))
      terminal.out(leftOf(subject, date, closed));
  }
  return failed ? 1 : 0;
}

async function verify(
  { terminal, exportsRoot, openExports }: CliContext,
  subjects: readonly string[],
  date: string | null,
  folder: string | undefined,
  keysFrom: string | undefined,
) {
  const keys =
    keysFrom === undefined
      ? { ok: true as const, value: await (await openExports()).keys() }
      : await readKeys(keysFrom);
  if (!keys.ok) {
    terminal.err(keys.detail);
    return 1;
  }
  let [days, bad] = [0, 0];
  for (const subject of subjects) {
    for await (const day of verifyDays(folder ?? exportsRoot, subject, date, keys.value)) {
      days += 1;
      const name = `${subject} ${day.date}${day.revision > 1 ? ` revision ${day.revision}` : ''}`;
      if (day.complaints.length === 0)
        terminal.out(`${name}: good, ${counted(day.rows, 'row')} in ${counted(day.files, 'file')}`);
      else bad += 1;
      for (const complaint of day.complaints) terminal.err(`${name}: ${complaint}`);
    }
  }
  if (days === 0) terminal.err(`no published day${date === null ? '' : ` of ${date}`} was found`);
  else if (bad > 0) terminal.err(`${bad} of ${days} file sets differ from what was published`);
  return days > 0 && bad === 0 ? 0 : 1;
}

async function restate(
  { terminal, openExports }: CliContext,
  options: {
    readonly subject: string;
    readonly reason: string;
    readonly date?: string | undefined;
    readonly job?: string | undefined;
    readonly without?: string | undefined;
  },
) {
  const { subject, reason, date, job } = options;
  if (subject === 'rating' ? job === undefined : date === undefined) {
    terminal.err(`expected --${subject === 'rating' ? 'job' : 'date'}\nusage: ${exportCommand.usage}`);
    return 64;
  }
  const exports = await openExports();
  if (subject === 'rating') {
    const without = options.without === undefined ? [] : options.without.split(',').map((name) => name.trim());
    const outcome = await waiting(
      terminal,
      () => `computing ${job} again`,
      () => exports.restateRating({ jobId: job ?? '', without, reason }),
    );
    if (!outcome.ok) {
      terminal.err(outcome.detail);
      return 1;
    }
    const { restatementId, assetId, before, after } = outcome.value;
    terminal.out(
      `${assetId}: ${before.band} ${before.score ?? '-'} is restated to ${after.band} ${after.score ?? '-'} (restatement ${restatementId})`,
    );
    terminal.out('days that hold it are restated with assay export restate --subject rms --date ...');
    return 0;
  }
  const outcome = await waiting(
    terminal,
    () => `publishing ${subject} ${date} again`,
    () => exports.restate({ subject, date: date ?? '', reason }),
  );
  if (!outcome.ok) {
    terminal.err(`${outcome.reason}: ${outcome.detail}`);
    return 1;
  }
  const { revision, materialRows, changedRows } = outcome.value;
  terminal.out(
    `${subject} ${date} is restated: revision ${revision}, ${counted(changedRows, 'row differs', 'rows differ')}, ${materialRows} of them materially`,
  );
  return 0;
}

const MOST_BYTES = 1 << 20;
const DEADLINE_MS = 10_000;

/** Published keys (`/.well-known/assay-keys.json`) from a file or a URL. */
export async function readKeys(place: string): Promise<Result<readonly VerifyingKey[], { readonly detail: string }>> {
  let text: string;
  try {
    text = await readDocument(place);
  } catch (error) {
    return { ok: false, detail: `the keys of ${place} could not be read: ${(error as Error).message}` };
  }
  const keys = keysOf(text);
  return keys === null
    ? { ok: false, detail: `${place} holds no keys: expected {"keys": [{"kid": ..., "x": ...}]}` }
    : { ok: true, value: keys };
}

function keysOf(text: string): readonly VerifyingKey[] | null {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.every(isKey) ? keys : null;
  } catch {
    return null;
  }
}

function isKey(key: unknown): key is VerifyingKey {
  const { kid, x } = (key ?? {}) as Readonly<Record<string, unknown>>;
  return typeof kid === 'string' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
}

/** Text of a file or of an http URL, at most a megabyte. Throws when it cannot be read. */
export async function readDocument(place: string): Promise<string> {
  return /^https?:\/\//.test(place) ? await fetchText(place) : await readText(place);
}

async function fetchText(url: string): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'error' });
  if (!reply.ok) throw new Error(`the reply has status ${reply.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('it is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    if ((await file.stat()).size > MOST_BYTES) throw new Error('it is too long');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
