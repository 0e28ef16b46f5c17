import type { ReactNode } from 'react';

export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => ReactNode;
  /** Numbers stand at the right, so that their digits line up. */
  readonly number?: boolean;
}

/** A plain table that scrolls sideways in its own frame. */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T, index: number) => string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={caption}>
      <table className={isWide(columns) ? 'stacks' : undefined}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number }) => (
              <th key={title} scope="col" className={number ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ title, of, number }) => (
                <td key={title} className={number ? 'number' : undefined} data-title={title}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A row that does not fit a phone abreast is read there from top to bottom. */
function isWide(columns: readonly { readonly number?: boolean }[]): boolean {
  const texts = columns.filter(({ number }) => !number).length;
  return columns.length > 4 || (columns.length === 4 && texts > 1);
}
