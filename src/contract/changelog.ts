import Type from 'typebox';
import { DataMode } from './vocabulary.ts';

/** JSON Feed 1.1 of the changes of the service; `_assay` is an extension, as the format allows. */
export const ChangelogFeed = Type.Object(
  {
    version: Type.Literal('https://jsonfeed.org/version/1.1', { description: 'Version of the format.' }),
    title: Type.String({ description: 'Title of the feed.' }),
    description: Type.String({ description: 'What it is about.' }),
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Stays the same: `assay/<version>`.' }),
        title: Type.String({ description: 'The version, with `unreleased` while it changes.' }),
        content_text: Type.String({ description: 'What changed, as Markdown.' }),
        date_published: Type.Optional(
          Type.String({ description: 'RFC 3339, UTC; left out while the version is not released.' }),
        ),
      }),
      { description: 'A version each, the newest first.' },
    ),
    data_mode: DataMode,
  },
  { title: 'ChangelogFeed', description: 'Changes that users see, by version.' },
);
