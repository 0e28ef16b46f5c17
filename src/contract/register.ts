import Type from 'typebox';
import { count, DataMode, list, nextCursor, noCursor, nullableText, oneOf } from './vocabulary.ts';

export const ROW_STATES = ['confirmed', 'unconfirmed', 'expired'] as const;
const ABOUT_STATE =
  '`confirmed`: a source that was read proves every cell and two people reviewed the row; `unconfirmed`: not so; `expired`: it has to be checked again.';
export const rowState = oneOf(ABOUT_STATE, ROW_STATES);
export const cellState = oneOf(
  '`proven`: a source that was read states it; `unconfirmed`: none that was read, so it counts less and never as supervised; `expired`: it has to be checked again.',
  ['proven', 'unconfirmed', 'expired'],
);
const ofDay = (text: string) => nullableText(`${text} YYYY-MM-DD.`);

export const RegisterView = Type.Object(
  {
    name: Type.String({ description: 'Name of the register.', examples: ['issuers'] }),
    about: Type.String({ description: 'What a row is about.' }),
    rows: count('Rows, the operator’s own included.'),
    confirmed: count('Rows that two people reviewed and whose every cell is proven.'),
    unconfirmed: count('Rows that are not confirmed.'),
    expired: count('Rows that have to be looked at again.'),
    own: count('Rows of the operator of this service.'),
    oldest_expiry: ofDay('Earliest day by which a cell has to be checked again; null: of none.'),
    href: Type.String({ description: 'Where its rows are read.' }),
    schema_href: Type.String({ description: 'Where the JSON Schema of its file is read.' }),
  },
  { title: 'Register', description: 'A kept register: facts that no API states, each row with its source.' },
);
export const RegisterList = Type.Object(
  { data: Type.Array(RegisterView, { description: 'In a fixed order.' }), next_cursor: noCursor, data_mode: DataMode },
  { description: 'The kept registers.' },
);

const Source = Type.Object({
  key: Type.String({ description: 'Name of the source in this row.' }),
  url: Type.String({ description: 'Where it was read, or a description.' }),
  licence: Type.String({ description: 'On what terms it is used.' }),
  read_on: ofDay('The day of what was read; null: not read yet.'),
});
const Cell = Type.Object({
  name: Type.String({ description: 'Name of the cell.' }),
  value: Type.Unknown({ description: 'As the schema of the register describes it.' }),
  state: cellState,
  expires: ofDay('When it has to be checked again; null: of a row that is not kept by days.'),
  sources: list('Keys of `sources` that it rests on; of a proven cell those that were read.'),
  read_on: nullableText('The day of what was read, or of the last check of the row. YYYY-MM-DD.'),
});
export const RegisterRowView = Type.Object(
  {
    id: Type.String({ description: 'Id of the row in its register; of a label chain and address.' }),
    name: nullableText('What it is about.'),
    symbol: nullableText('Ticker, where it is an asset.'),
    state: rowState,
    own: Type.Boolean({ description: 'The operator’s own row; else one that this version ships.' }),
    assets: list('CAIP-19 ids of the assets that it is about.'),
    read_on: Type.String({ description: 'When the row was last checked, YYYY-MM-DD.' }),
    expires: ofDay('When the row has to be checked again; null: it is not kept by days.'),
    reviewers: list('Who reviewed it; two make it reviewed.'),
    reviewed: Type.Boolean({ description: 'Two people reviewed it.' }),
    sources: Type.Array(Source, { description: 'What the row was read from.' }),
    cells: Type.Array(Cell, { description: 'The cells of the row, each with its state.' }),
    note: nullableText('Further remarks about the row.'),
  },
  { title: 'RegisterRow', description: 'A row of a kept register, with the provenance of each cell.' },
);
export const RegisterRows = Type.Object(
  {
    register: Type.String({ description: 'Name of the register.' }),
    data: Type.Array(RegisterRowView, { description: 'By id; the operator’s own after the shipped one.' }),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of rows of a register.' },
);
/** A row that was used in a rating. */
export const CitedRow = Type.Object(
  {
    register: Type.String({ description: 'Name of the register.', examples: ['issuers'] }),
    id: Type.String({ description: 'Id of the row in it.' }),
    name: nullableText('What it is about.'),
    own: Type.Boolean({ description: 'The operator’s own row; else one that a version ships.' }),
    state: rowState,
    reviewed: Type.Boolean({ description: 'Two people reviewed it.' }),
    read_on: ofDay('When the row was last checked; null: of no day.'),
    expires: ofDay('When it has to be checked again; null: it is not kept by days.'),
    sources: Type.Array(
      Type.Object({
        url: Type.String({ description: 'Where it was read, or a description.' }),
        licence: nullableText('On what terms it is used.'),
        read_on: ofDay('The day of what was read; null: not read yet.'),
      }),
      { description: 'What the row was read from.' },
    ),
    decided: Type.Array(
      Type.Object({
        quantity: Type.String({ description: 'A quantity that the row states and that counted, or `class`.' }),
        cell: nullableText('The cell of the row; null: the row as a whole.'),
        state: cellState,
        expires: ofDay('When the cell has to be checked again; null: it is not kept by days.'),
      }),
      { description: 'What it decided; empty: nothing that counted.' },
    ),
  },
  { title: 'CitedRegisterRow', description: 'A row of a kept register behind a rating, as it was when that was made.' },
);
export const RegisterSchemaData = Type.Unknown({
  description: 'JSON Schema of the file of the register: `updated`, `sources` by key, and `rows`.',
});
