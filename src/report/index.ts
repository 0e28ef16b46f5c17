/** The committee report: two pages from one rating's record, as HTML or Markdown, with its receipts. Pure. */
export { committeeReport, type ReportContext } from './committee.ts';
export type { CommitteeReport } from './document.ts';
export { htmlOf } from './html.ts';
export { markdownOf } from './markdown.ts';
