import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Command } from './command.ts';

export const sourcesCommand: Command = {
  usage: [
    'assay sources list [--json]',
    'assay sources check [--json]',
    'assay sources parse SOURCE ENDPOINT --asset CAIP19 --reply FILE [--param name=value ...]',
  ].join('\n'),
  summary: 'the public sources: list them, probe each once, read a saved reply',
  async run(args, { terminal, sources }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        asset: { type: 'string' },
        reply: { type: 'string' },
        param: { type: 'string', multiple: true, default: [] },
      },
    });
    const [action, source, endpoint] = positionals;
    if (action === 'list') {
      const rows = sources.list();
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
      for await (const row of sources.check()) {
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
      const body =
        saved[0] === 0x1f && saved[1] === 0x8b ? gunzipSync(saved, { maxOutputLength: 64 * 1024 * 1024 }) : saved;
      const given = Object.fromEntries(
        values.param.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      );
      const read = sources.parse({ source, endpoint, asset: values.asset, given, body });
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
