import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column } from './rows.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Rows whose values are kept in memory until they are written as one row group. */
const GROUP_ROWS = 2_000;

export interface ParquetFile<Row> {
  /** Bytes to append to the file; often none. */
  row(row: Row): Uint8Array | null;
  /** The last group and the footer. */
  end(): Uint8Array;
}

/** Apache Parquet, ZSTD, one row group per 2,000 rows; every column optional. */
export function parquetFile<Row>(columns: readonly Column<Row>[]): ParquetFile<Row> {
  const writer = new ByteWriter(1 << 20);
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap((column) => elementsOf(column)),
  ];
  const parquet = new ParquetWriter({
    writer,
    schema,
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    createdBy: 'assay',
  });
  // Values instead of rows, because a row contains whole snapshots.
  let values: unknown[][] = columns.map(() => []);
  let rows = 0;
  const take = (): Uint8Array => {
    const bytes = Uint8Array.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  const group = () => {
    void parquet.write({
      columnData: columns.map((column, index) => ({
        name: column.name,
        data: values[index] ?? [],
        offsetIndex: false,
      })),
      rowGroupSize: GROUP_ROWS,
      dictionarySize: 32_768,
    });
    values = columns.map(() => []);
    rows = 0;
  };
  return {
    row(row) {
      for (const [index, column] of columns.entries()) values[index]?.push(parquetValue(column, row));
      rows += 1;
      if (rows < GROUP_ROWS) return null;
      group();
      return take();
    },
    end() {
      if (rows > 0) group();
      void parquet.finish();
      return take();
    },
  };
}

function elementsOf<Row>(column: Column<Row>): readonly SchemaElement[] {
  if (column.type !== 'list') return [elementOf(column.name, column.type)];
  return [
    {
      name: column.name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    elementOf('element', 'text'),
  ];
}

function elementOf(name: string, type: Column<unknown>['type']): SchemaElement {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (type === 'number') return { ...optional, type: 'DOUBLE' };
  if (type === 'integer') return { ...optional, type: 'INT64' };
  if (type === 'boolean') return { ...optional, type: 'BOOLEAN' };
  if (type === 'time')
    return {
      ...optional,
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      converted_type: 'TIMESTAMP_MILLIS',
    };
  return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
}

function parquetValue<Row>(column: Column<Row>, row: Row): unknown {
  const value = column.value(row);
  if (value === null) return null;
  if (column.type === 'time') return new Date(String(value));
  if (column.type === 'integer') return BigInt(Number(value));
  return value;
}
