import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { csvLine, saveFile } from '../data/save-file.ts';
import { many as howMany } from '../format.ts';
import { Button } from './button.tsx';
import { Choices } from './choices.tsx';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Value for sorting and export; without it the column cannot be sorted. Null sorts last. */
  readonly value?: (row: Row) => string | number | null | undefined;
  /** Value for export where the column cannot be sorted. */
  readonly csv?: (row: Row) => string | number | null | undefined;
  /** Numbers are right-aligned. */
  readonly number?: boolean;
  /** Shown only when selected. */
  readonly extra?: boolean;
  /** Not shown below 640 px, where a row has no space for it. Never for severe flags. */
  readonly wide?: boolean;
  /** CSS width of the column. */
  readonly width?: string;
}

/** A field shown unchanged. */
export const asIs = (value: ReactNode): ReactNode => value;

/** Makes columns of one field each: shown by `show`, sorted and exported by value; `unsorted`: exported only. */
export function columnsOf<Row>() {
  return <Id extends keyof Row & string>(
    id: Id,
    title: string,
    show: (value: Row[Id]) => ReactNode,
    {
      unsorted = false,
      ...more
    }: Pick<Partial<Column<Row>>, 'number' | 'wide' | 'extra' | 'width'> & {
      readonly unsorted?: boolean;
    } = {},
  ): Column<Row> => {
    const given = (row: Row) => {
      const value: unknown = row[id];
      return typeof value === 'string' || typeof value === 'number' ? value : null;
    };
    return { id, title, cell: (row) => show(row[id]), ...(unsorted ? { csv: given } : { value: given }), ...more };
  };
}

/** A column whose cells `cell` makes of a whole row; its id is its title. */
export function columnBy<Row>(
  title: string,
  cell: Column<Row>['cell'],
  more: Omit<Partial<Column<Row>>, 'title' | 'cell'> = {},
): Column<Row> {
  return { id: title.toLowerCase().replaceAll(/\W+/g, '-'), title, cell, ...more };
}

export const NUMBER = { number: true } as const;
export const WIDE = { wide: true } as const;

export interface Sort {
  readonly id: string;
  readonly desc: boolean;
}

export interface TableProps<Row extends RowData> {
  /** Names the table for screen readers, its file and the stored choice of columns. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown in place of an empty table. */
  readonly none?: ReactNode;
  readonly sort?: Sort;
  /** Given if the order is in the address, or is the service's (`sorted`). */
  readonly onSort?: (sort: Sort) => void;
  readonly sorted?: boolean;
  readonly selected?: readonly string[];
  readonly onSelect?: (keys: readonly string[]) => void;
  /** Enter or a click on a row. */
  readonly onOpen?: (row: Row) => void;
  /** A frame that scrolls by itself, drawing only the rows in view: for thousands of rows. */
  readonly tall?: boolean;
  readonly onEnd?: () => void;
  /** Left of the buttons for columns and export; `tools: false` hides both. */
  readonly tools?: ReactNode | false;
}

const FEATURES = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

const ROW_HEIGHT = 28;
const estimateSize = () => ROW_HEIGHT;
const NONE: never[] = [];

/** Rows with sorting, a choice of columns, selection, export of the visible ones; J and K move, X selects, Enter opens. */
export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { name, columns, rows, keyOf, selected, onSelect, onOpen, tall = false, tools } = props;
  const [ownSort, setOwnSort] = useState(props.sort);
  const sort = props.onSort ? props.sort : ownSort;
  const [shown, setShown] = useColumns(name, columns);
  const defs = useMemo(() => {
    const helper = createColumnHelper<typeof FEATURES, Row>();
    return helper.columns(
      columns.map((column) =>
        helper.accessor((row) => column.value?.(row) ?? undefined, {
          id: column.id,
          enableSorting: column.value !== undefined,
          sortFn: 'basic',
          sortUndefined: 'last',
          sortDescFirst: column.number === true,
        }),
      ),
    );
  }, [columns]);
  const table = useTable({
    features: FEATURES,
    columns: defs,
    data: props.sorted ? NONE : (rows as Row[]),
    getRowId: keyOf,
    manualSorting: props.sorted === true,
    enableSortingRemoval: false,
    state: {
      sorting: sort ? [{ ...sort }] : [],
      columnVisibility: shown,
      rowSelection: Object.fromEntries((selected ?? []).map((key) => [key, true])),
    },
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(sort ? [{ ...sort }] : []) : update;
      if (next) (props.onSort ?? setOwnSort)(next);
    },
  });
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  // The service's order needs no model: a hundred thousand rows would each become an object at every page that is read.
  const model = props.sorted ? null : table.getRowModel().rows;
  const many = rows.length;
  const rowAt = (index: number): Row | undefined => (model ? model[index]?.original : rows[index]);
  const visible = table.getVisibleLeafColumns().flatMap(({ id }) => byId.get(id) ?? []);
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: many,
    enabled: tall,
    getScrollElement: () => frame.current,
    // All rows have one height, so the place of a row is its number: a new function would make all places be computed again.
    estimateSize,
    overscan: 12,
    onChange: (instance) => {
      const last = instance.getVirtualItems().at(-1)?.index ?? 0;
      if (many > 0 && last >= many - 20) props.onEnd?.();
    },
  });
  const items = tall ? virtual.getVirtualItems() : [];
  const drawn = tall ? items.map(({ index }) => index) : rows.map((_, index) => index);
  const before = items[0]?.start ?? 0;
  const after = tall ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const toggle = (key: string) =>
    onSelect?.(selected?.includes(key) ? selected.filter((one) => one !== key) : [...(selected ?? []), key]);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      /INPUT|SELECT|TEXTAREA/.test((event.target as Element).tagName)
    )
      return;
    const here = (event.target as Element).closest('tr[data-index]');
    const index = here ? Number(here.getAttribute('data-index')) : -1;
    const row = rowAt(index);
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = Math.min(many - 1, Math.max(0, index + step));
      if (tall) virtual.scrollToIndex(next);
      const go = () => frame.current?.querySelector<HTMLElement>(`tr[data-index="${next}"]`)?.focus();
      requestAnimationFrame(go);
    } else if (event.key === 'x' && row) toggle(keyOf(row));
    else if (event.key === 'Enter' && row && event.target === here) onOpen?.(row);
    else return;
    event.preventDefault();
  };
  const save = () => {
    const all = model?.map(({ original }) => original) ?? rows;
    const lines = all.map((row) => csvLine(visible.map(({ value, csv }) => (csv ?? value)?.(row))));
    saveFile(
      csvLine(visible.map(({ title }) => title)) + lines.join(''),
      `${name.toLowerCase().replaceAll(' ', '-')}.csv`,
    );
  };
  if (many === 0 && props.none) return <div className="empty">{props.none}</div>;
  return (
    <>
      {tools !== false && (
        <div className="table-tools">
          {tools}
          <ColumnChoice columns={columns} shown={shown} onChange={setShown} />
          <Button onClick={save} disabled={many === 0}>
            <Icon name="save" /> Export {howMany(many, 'row')}
          </Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={frame} className={tall ? 'rows tall' : 'rows'} aria-label={name} tabIndex={0} onKeyDown={onKey}>
        <table aria-rowcount={many + 1}>
          <caption className="vh">{name}</caption>
          <thead>
            <tr>
              {onSelect && (
                <th scope="col" className="pick">
                  <span className="vh">Selected</span>
                </th>
              )}
              {visible.map((column) => (
                <Head
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={() => table.getColumn(column.id)?.toggleSorting()}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Gap height={before} />}
            {drawn.map((index) => {
              const row = rowAt(index);
              if (row === undefined) return null;
              const key = keyOf(row);
              const isSelected = selected?.includes(key);
              return (
                <tr
                  key={key}
                  data-index={index}
                  aria-rowindex={index + 2}
                  tabIndex={onOpen || onSelect ? -1 : undefined}
                  aria-selected={isSelected}
                  onClick={(event) => {
                    if (!(event.target as Element).closest('a, button, input, label')) onOpen?.(row);
                  }}
                >
                  {onSelect && (
                    <td className="pick">
                      <input
                        type="checkbox"
                        checked={isSelected === true}
                        onChange={() => toggle(key)}
                        aria-label={`Select row ${index + 1}`}
                      />
                    </td>
                  )}
                  {visible.map((column) => (
                    <td key={column.id} className={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
            {after > 0 && <Gap height={after} />}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Space of the rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  return (
    <tr>
      <td className="gap" colSpan={99} style={{ height }} />
    </tr>
  );
}

function classOf({ id, number, wide }: Pick<Column<never>, 'id' | 'number' | 'wide'>): string {
  return `c-${id}${number ? ' r' : ''}${wide ? ' wide' : ''}`;
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: () => void;
}) {
  const here = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined;
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={here}
      style={column.width ? { width: column.width } : undefined}
    >
      {column.value ? (
        <Button className="sort" onClick={onSort}>
          {column.title}
          {here && <Icon name={here === 'descending' ? 'down' : 'up'} />}
        </Button>
      ) : (
        column.title
      )}
    </th>
  );
}

function ColumnChoice<Row>({
  columns,
  shown,
  onChange,
}: {
  readonly columns: readonly Column<Row>[];
  readonly shown: Record<string, boolean>;
  readonly onChange: (shown: Record<string, boolean>) => void;
}) {
  const many = columns.filter(({ id }) => shown[id] !== false).length;
  return (
    <Popover
      title="Columns"
      label={
        <>
          <Icon name="columns" /> Columns {many} of {columns.length}
        </>
      }
    >
      <Choices
        legend="Columns"
        className="choices"
        words={columns.map(({ id }) => id)}
        say={(id) => columns.find((one) => one.id === id)?.title}
        isOn={(id) => shown[id] !== false}
        isFixed={(id) => many === 1 && shown[id] !== false}
        onTick={(id, isOn) => onChange({ ...shown, [id]: isOn })}
      />
    </Popover>
  );
}

/**
 * Shown columns, from the choice stored in this browser: unknown ids are left out, known ones stay as
 * chosen, and new columns have their default. If only removed columns were chosen, all have their default.
 */
function columnsShown<Row>(columns: readonly Column<Row>[], kept: unknown): Record<string, boolean> {
  const chosen = new Map<string, unknown>(typeof kept === 'object' && kept !== null ? Object.entries(kept) : []);
  const usual = columns.map(({ id, extra }) => [id, extra !== true] as const);
  const shown = usual.map(([id, isUsual]) => {
    const one = chosen.get(id);
    return [id, typeof one === 'boolean' ? one : isUsual] as const;
  });
  return Object.fromEntries(shown.some(([, isShown]) => isShown) ? shown : usual);
}

/** Shown columns: stored in this browser under the table's name. */
function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const place = `assay-columns ${name}`;
  const [shown, setShown] = useState<Record<string, boolean>>(() => {
    try {
      return columnsShown(columns, JSON.parse(localStorage.getItem(place) ?? 'null'));
    } catch {
      return columnsShown(columns, null);
    }
  });
  return [
    shown,
    (next: Record<string, boolean>) => {
      localStorage.setItem(place, JSON.stringify(next));
      setShown(next);
    },
  ] as const;
}
