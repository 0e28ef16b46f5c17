import Type from 'typebox';
import { EXPORT_FORMATS } from '../../exports/types.ts';

export const ExportQuery = Type.Object({
  date: Type.Optional(
    Type.String({ format: 'date', description: 'UTC day as YYYY-MM-DD; default: the newest complete day.' }),
  ),
  format: Type.Optional(
    Type.String({
      enum: [...EXPORT_FORMATS],
      description: 'Form of the file; without it `Accept` decides, else a JSON array.',
    }),
  ),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 9_999,
      description: 'A whole number from 1: which revision of a restated day; default: the newest.',
    }),
  ),
});

export const Manifest = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String(),
      revision: Type.Optional(Type.Integer({ description: '1, and one more with each restatement; without it: 1.' })),
      rows: Type.Integer(),
      published_at: Type.String(),
      files: Type.Array(
        Type.Object({
          format: Type.String(),
          encoding: Type.String(),
          name: Type.String(),
          bytes: Type.Integer(),
          sha256: Type.String({ description: 'Hex, of the bytes of this file.' }),
        }),
      ),
      restates: Type.Union(
        [
          Type.Null(),
          Type.Object({
            sha256: Type.String({ description: 'Of the JSON file (encoding identity) that this set stands in for.' }),
            reason: Type.String(),
          }),
        ],
        { description: 'Set on a corrected day; the older set stays readable by `?revision=`.' },
      ),
      signature: Type.Object(
        { algorithm: Type.Literal('Ed25519'), key_id: Type.String(), value: Type.String() },
        { description: 'Over the canonical JSON (RFC 8785) of the entry without this member.' },
      ),
    }),
  ),
  next_cursor: Type.Null(),
  data_mode: Type.String(),
});
