/** A table of a report, before it becomes Markdown or HTML. Cells are plain text; outside text is not yet escaped. */
export interface ReportTable {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
