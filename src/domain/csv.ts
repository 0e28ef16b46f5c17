const SEPARATORS = [',', ';', '\t'] as const;

/**
 * Separator of a CSV text: the one of comma, semicolon and tab that its first filled line has most of outside quotes;
 * comma where it has none. Spreadsheets write semicolons where the comma is the decimal sign.
 */
export function csvSeparator(text: string): string {
  const [line = ''] = /[^\r\n]*\S[^\r\n]*/.exec(text) ?? [];
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).separator;
}
