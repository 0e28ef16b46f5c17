/**
 * The filled lines of a CSV text (RFC 4180, without breaks in cells), with their numbers in the file. Columns are separated by commas,
 * or by semicolons or tabs, as spreadsheets of other languages write them.
 */
export function readCsv(text: string): readonly { readonly number: number; readonly cells: readonly string[] }[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const separator = separatorOf(lines.find((line) => line.trim() !== '') ?? '');
  return lines
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line, separator) }))
    .filter(({ cells }) => cells.some(Boolean));
}

/** What spreadsheets call the column of the asset; the service reads them as `asset` too. */
export const ASSET_NAMES: readonly string[] = ['asset', 'assets', 'symbol', 'ticker', 'address', 'contract'];

/** The separator that the first line has most of outside quotes; the service reads CSV by the same rule. */
function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => [separator, bare.split(separator).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** The cells of a line; quotes hold separators, two quotes are one. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cells = new RegExp(`${separator}(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g');
  return [...`${separator}${line}`.matchAll(cells)].map(([, quoted, plain]) =>
    (quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')).trim(),
  );
}
