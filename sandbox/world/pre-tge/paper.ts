import type { PdfLine } from '../../pdf.ts';

const heading = (text: string): readonly PdfLine[] => [{ text: '' }, { text, size: 16 }, { text: '' }];
const lines = (...rows: readonly string[]): readonly PdfLine[] => rows.map((text) => ({ text }));

/** A white paper of three pages, with lines broken where a typesetter would. */
export const NIGHTJAR_PAPER: readonly (readonly PdfLine[])[] = [
  [
    { text: 'Nightjar: streaming for radio', size: 22 },
    ...heading('Abstract'),
    ...lines(
      'Nightjar pays radio stations by the minute. A listener opens a channel with a deposit,',
      'the station signs what was heard, and either side can close the channel with the last',
      'statement that both have signed. We describe the channel, its limits and what happens',
      'when a station goes silent.',
    ),
  ],
  [
    ...heading('The channel'),
    ...lines(
      'A channel has two keys and one deposit. Statements carry a counter, so an older one is',
      'never worth more than a newer one. A closing waits for one day, in which the other side',
      'may show a newer statement.',
    ),
    ...heading('Use of the token'),
    ...lines(
      'The token is used to pay fees of channels and to stake for relays that carry the',
      'statements between stations.',
    ),
  ],
  [
    ...heading('Distribution'),
    ...lines('The total supply is 250,000,000 tokens. The token generation event is planned for', 'October 2027.'),
  ],
];
