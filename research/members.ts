import type { Result } from '../src/domain/index.ts';
import { DAY_MS, ok } from '../src/domain/index.ts';
import { DATES_READ } from './cell-forms.ts';
import {
  type ColumnRule,
  type ColumnUse,
  type Condition,
  type Mapping,
  type Member,
  type Refusal,
  refuse,
  ruleColumns,
  type Table,
} from './mapping.ts';
import { fits, quoted, readerOf, timeOf } from './table.ts';

export interface Members {
  readonly members: readonly Member[];
  readonly uses: readonly ColumnUse[];
  /**
   * Rows that are between two sampled times, that a condition excludes, or whose outcome is neither failure nor
   * survival.
   */
  readonly leftOut: number;
  /** The rows of the members, in order. */
  readonly rows: Table['rows'];
}

/** Converts the rows of a table to members: outcome, groups, times, features and quantities by the mapping. */
export function membersOf(table: Table, mapping: Mapping): Result<Members, { refusal: Refusal }> {
  const absent = columnsOf(mapping).filter((column) => !table.columns.includes(column));
  if (absent.length > 0)
    return refuse(
      'missing_columns',
      `${table.files[0]?.name}: there is no column ${absent.map(quoted).join(', ')}; there are ${table.columns.map(quoted).join(', ')}`,
    );
  const cellOf = cellsBy(table, mapping);
  const named = (['features', 'quantities'] as const).flatMap((kind) =>
    Object.entries(mapping[kind]).map(([id, rule]) => ({ id, rule, kind })),
  );
  const readers: (ReturnType<typeof readerOf> & { readonly others: ReadonlySet<string> | null })[] = [];
  for (const { id, rule, kind } of named) {
    const others = cellsAmong(table, rule, cellOf);
    if (!others.ok) return others;
    readers.push({ ...readerOf(id, rule, kind, mapping.number), others: others.value });
  }
  const members: Member[] = [];
  const kept: Table['rows'][number][] = [];
  const seen = new Map<string, number>();
  const lastAt = new Map<string, number>();
  let leftOut = 0;
  for (const row of table.rows) {
    const where = `${row.file}: line ${row.line}`;
    const wanted = wantedRow(row, where, mapping, cellOf);
    if (!wanted.ok) return wanted;
    if (!wanted.value) {
      leftOut += 1;
      continue;
    }
    const frame = frameOf(row, where, mapping, cellOf);
    if (!frame.ok) return frame;
    const { id, startedAt } = frame.value;
    const ofPanel = mapping.outcome === null && startedAt !== null;
    const key = ofPanel ? `${id}\n${startedAt}` : id;
    const before = seen.get(key);
    if (before !== undefined)
      return refuse('duplicate_id', `${where}: ${quoted(id)} was already on line ${before}; an asset counts once`);
    seen.set(key, row.line);
    if (ofPanel && startedAt < (lastAt.get(id) ?? Number.NEGATIVE_INFINITY) + mapping.everyDays * DAY_MS) {
      leftOut += 1;
      continue;
    }
    if (ofPanel) lastAt.set(id, startedAt);
    const values = { features: {} as Record<string, number | string>, quantities: {} as Member['quantities'] };
    for (const reader of readers) {
      const own = cellOf(row.cells, reader.column);
      const cell = reader.others === null || own === '' ? own : reader.others.has(own) ? 'yes' : 'no';
      const added = reader.plus.map((column) => cellOf(row.cells, column));
      const per = reader.per === null ? null : cellOf(row.cells, reader.per);
      const read = reader.read(added.includes('') || per === '' ? '' : cell, added, startedAt, per);
      if (read.fault !== null) return refuse(read.fault, `${where}: ${quoted(reader.column ?? '')} ${read.detail}`);
      if (read.value !== null) Object.assign(values[reader.kind], { [reader.id]: read.value });
    }
    members.push({ ...frame.value.member, ...values });
    kept.push(row);
  }
  const uses = readers.map((reader) => reader.use());
  const wrong = wrongMix(members, uses, mapping);
  return wrong ?? ok({ members, uses, leftOut, rows: kept });
}

/** Cells of a rule's column in the rows that it is compared with; null if there are none. */
function cellsAmong(
  table: Table,
  { column, among }: ColumnRule,
  cellOf: ReturnType<typeof cellsBy>,
): Result<ReadonlySet<string> | null, { refusal: Refusal }> {
  if (among === undefined) return ok(null);
  const found = new Set<string>();
  for (const row of table.rows) {
    let isOne = true;
    for (const condition of among) {
      const meets = fitsRow(row.cells, condition, `${row.file}: line ${row.line}`, cellOf);
      if (!meets.ok) return meets;
      isOne &&= meets.value;
    }
    if (isOne) found.add(cellOf(row.cells, column ?? null));
  }
  return ok(found);
}

/** True if a row satisfies the conditions of the mapping. */
function wantedRow(
  { cells }: Table['rows'][number],
  where: string,
  mapping: Mapping,
  cellOf: ReturnType<typeof cellsBy>,
): Result<boolean, { refusal: Refusal }> {
  if (mapping.outcome?.leftOut?.includes(cellOf(cells, mapping.outcome.column, true))) return ok(false);
  for (const condition of mapping.where) {
    const found = fitsRow(cells, condition, where, cellOf);
    if (!found.ok || !found.value) return found;
  }
  return ok(true);
}

function fitsRow(
  cells: readonly string[],
  condition: Condition,
  where: string,
  cellOf: ReturnType<typeof cellsBy>,
): Result<boolean, { refusal: Refusal }> {
  const cell = cellOf(cells, condition.column);
  const found = fits(cell, condition);
  return found === null
    ? refuse('not_a_number', `${where}: ${quoted(condition.column)} is ${quoted(cell)}, not a number`)
    : ok(found);
}

/** The class of a row: that of the first condition that it satisfies. */
function classOf(
  cells: readonly string[],
  where: string,
  mapping: Mapping,
  cellOf: ReturnType<typeof cellsBy>,
): Result<Mapping['class'], { refusal: Refusal }> {
  for (const condition of mapping.classBy) {
    const found = fitsRow(cells, condition, where, cellOf);
    if (!found.ok) return found;
    if (found.value) return ok(condition.class);
  }
  return ok(mapping.class);
}

/** Fields of a row besides its features. */
function frameOf(
  { file, line, cells }: Table['rows'][number],
  where: string,
  mapping: Mapping,
  cellOf: ReturnType<typeof cellsBy>,
): Result<
  {
    readonly id: string;
    readonly startedAt: number | null;
    readonly member: Omit<Member, 'features' | 'quantities'>;
  },
  { refusal: Refusal }
> {
  // Read unchanged, because a text that means "not known" in other columns may be a name. A row without an id gets its
  // line number.
  const id = mapping.id === null ? file : cellOf(cells, mapping.id, true) || `line ${line}`;
  const outcome = cellOf(cells, mapping.outcome?.column ?? null);
  const failed = mapping.outcome?.failed.includes(outcome) ?? false;
  if (mapping.outcome !== null && !failed && !mapping.outcome.survived.includes(outcome))
    return refuse(
      'unknown_outcome',
      `${where}: outcome ${quoted(outcome)} is neither failed (${mapping.outcome.failed.join(', ')}) nor survived (${mapping.outcome.survived.join(', ')})${outcomeHint(outcome, mapping)}`,
    );
  const own = classOf(cells, where, mapping, cellOf);
  if (!own.ok) return own;
  const columns = [mapping.featureTime, mapping.outcomeTime];
  const texts = columns.map((column) => cellOf(cells, column));
  const [startedAt = null, outcomeAt = null] = texts.map((text) => (text === '' ? null : timeOf(text)));
  const wrong = [startedAt, outcomeAt].findIndex((time) => Number.isNaN(time));
  if (wrong >= 0)
    return refuse(
      'not_a_date',
      `${where}: ${quoted(columns[wrong] ?? '')} is ${quoted(texts[wrong])}, not a date: ${DATES_READ}`,
    );
  return ok({
    id,
    startedAt,
    member: {
      id,
      group: mapping.group === null ? null : cellOf(cells, mapping.group) || `(alone) ${id}`,
      class: own.value,
      failed,
      featureAt: startedAt === null ? null : startedAt + mapping.featureDelayDays * DAY_MS,
      outcomeAt,
    },
  });
}

/** Suggestion when an outcome differs only in case, or is not informative. */
function outcomeHint(outcome: string, { outcome: rule }: Mapping): string {
  const same = [...(rule?.failed ?? []), ...(rule?.survived ?? [])].find(
    (one) => one.toLowerCase() === outcome.toLowerCase(),
  );
  if (same !== undefined) return `; capital letters count: add ${quoted(outcome)} beside ${quoted(same)}`;
  return `; add it to one of them, or to "leftOut" when it says neither`;
}

/**
 * Reads a cell by the name of its column; a text that means "not known" counts as empty unless the cell is read
 * unchanged.
 */
function cellsBy(table: Table, mapping: Mapping) {
  const at = new Map(table.columns.map((column, index) => [column, index]));
  const empty = new Set(['', ...mapping.missing]);
  return (cells: readonly string[], column: string | null, asItStands = false): string => {
    const cell = column === null ? '' : (cells[at.get(column) ?? -1] ?? '').trim();
    return !asItStands && empty.has(cell) ? '' : cell;
  };
}

function wrongMix(members: readonly Member[], uses: readonly ColumnUse[], mapping: Mapping) {
  const failures = members.filter((member) => member.failed).length;
  if (mapping.outcome !== null && failures === 0)
    return refuse('no_failures', `none of ${members.length} rows failed; without failures nothing can be told apart`);
  if (mapping.outcome !== null && failures === members.length)
    return refuse('no_survivors', `all of ${members.length} rows failed; without survivors nothing can be told apart`);
  return uses.every((use) => use.known === 0 || use.column === '')
    ? refuse('nothing_known', 'every mapped cell is empty: no member can be rated')
    : null;
}

/** Every column that a mapping uses. */
export function columnsOf(mapping: Mapping): readonly string[] {
  const rules = [...Object.values(mapping.features), ...Object.values(mapping.quantities)];
  const conditions = [...mapping.where, ...mapping.classBy].map((row) => row.column);
  const frame = [mapping.id, mapping.outcome?.column, mapping.group, mapping.featureTime, mapping.outcomeTime];
  const named = [...frame, ...conditions];
  return [
    ...new Set([
      ...named,
      ...rules.flatMap((rule) => [...ruleColumns(rule), ...(rule.among ?? []).map((row) => row.column)]),
    ]),
  ].filter((column) => typeof column === 'string');
}
