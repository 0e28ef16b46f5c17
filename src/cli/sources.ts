import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { counted } from '../domain/index.ts';
import type { Command, SourceTools, Terminal } from './context.ts';
import { lineage } from './lineage.ts';
import { MANUAL } from './manual.ts';

export const sourcesCommand: Command = {
  ...MANUAL.sources,
  async run(args, { terminal, openSources }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        asset: { type: 'string' },
        reply: { type: 'string' },
        pointer: { type: 'string' },
        param: { type: 'string', multiple: true, default: [] },
        out: { type: 'string' },
        panel: { type: 'string' },
        minutes: { type: 'string', default: '10' },
        jobs: { type: 'string', default: '5000' },
      },
    });
    const [action, source, endpoint] = positionals;
    if (action === 'list') {
      const rows = (await openSources()).list();
      if (values.json) terminal.out(JSON.stringify(rows));
      else
        for (const row of rows)
          terminal.out(
            `${row.enabled ? 'on ' : 'off'}  ${row.name.padEnd(14)} ${row.family.padEnd(13)} ${row.tier.padEnd(13)} ${row.enabled ? row.endpoints.join(', ') : row.reason}`,
          );
      return 0;
    }
    if (action === 'check') return check(await openSources(), terminal, values.json === true);
    const minutes = Number(values.minutes);
    if (action === 'prove' && positionals.length === 1 && minutes > 0)
      return prove(await openSources(), terminal, { ...values, minutes });
    if (action === 'lineage' && positionals.length === 1 && /^[1-9]\d{0,6}$/.test(values.jobs))
      return lineage(await openSources(), terminal, { ...values, jobs: Number(values.jobs) });
    if (action === 'adopt' && source && values.out)
      return adopt(await openSources(), terminal, { bundle: source, out: values.out, panel: values.panel });
    if (action === 'parse' && source && endpoint && values.asset && values.reply)
      return parse(await openSources(), terminal, {
        ...values,
        source,
        endpoint,
        asset: values.asset,
        reply: values.reply,
      });
    terminal.err(`usage:\n${sourcesCommand.usage}`);
    return 64;
  },
};

/** One request to each endpoint, with its outcome. 0 when all replied. */
async function check(tools: SourceTools, terminal: Terminal, json: boolean): Promise<number> {
  let failed = 0;
  for await (const row of tools.check()) {
    if (!['ok', 'empty', 'not_found', 'unsupported'].includes(row.outcome)) failed += 1;
    terminal.out(
      json
        ? JSON.stringify(row)
        : `${row.outcome.padEnd(14)} ${row.source.padEnd(14)} ${row.endpoint.padEnd(20)} ${String(row.milliseconds).padStart(6)} ms  ${counted(row.observations, 'value')}  ${row.detail ?? ''}`,
    );
  }
  return failed === 0 ? 0 : 1;
}

/** Shows what an adapter reads from a saved reply. 0 when the reply fits. */
async function parse(
  tools: SourceTools,
  terminal: Terminal,
  wanted: {
    readonly source: string;
    readonly endpoint: string;
    readonly asset: string;
    /** The file. */
    readonly reply: string;
    readonly pointer?: string;
    readonly param: readonly string[];
  },
): Promise<number> {
  const { source, endpoint, asset, reply, pointer, param } = wanted;
  const saved = await readFile(reply);
  const whole = saved[0] === 0x1f && saved[1] === 0x8b ? gunzipSync(saved, { maxOutputLength: LARGEST_REPLY }) : saved;
  const body = pointer === undefined ? whole : partOf(whole, pointer);
  if (body === null) {
    terminal.err(`--pointer ${pointer} is not in ${reply}`);
    return 64;
  }
  const given = Object.fromEntries(
    param.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const read = tools.parse({ source, endpoint, asset, given, body });
  if (!read.ok) {
    terminal.err(read.detail);
    return 64;
  }
  const observations = read.observations.map((row) => ({
    quantity: row.quantity,
    value: row.value,
    unit: row.unit,
    scope: row.scope,
    as_of: row.observedAt,
    meaning: row.meaning,
    family: row.family,
    tier: row.tier,
    reliability: row.reliability,
    binding: row.binding,
  }));
  const detail = read.detail ? { detail: read.detail } : {};
  terminal.out(JSON.stringify({ source, endpoint, outcome: read.outcome, ...detail, observations }, null, 2));
  return ['ok', 'empty', 'not_found'].includes(read.outcome) ? 0 : 1;
}

/** Shows every endpoint with its verdict and its findings. 0 when nothing is suspect or failed. */
async function prove(
  tools: SourceTools,
  terminal: Terminal,
  wanted: { readonly panel?: string; readonly out?: string; readonly minutes: number; readonly json?: boolean },
): Promise<number> {
  let answered = 0;
  const { proof, recorded } = await tools.prove({
    panel: wanted.panel === undefined ? null : await readFile(wanted.panel, 'utf8'),
    out: wanted.out ?? null,
    mostMs: wanted.minutes * 60_000,
    onReply: (source) => {
      answered += 1;
      terminal.progress(`${answered} answers, last ${source}`);
    },
  });
  terminal.progress('');
  const counts = { right: 0, suspect: 0, failed: 0, unproven: 0 };
  for (const { verdict } of proof.endpoints) counts[verdict] += 1;
  if (wanted.json) terminal.out(JSON.stringify({ at: proof.at, counts, endpoints: proof.endpoints, recorded }));
  else {
    for (const row of proof.endpoints) {
      const name = `${row.source}.${row.endpoint}`.padEnd(34);
      terminal.out(
        `${row.verdict.padEnd(8)} ${name} ${String(row.replies).padStart(4)} replies ${String(row.observations).padStart(6)} values  ${row.detail ?? ''}`.trimEnd(),
      );
      for (const { asset, text } of row.findings.slice(0, MOST_SHOWN)) terminal.out(`         ${asset}: ${text}`);
      if (row.findings.length > MOST_SHOWN) terminal.out(`         and ${row.findings.length - MOST_SHOWN} more`);
    }
    terminal.out(
      `${counts.right} right, ${counts.suspect} suspect, ${counts.failed} failed, ${counts.unproven} unproven`,
    );
    if (recorded) terminal.out(`${wanted.out}: ${recordedText(recorded)}`);
  }
  return counts.suspect + counts.failed === 0 ? 0 : 1;
}

const MOST_SHOWN = 8;

async function adopt(
  tools: SourceTools,
  terminal: Terminal,
  wanted: { readonly bundle: string; readonly out: string; readonly panel?: string | undefined },
): Promise<number> {
  const panel = wanted.panel === undefined ? null : await readFile(wanted.panel, 'utf8');
  const { adopted, panel: grown } = await tools.adopt({ ...wanted, panel });
  if (wanted.panel !== undefined && grown !== null) await writeFile(wanted.panel, grown);
  terminal.out(`${wanted.out}: ${recordedText(adopted)}, ${counted(adopted.checks, 'check')}`);
  if (adopted.notRedistributable > 0)
    terminal.out(
      `${adopted.notRedistributable} are of sources whose terms forbid passing replies on ("redistribute": false in index.json): keep them out of a public repository`,
    );
  terminal.out(`npm run -s replies -- --data ${wanted.out}`);
  return 0;
}

function recordedText({
  replies,
  bytes,
  left,
}: {
  replies: number;
  bytes: number;
  left: Readonly<Record<string, number>>;
}) {
  const why = Object.entries(left).map(([reason, count]) => `${count} left out because ${reason}`);
  return [`${counted(replies, 'reply', 'replies')}, ${(bytes / 1e6).toFixed(1)} MB`, ...why].join('; ');
}

const LARGEST_REPLY = 64 * 1024 * 1024;

/**
 * The part of a JSON file at a JSON pointer (RFC 6901), for replies saved inside a wrapper; null when it does not
 * exist.
 */
function partOf(file: Uint8Array, pointer: string): Uint8Array | null {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let part: unknown = JSON.parse(new TextDecoder().decode(file));
  for (const name of names) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return null;
    part = (part as Readonly<Record<string, unknown>>)[name];
  }
  return new TextEncoder().encode(typeof part === 'string' ? part : JSON.stringify(part));
}

export const configCommand: Command = {
  ...MANUAL.config,
  async run(args, { terminal, settings }) {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
    const rows = settings();
    if (values.json) terminal.out(JSON.stringify(rows, null, 2));
    else
      for (const row of rows)
        terminal.out(`${row.name}=${row.value}\n    ${row.description} (default: ${row.default || 'none'})`);
    return 0;
  },
};
