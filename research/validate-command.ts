import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import canonicalize from 'canonicalize';
import type { Command, Terminal } from '../src/cli/context.ts';
import { MANUAL } from '../src/cli/manual.ts';
import { ok, type Result } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { checked, loadCalibration, loadMethodology } from '../src/methodology/index.ts';
import { runValidation } from './data-sets.ts';
import { readMapping } from './mapping.ts';
import { proposeMapping } from './propose-mapping.ts';
import { quantityLines, quantityRows } from './quantity-list.ts';
import { headline } from './report/format.ts';
import { htmlOf, markdownOf } from './report/pages.ts';
import { readTable } from './table.ts';

const [USAGE, DATA, NO_INPUT, NO_OUTPUT] = [64, 65, 66, 73];
const MOST_BOOTSTRAP = 100_000;
/**
 * Monte Carlo draws, rows of a Sobol matrix, and members of both: takes a few seconds, and is stable to the second
 * digit.
 */
const SENSITIVITY = { draws: 1_000, base: 256, sensitivityMembers: 2_000 };

/** The command `assay validate`, which the command line loads by the path of this file. */
export const command: Command = {
  ...MANUAL.validate,
  async run(args, { terminal }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        out: { type: 'string' },
        mapping: { type: 'string' },
        methodology: { type: 'string' },
        seed: { type: 'string', default: '1' },
        bootstrap: { type: 'string', default: '1000' },
        nested: { type: 'boolean', default: false },
        quantities: { type: 'boolean', default: false },
        init: { type: 'string' },
      },
    });
    if (values.quantities) {
      for (const line of quantityLines(quantityRows(loadMethodology()))) terminal.out(line);
      return 0;
    }
    if (values.init !== undefined) return propose(values.init, values.out ?? null, terminal);
    const seed = wholeNumber(values.seed, 4_294_967_295);
    const bootstrap = wholeNumber(values.bootstrap, MOST_BOOTSTRAP);
    const wrong =
      values.data === undefined || values.out === undefined
        ? `usage:\n${command.usage}`
        : seed === null
          ? '--seed must be a whole number from 0 to 4294967295'
          : bootstrap === null || bootstrap < 2
            ? `--bootstrap must be a whole number from 2 to ${MOST_BOOTSTRAP}`
            : null;
    if (wrong !== null || values.data === undefined || values.out === undefined) {
      terminal.err(wrong ?? '');
      return USAGE;
    }
    const mapping = values.mapping === undefined ? null : await readJson(values.mapping);
    if (mapping !== null && !mapping.ok) return failed(terminal, mapping.detail, mapping.code);
    const methodology = values.methodology === undefined ? null : await readMethodology(values.methodology);
    if (methodology !== null && !methodology.ok) return failed(terminal, methodology.detail, methodology.code);
    const found = await runValidation({
      folder: values.data,
      mapping: mapping?.value ?? null,
      ...(methodology === null ? {} : { methodology: methodology.value }),
      nested: values.nested,
      settings: { seed: seed ?? 1, bootstrap: bootstrap ?? 1_000, ...SENSITIVITY },
      onProgress: (dataSet, step, done) => terminal.progress(`${dataSet}: ${step} ${Math.round(done * 100)} %`),
    });
    terminal.progress('');
    if (!found.ok) {
      const { reason, detail } = found.refusal;
      return failed(
        terminal,
        `${reason}: ${detail}`,
        reason === 'no_data' || reason === 'unreadable' ? NO_INPUT : DATA,
      );
    }
    const report = found.value;
    try {
      await mkdir(values.out, { recursive: true });
      await put(join(values.out, 'report.json'), `${canonicalize(report)}\n`);
      await put(join(values.out, 'report.md'), markdownOf(report));
      await put(join(values.out, 'report.html'), htmlOf(report));
    } catch (error) {
      return failed(terminal, `cannot write to ${values.out}: ${messageOf(error)}`, NO_OUTPUT);
    }
    for (const own of report.dataSets) terminal.out(`${own.name}: ${headline(own)}`);
    for (const { name, nested } of report.dataSets)
      if (nested !== undefined)
        terminal.out(
          `${name}: nested AUC ${nested.published.mean.toFixed(3)} by ${nested.by}, optimism ${nested.optimism.toFixed(3)}`,
        );
    for (const own of report.dataSets)
      for (const warning of own.outcome?.leakage.warnings ?? []) terminal.err(`${own.name}: warning: ${warning}`);
    for (const { name, advice = [] } of report.dataSets)
      for (const line of advice) terminal.err(`${name}: note: ${line}`);
    for (const row of report.skipped) terminal.err(`${row.name}: not validated: ${row.detail}`);
    terminal.out(`written to ${values.out}: report.json, report.md, report.html`);
    return 0;
  },
};

/** `--init`: writes an initial mapping and reports the guesses in it. */
async function propose(file: string, out: string | null, terminal: Terminal): Promise<number> {
  const table = await readTable([file]);
  if (!table.ok) {
    const { reason, detail } = table.refusal;
    return failed(terminal, `${reason}: ${detail}`, reason === 'unreadable' ? NO_INPUT : DATA);
  }
  const { mapping, notes } = proposeMapping(table.value);
  const text = JSON.stringify(mapping, null, 2);
  for (const note of notes) terminal.err(note);
  const read = readMapping(mapping, loadMethodology());
  const complaint = read.ok ? null : `to be completed by hand: ${read.refusal.detail}`;
  if (complaint !== null) terminal.err(complaint);
  if (out === null) {
    terminal.out(text);
    return 0;
  }
  try {
    await put(out, `${text}\n`);
  } catch (error) {
    return failed(terminal, `cannot write to ${out}: ${messageOf(error)}`, NO_OUTPUT);
  }
  terminal.out(`written to ${out}; every line above is a guess: check it, then`);
  terminal.out(`assay validate --data ${dirname(file)} --mapping ${out} --out report`);
  return 0;
}

/** Written atomically: a reader never sees half a report. */
async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}

function wholeNumber(text: string, most: number): number | null {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value <= most ? value : null;
}

interface BadFile {
  readonly detail: string;
  /** Exit code. */
  readonly code: number;
}

async function readJson(path: string): Promise<Result<unknown, BadFile>> {
  try {
    return ok(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    return { ok: false, detail: `${path}: ${messageOf(error)}`, code: error instanceof SyntaxError ? DATA : NO_INPUT };
  }
}

async function readMethodology(path: string): Promise<Result<Methodology, BadFile>> {
  const read = await readJson(path);
  if (!read.ok) return read;
  const found = checked(read.value);
  if (!found.ok) return { ok: false, detail: `${path}: ${found.complaints.slice(0, 5).join('; ')}`, code: DATA };
  const hash = createHash('sha256')
    .update(canonicalize(read.value) ?? '')
    .digest('hex');
  return ok({ ...found.value, hash, calibration: loadCalibration() });
}

function failed(terminal: Terminal, detail: string, code: number): number {
  terminal.err(detail);
  return code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
