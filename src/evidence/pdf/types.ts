/** A stretch of text of a page: a heading, or a paragraph whose lines are joined. */
export interface PdfBlock {
  readonly text: string;
  readonly isHeading: boolean;
  /** Height of its letters, points. */
  readonly size: number;
}

/** A document as it is archived and read: what was found, or why nothing was. */
export interface PdfText {
  /** Why it was not read; null when it was. */
  readonly unread: string | null;
  /** Pages of the file; more may be there than were read. */
  readonly pageCount: number;
  readonly pages: readonly { readonly number: number; readonly blocks: readonly PdfBlock[] }[];
}

export interface PdfLimits {
  readonly milliseconds: number;
  /** Of the thread that reads it: heap, and buffers outside of it. */
  readonly mebibytes: number;
  readonly pages: number;
  /** Of all pages together. */
  readonly characters: number;
}
