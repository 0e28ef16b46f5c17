import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  againstEsma,
  checkFolder,
  complaintOf,
  complaintsOf,
  contentOf,
  dayOf,
  differences,
  EMT_COLUMNS,
  type Finding,
  leiComplaint,
  merged,
  NONCOMPLIANT_COLUMNS,
  type PublicCopy,
  publicCopies,
  REGISTER_NAMES,
  type RegisterName,
  readCsv,
  readRegister,
  registerTerms,
  SHIPPED_FOLDER,
} from '../registers/index.ts';
import type { CliContext, Command } from './context.ts';
import { MANUAL } from './manual.ts';

const USAGE = 64;

export const registersCommand: Command = {
  ...MANUAL.registers,
  async run(args, context) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dir: { type: 'string' },
        from: { type: 'string' },
        online: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [action, register, ...files] = positionals;
    const own = values.dir ?? context.config.registersDir;
    if (action === 'check' && register === undefined) return check(context, { ...values, dir: own ?? SHIPPED_FOLDER });
    if (!isRegister(register)) {
      context.terminal.err(`registers are ${REGISTER_NAMES.join(', ')}; usage: ${MANUAL.registers.usage}`);
      return USAGE;
    }
    if (action === 'add' && files.length === 1) return add(context, register, files[0] ?? '', own);
    if (action === 'diff' && (files.length === 2 || files.length === 0))
      return diff(context, register, files, own, values.json);
    context.terminal.err(`usage: ${MANUAL.registers.usage}`);
    return USAGE;
  },
};

const isRegister = (name: string | undefined): name is RegisterName =>
  name !== undefined && (REGISTER_NAMES as readonly string[]).includes(name);
const today = (context: CliContext) => new Date(context.now()).toISOString().slice(0, 10);

interface CheckOptions {
  readonly dir: string;
  readonly from?: string | undefined;
  readonly online: boolean;
  readonly write: boolean;
  readonly json: boolean;
}

async function check(context: CliContext, options: CheckOptions): Promise<number> {
  const terms = registerTerms();
  const own = checkFolder(options.dir, today(context), terms);
  // An invalid file is not compared with anything.
  const isSound = !own.some(({ level, id }) => level === 'error' && id === null);
  const found = [...own, ...(options.online && isSound ? await online(context, options) : [])];
  for (const { level, register, id, text } of found)
    context.terminal.out(
      options.json
        ? JSON.stringify({ level, register, id, text })
        : `${level.padEnd(7)} ${register.padEnd(11)} ${id ?? ''}${id === null ? '' : ': '}${text}`,
    );
  return found.some(({ level }) => level === 'error') ? 1 : 0;
}

/** Compares issuers with ESMA's files and GLEIF's records; with `write` stores the result. */
async function online(context: CliContext, { dir, from, write }: CheckOptions): Promise<readonly Finding[]> {
  const terms = registerTerms();
  const findings: Finding[] = [];
  const refuse = (text: string) => {
    findings.push({ level: 'error', register: 'issuers', id: null, text });
    return null;
  };
  const issuers = readRegister(dir, 'issuers');
  if (issuers === null) return [{ level: 'note', register: 'issuers', id: null, text: `there is none in ${dir}` }];
  const addressOf = (url: string) => (from === undefined ? url : `${from.replace(/\/$/, '')}${new URL(url).pathname}`);
  const fetched = (url: string) => context.fetchPublic(addressOf(url), from !== undefined);
  const copies = publicCopies(dir);
  const read = async (name: 'esma_emt' | 'esma_noncompliant', columns: readonly string[]) => {
    const reply = await fetched(terms.public[name]);
    if (!reply.ok) return refuse(`${terms.public[name]} could not be read: ${reply.detail}`);
    const rows = readCsv(new TextDecoder().decode(reply.value.body));
    const complaint = complaintOf(rows, columns, copies[name], terms.shrink_limit);
    if (rows === null || complaint !== null) return refuse(`${terms.public[name]} is rejected: ${complaint}`);
    const day = dayOf(rows, reply.value.lastModified, today(context));
    const copy: PublicCopy = { rows: rows.length, sha256: reply.value.sha256, seen: day };
    return { rows, copy };
  };
  const emt = await read('esma_emt', EMT_COLUMNS);
  const noncompliant = await read('esma_noncompliant', NONCOMPLIANT_COLUMNS);
  for (const lei of new Set(issuers.rows.flatMap((row) => row.lei ?? []))) {
    const reply = await fetched(`${terms.public.gleif}/${lei}`);
    const complaint = reply.ok
      ? leiComplaint(lei, parsed(reply.value.body))
      : `${lei} could not be read: ${reply.detail}`;
    if (complaint !== null)
      findings.push({
        level: 'warning',
        register: 'issuers',
        id: issuers.rows.find((row) => row.lei === lei)?.id ?? null,
        text: complaint,
      });
  }
  if (emt === null || noncompliant === null) return findings;
  const held = againstEsma(issuers, emt.rows, noncompliant.rows, { day: emt.copy.seen, today: today(context) }, terms);
  if (write) {
    await writeJson(join(dir, 'issuers.json'), held.file);
    await writeJson(join(dir, 'public.json'), { ...copies, esma_emt: emt.copy, esma_noncompliant: noncompliant.copy });
  }
  return [...findings, ...held.findings];
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** Merges the rows of a file into the operator's own register of that name. */
async function add(context: CliContext, register: RegisterName, file: string, dir: string | null): Promise<number> {
  const { terminal } = context;
  if (dir === null) {
    terminal.err('set the folder of your own registers: ASSAY_REGISTERS_DIR or --dir');
    return USAGE;
  }
  const added = contentOf(file);
  const complaints = added === null ? ['it is not JSON'] : complaintsOf(register, added);
  if (complaints.length > 0) {
    for (const complaint of complaints) terminal.err(`${file}: ${complaint}`);
    return 1;
  }
  await mkdir(dir, { recursive: true });
  const whole = merged(readRegister(dir, register), added, today(context));
  await writeJson(join(dir, `${register}.json`), whole);
  const { rows } = added as { readonly rows: readonly unknown[] };
  terminal.out(
    `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} in ${join(dir, `${register}.json`)}; ratings name them as your own`,
  );
  return 0;
}

function diff(
  { terminal }: CliContext,
  register: RegisterName,
  files: readonly string[],
  own: string | null,
  asJson: boolean,
): number {
  if (files.length === 0 && own === null) {
    terminal.err('set the folder of your own registers, ASSAY_REGISTERS_DIR or --dir, or two files');
    return USAGE;
  }
  const [ours = '', theirs = ''] =
    files.length === 2 ? files : [SHIPPED_FOLDER, own ?? ''].map((folder) => join(folder, `${register}.json`));
  const [before, after] = [ours, theirs].map((path) => {
    const content = contentOf(path);
    const complaints = content === null ? ['it is not JSON, or does not exist'] : complaintsOf(register, content);
    for (const complaint of complaints) terminal.err(`${path}: ${complaint}`);
    return complaints.length > 0 ? null : (content as { readonly rows: Parameters<typeof differences>[0] }).rows;
  });
  if (!before || !after) return 1;
  for (const { id, change, cells } of differences(before, after))
    terminal.out(
      asJson
        ? JSON.stringify({ id, change, cells })
        : `${change.padEnd(8)} ${id}${cells.length > 0 ? `: ${cells.join(', ')}` : ''}`,
    );
  return 0;
}

/** Replaces a file atomically, so that a reader never sees half of it. */
async function writeJson(path: string, content: unknown): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`);
  await rename(`${path}.new`, path);
}
