import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Loaded } from './problem.tsx';
import { Table, type TableProps } from './table.tsx';

/** A query of rows; `useList` reads them in pages. */
interface RowsQuery<Row> {
  readonly data: readonly Row[] | { readonly data: readonly Row[] } | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

/** The table of a query: loading, refused, empty (`none` states why and what to do), or the rows and a button for more. */
export function Rows<Row extends RowData>({
  of,
  what,
  ...table
}: Omit<TableProps<Row>, 'rows'> & {
  readonly of: RowsQuery<Row>;
  /** The data being read, such as "the alerts". */
  readonly what: string;
  readonly none?: ReactNode;
}) {
  return (
    <Loaded query={of} what={what}>
      {(value) => (
        <>
          <Table {...table} rows={'data' in value ? value.data : value} />
          {of.hasNextPage && (
            <p className="actions below">
              <Button disabled={of.isFetchingNextPage} onClick={of.fetchNextPage}>
                {of.isFetchingNextPage ? 'Reading …' : 'Read more'}
              </Button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
