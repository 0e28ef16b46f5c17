/** Offers a file to the user for saving. */
export function saveFile(content: Blob | string, fileName: string, type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** One line of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula is quoted as text. */
export function csvLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  const quoted = cells.map((cell) => {
    const text = cell === null || cell === undefined ? '' : String(cell);
    const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${quoted.join(',')}\r\n`;
}
