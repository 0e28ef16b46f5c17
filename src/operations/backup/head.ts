import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { BackupHead, FilePart, PartEnd, TablePart } from './types.ts';

/** A backup may come from anywhere: nothing in it becomes SQL or a path before it has this form. */
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Head = Compile(
  Type.Object({
    format: Type.Literal(1),
    version: Type.String({ maxLength: 100 }),
    dataMode: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
    createdAt: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]{8,16}Z$' }),
    migration: Type.String({ pattern: '^\\d{4}-[a-z0-9-]{1,80}$' }),
    days: Type.Record(Name, Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), { maxItems: 100_000 })),
    sequences: Type.Record(
      Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}\\.[a-z_][a-z0-9_]{0,62}$' }),
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    ),
  }),
);
const Table = Compile(Type.Object({ name: Name, columns: Type.Array(Name, { minItems: 1, maxItems: 1_600 }) }));
const File = Compile(
  Type.Object({
    path: Type.String({ pattern: '^[a-z0-9-]+/\\d{4}-\\d{2}-\\d{2}(\\.r\\d+)?/[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}$' }),
  }),
);
const End = Compile(
  Type.Object({
    bytes: Count,
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    rows: Type.Union([Count, Type.Null()]),
  }),
);
const Last = Compile(Type.Object({ tables: Count, files: Count }));

const reader =
  <Value>(validator: { Check(value: unknown): boolean }) =>
  (payload: Uint8Array): Value | null => {
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
      return validator.Check(value) ? (value as Value) : null;
    } catch {
      return null;
    }
  };

/** Each null when the payload is not what the frame's kind promises. */
export const readHeadFrame = reader<BackupHead>(Head);
export const readTableFrame = reader<TablePart>(Table);
export const readFileFrame = reader<FilePart>(File);
export const readEndFrame = reader<PartEnd>(End);
export const readLastFrame = reader<{ readonly tables: number; readonly files: number }>(Last);
