/** The filled lines of a CSV text (RFC 4180, without breaks in cells), with their numbers in the file. */
export function readCsv(text: string): readonly { readonly number: number; readonly cells: readonly string[] }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some(Boolean));
}

/** The cells of a line; quotes hold commas, two quotes are one. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    (quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')).trim(),
  );
}
