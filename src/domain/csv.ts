const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The separator of a CSV text: comma, semicolon or tab, whichever occurs most often outside quotes in the first
 * non-empty line; comma if none occurs. Spreadsheets write semicolons in locales with a decimal comma.
 */
export function csvSeparator(text: string): string {
  const [line = ''] = /[^\r\n]*\S[^\r\n]*/.exec(text) ?? [];
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).separator;
}
