import Type, { type TSchema } from 'typebox';
import { AssetView, count, DataMode, noCursor, type Reply, signatureParts, textOf, time } from './vocabulary.ts';

/** File formats of a day. */
export const EXPORT_FORMATS = ['json', 'csv', 'ndjson', 'parquet'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** Compression of a file; `identity` always exists, the others exist for text formats. */
export type ExportEncoding = 'identity' | 'gzip' | 'zstd';

const Published = Type.Object(
  {
    date: Type.String({ description: 'The day, YYYY-MM-DD in UTC.' }),
    revision: Type.Optional(Type.Integer({ description: '1, and one more with each restatement; without it: 1.' })),
    rows: count('Rows of each file.'),
    published_at: time('When it was published.'),
    files: Type.Array(
      Type.Object({
        format: textOf<ExportFormat>('`json`, `csv`, `ndjson` or `parquet`.'),
        encoding: textOf<ExportEncoding>('`identity`, or how the file is packed: `gzip` or `zstd`.'),
        name: Type.String({ description: 'Name of the file.' }),
        bytes: count('Length of this file.'),
        sha256: Type.String({ description: 'Hex, of the bytes of this file.' }),
      }),
      { description: 'The same rows in every form.' },
    ),
    restates: Type.Union(
      [
        Type.Null(),
        Type.Object({
          sha256: Type.String({ description: 'Of the JSON file (encoding identity) that this set stands in for.' }),
          reason: Type.String({ description: 'The reason, as text.' }),
        }),
      ],
      { description: 'Set on a corrected day; the older set stays readable by `?revision=`.' },
    ),
    signature: Type.Object(signatureParts, {
      description: 'Over the canonical JSON (RFC 8785) of the entry without this member.',
    }),
  },
  { title: 'PublishedDay', description: 'The files of one day.' },
);
/** One signed line of `.../daily/manifest`. Paths of the machine never appear in it. */
export type ManifestEntry = Reply<typeof Published>;

export const Manifest = Type.Object(
  {
    data: Type.Array(Published, { description: 'Published days.' }),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { title: 'Manifest', description: 'The days that are published.' },
);

// Fields of rows. A column has the name, the type and the position of its field. Readers of CSV may use positions, so
// new fields are added at the end.

/** A field that may be unknown: null, and an empty cell in CSV. */
export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
/** A time, in Parquet as a TIMESTAMP. */
export const timeField = (description: string) =>
  orNull(Type.String({ format: 'date-time' }), `${description} RFC 3339, UTC.`);
export const integerField = (description: string) => orNull(Type.Integer({ minimum: 0 }), description);

const { id: asset_id, chain, address, symbol, name, category } = AssetView.properties;
/** The first fields of every row. */
export const rowHead = {
  date: Type.String({ description: 'The day, YYYY-MM-DD in UTC.' }),
  asset_id,
  chain,
  address,
  symbol,
  name,
  category,
};
