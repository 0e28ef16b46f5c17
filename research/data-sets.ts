import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import canonicalize from 'canonicalize';
import { ok, type Result } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { loadMethodology } from '../src/methodology/index.ts';
import { MAPPINGS, type Mapping, type Refusal, readMapping, refuse } from './mapping.ts';
import { columnsOf } from './members.ts';
import { acrossFiles, validateNested } from './nested/nested.ts';
import type { DataSetReport, Settings, ValidationReport } from './report/format.ts';
import { headerOf, readTable } from './table.ts';
import { validateDataSet } from './validate.ts';

/** Deepest folder level that is searched. */
const DEEPEST = 6;
const MOST_FILES = 100_000;
/** Most files whose columns are checked when no file has the right name. */
const MOST_HEADERS = 200;

export interface ValidationRequest {
  readonly folder: string;
  /** Content of one mapping file; null: every shipped mapping whose file is present. */
  readonly mapping: unknown;
  readonly methodology?: Methodology;
  readonly settings: Settings;
  /** Also selects among variants by nested cross-validation. */
  readonly nested?: boolean;
  readonly onProgress: (dataSet: string, step: string, done: number) => void;
}

/** Finds the files of one or of all known mappings under a folder and validates the methodology on each. */
export async function runValidation(
  request: ValidationRequest,
): Promise<Result<ValidationReport, { refusal: Refusal }>> {
  const methodology = request.methodology ?? loadMethodology();
  const paths = await filesUnder(request.folder);
  if (!paths.ok) return paths;
  const given = request.mapping !== null;
  const dataSets: DataSetReport[] = [];
  const skipped: { name: string; detail: string }[] = [];
  for (const file of given ? [request.mapping] : MAPPINGS) {
    const mapping = readMapping(file, methodology);
    if (!mapping.ok) return mapping;
    const { name } = mapping.value;
    const named = setsOf(paths.value, mapping.value);
    const sets = named.length > 0 ? named : await setsByColumns(paths.value, mapping.value);
    if (sets.length === 0) {
      const none = refuse(
        'no_data',
        `there is no ${mapping.value.file} under ${request.folder}, nor another CSV file with its columns`,
      );
      if (given) return none;
      skipped.push({ name, detail: none.refusal.detail });
    }
    for (const set of sets) {
      const found = await validateFiles(set.paths, { ...mapping.value, name: set.name }, methodology, request);
      if (found.ok) dataSets.push(found.value);
      else if (given) return found;
      else skipped.push({ name: set.name, detail: found.refusal.detail });
    }
  }
  if (dataSets.length === 0)
    return refuse(
      'no_data',
      `${request.folder} holds none of the files that a mapping is known for; give --mapping for a file of your own. ${skipped.map((row) => row.detail).join('; ')}`,
    );
  return ok({
    methodology: { version: methodology.version, date: methodology.date, hash: methodology.hash },
    settings: request.settings,
    ladder: methodology.bands.flatMap(({ band, from, failureTarget }) =>
      failureTarget === null ? [] : [{ band, from, target: failureTarget }],
    ),
    dataSets,
    ...acrossAll(dataSets),
    skipped,
  });
}

/** A shipped mapping and the files under a folder whose names match it. */
export interface KnownSet {
  readonly mapping: Mapping;
  readonly paths: readonly string[];
}

/** Every set under a folder that has outcomes and a shipped mapping. */
export async function knownSets(
  folder: string,
  methodology: Methodology,
): Promise<Result<readonly KnownSet[], { refusal: Refusal }>> {
  const paths = await filesUnder(folder);
  if (!paths.ok) return paths;
  const found: KnownSet[] = [];
  for (const file of MAPPINGS) {
    const mapping = readMapping(file, methodology);
    if (!mapping.ok) return mapping;
    if (mapping.value.outcome === null) continue;
    for (const set of setsOf(paths.value, mapping.value)) found.push({ mapping: mapping.value, paths: set.paths });
  }
  return ok(found);
}

function acrossAll(dataSets: readonly DataSetReport[]): Pick<ValidationReport, 'acrossFiles'> {
  const found = acrossFiles(dataSets.flatMap(({ name, nested }) => (nested === undefined ? [] : [{ name, nested }])));
  return found.length === 0 ? {} : { acrossFiles: found };
}

async function validateFiles(
  paths: readonly string[],
  mapping: Mapping,
  methodology: Methodology,
  { settings, nested = false, onProgress }: ValidationRequest,
): Promise<Result<DataSetReport, { refusal: Refusal }>> {
  onProgress(mapping.name, 'reading', 0);
  const table = await readTable(paths);
  if (!table.ok) return table;
  const mappingHash = createHash('sha256')
    .update(canonicalize(mapping) ?? '')
    .digest('hex');
  const dataSet = { mapping, mappingHash, table: table.value };
  const report = validateDataSet(dataSet, methodology, settings, (step, done) => onProgress(mapping.name, step, done));
  if (!report.ok || !nested) return report;
  const found = validateNested(dataSet, methodology, settings, (done) => onProgress(mapping.name, 'nested', done));
  if (!found.ok) return found;
  return ok({ ...report.value, ...(found.value === null ? {} : { nested: found.value }) });
}

/**
 * Files whose name matches. A file with ids is a data set; files without ids in one folder are the assets of one data
 * set.
 */
export function setsOf(
  paths: readonly string[],
  mapping: Mapping,
): readonly { readonly name: string; readonly paths: readonly string[] }[] {
  const pattern = mapping.file.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const fits = new RegExp(`(?:^|[/\\\\])${pattern.join('[^/\\\\]*')}(?:\\.gz)?$`);
  const found = paths.filter((path) => fits.test(path));
  if (mapping.id === null)
    return [...Map.groupBy(found, (path) => basename(dirname(path)))].map(([folder, own]) => ({
      name: nameOf(folder),
      paths: own,
    }));
  return found.map((path) => ({ name: nameFor(path, mapping), paths: [path] }));
}

/** Name of a data set: of its mapping if several mappings use parts of the same file, otherwise of its file. */
function nameFor(path: string, mapping: Mapping): string {
  return mapping.where.length > 0 ? mapping.name : stemOf(path);
}

/** Finds files with other names by their columns. */
async function setsByColumns(paths: readonly string[], mapping: Mapping): Promise<ReturnType<typeof setsOf>> {
  if (mapping.id === null) return [];
  const needed = columnsOf(mapping);
  const found: string[] = [];
  for (const path of paths.filter((name) => /\.csv(\.gz)?$/i.test(name)).slice(0, MOST_HEADERS)) {
    const header = await headerOf(path);
    if (needed.every((column) => header.includes(column))) found.push(path);
  }
  return found.map((path) => ({ name: nameFor(path, mapping), paths: [path] }));
}

function stemOf(path: string): string {
  return nameOf(basename(path).replace(/(\.csv)?(\.gz)?$/i, ''));
}

function nameOf(file: string): string {
  return file
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .slice(0, 60);
}

/** Every file below a folder, including links to files. */
export async function filesUnder(folder: string): Promise<Result<readonly string[], { refusal: Refusal }>> {
  const found: string[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MOST_FILES) return;
      const own = join(path, entry.name);
      // Links to files are followed; links to folders are not, since they may form cycles.
      if (entry.isFile() || (entry.isSymbolicLink() && (await stat(own).catch(() => null))?.isFile())) found.push(own);
      else if (entry.isDirectory() && depth < DEEPEST) await walk(own, depth + 1);
    }
  };
  try {
    await walk(folder, 0);
  } catch (error) {
    return refuse('unreadable', `${folder}: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
  return ok(found);
}
