import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Command } from './context.ts';
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
    if (action === 'check') {
      let failed = 0;
      for await (const row of (await openSources()).check()) {
        if (!['ok', 'empty', 'not_found', 'unsupported'].includes(row.outcome)) failed += 1;
        terminal.out(
          values.json
            ? JSON.stringify(row)
            : `${row.outcome.padEnd(14)} ${row.source.padEnd(14)} ${row.endpoint.padEnd(20)} ${String(row.milliseconds).padStart(6)} ms  ${row.observations} values  ${row.detail ?? ''}`,
        );
      }
      return failed === 0 ? 0 : 1;
    }
    if (action === 'parse' && source && endpoint && values.asset && values.reply) {
      const saved = await readFile(values.reply);
      const whole =
        saved[0] === 0x1f && saved[1] === 0x8b ? gunzipSync(saved, { maxOutputLength: LARGEST_REPLY }) : saved;
      const body = values.pointer === undefined ? whole : partOf(whole, values.pointer);
      if (body === null) {
        terminal.err(`--pointer ${values.pointer} leads nowhere in ${values.reply}`);
        return 64;
      }
      const given = Object.fromEntries(
        values.param.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      );
      const read = (await openSources()).parse({ source, endpoint, asset: values.asset, given, body });
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
      terminal.out(
        JSON.stringify(
          { source, endpoint, outcome: read.outcome, ...(read.detail ? { detail: read.detail } : {}), observations },
          null,
          2,
        ),
      );
      return ['ok', 'empty', 'not_found'].includes(read.outcome) ? 0 : 1;
    }
    terminal.err(`usage:\n${sourcesCommand.usage}`);
    return 64;
  },
};

const LARGEST_REPLY = 64 * 1024 * 1024;

/** The part of a JSON file that a JSON pointer (RFC 6901) names, for replies saved inside a wrapper; null when there is none. */
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
