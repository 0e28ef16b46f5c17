import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { CliContext, Command } from './context.ts';
import { MANUAL } from './manual.ts';
import { notIdentified } from './rms.ts';
import { plain, serviceOf } from './service.ts';

/** The report of the newest published rating: as Markdown on the terminal, as a page in a file. */
export const reportCommand: Command = {
  ...MANUAL.report,
  async run(args, context) {
    const { terminal, config } = context;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { format: { type: 'string' }, out: { type: 'string' } },
    });
    const isPage = (values.format ?? (/\.html?$/i.test(values.out ?? '') ? 'html' : 'markdown')) === 'html';
    if (positionals.length === 0 || (values.format !== undefined && !['html', 'markdown'].includes(values.format))) {
      terminal.err(positionals.length > 0 ? '--format: expected html or markdown' : `usage: ${MANUAL.report.usage}`);
      return 64;
    }
    const service = serviceOf(config, terminal);
    if (!service.ok) {
      terminal.err(service.detail);
      return 64;
    }
    const asked = positionals.join(' ');
    const made =
      service.value === null
        ? await localReport(asked, isPage, context)
        : await service.value.text({
            path: `/v1/rms/${encodeURIComponent(asked)}/report?format=${isPage ? 'html' : 'markdown'}`,
            accept: isPage ? 'text/html' : 'text/markdown',
          });
    if (!made.ok) {
      terminal.err(made.detail);
      return 1;
    }
    if (values.out === undefined) terminal.out(made.value.trimEnd());
    else {
      await writeFile(values.out, made.value);
      terminal.err(`${values.out}: ${isPage ? 'a page to read and print (two sheets of A4)' : 'Markdown'}`);
    }
    return 0;
  },
};

async function localReport(text: string, isPage: boolean, { openRated, openReports }: CliContext) {
  const { reader } = await openRated();
  const { meant, candidates } = await reader.find(text);
  if (meant === null) {
    return {
      ok: false,
      detail:
        candidates.length > 0
          ? notIdentified(text, candidates)
          : `${plain(text)} is not rated; assay score ${plain(text)} has it rated, and its report is then read here`,
    } as const;
  }
  const rating = await reader.latest(meant.asset.id);
  const report = rating === null ? null : await (await openReports())(rating.jobId, isPage ? 'html' : 'markdown');
  return report === null
    ? ({
        ok: false,
        detail: `the evidence of the rating of ${meant.asset.id} is no longer kept; assay score ${meant.asset.id} rates it anew`,
      } as const)
    : ({ ok: true, value: report } as const);
}
