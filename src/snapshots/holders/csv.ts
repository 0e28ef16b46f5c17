import type { KeyForm } from './balance-table.ts';
import { type BalanceTable, tableFromSums } from './balance-table.ts';

/** Why a file of holders cannot be read. */
export interface CsvFault {
  readonly line: number;
  readonly detail: string;
}

const LONGEST_LINE = 4_096;

/**
 * Reads `address,amount` lines (RFC 4180 quoting, LF or CRLF, header or not; further columns are left alone) as they come.
 * Amounts are base units, or whole tokens with a decimal point when `decimals` is given. An address that comes twice is
 * added up.
 */
export async function readHolderCsv(
  chunks: AsyncIterable<Uint8Array>,
  form: KeyForm,
  decimals: number | null,
): Promise<
  { readonly ok: true; readonly table: BalanceTable; readonly lines: number } | ({ readonly ok: false } & CsvFault)
> {
  const sums = new Map<string, bigint>();
  const decoder = new TextDecoder('utf-8', { fatal: false });
  let rest = '';
  let lines = 0;
  let fault: CsvFault | null = null;
  const take = (line: string) => {
    lines += 1;
    if (fault !== null || line.trim() === '') return;
    const cells = cellsOf(line);
    const [address = '', amount = ''] = cells.map((cell) => cell.trim());
    if (lines === 1 && cells.length >= 2 && !/^[-+]?\d/.test(amount)) return;
    const balance = amountOf(amount, decimals);
    if (address === '' || cells.length < 2) fault = { line: lines, detail: 'expected address,amount' };
    else if (balance === null)
      fault = {
        line: lines,
        detail:
          decimals === null
            ? `expected a whole number of base units, got ${JSON.stringify(amount.slice(0, 60))} (or give --decimals)`
            : `expected a number with at most ${decimals} decimals, got ${JSON.stringify(amount.slice(0, 60))}`,
      };
    else sums.set(address, (sums.get(address) ?? 0n) + balance);
  };
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const parts = rest.split(/\r?\n/);
    rest = parts.pop() ?? '';
    for (const line of parts) take(line);
    if (rest.length > LONGEST_LINE)
      return { ok: false, line: lines + 1, detail: `longer than ${LONGEST_LINE} characters` };
    if (fault !== null) return { ok: false, ...(fault as CsvFault) };
  }
  if (rest !== '') take(rest);
  if (fault !== null) return { ok: false, ...(fault as CsvFault) };
  try {
    return { ok: true, table: tableFromSums(form, sums), lines };
  } catch (error) {
    return { ok: false, line: 0, detail: error instanceof Error ? error.message : 'cannot be read' };
  }
}

function cellsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(/[,;\t]/);
  return [...line.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '',
  );
}

/** Exact: no amount goes through a floating-point number. */
function amountOf(text: string, decimals: number | null): bigint | null {
  const match = /^\+?(\d{1,78})(?:\.(\d{1,255}))?$/.exec(text);
  if (!match) return null;
  const [, whole = '0', fraction = ''] = match;
  if (decimals === null) return fraction === '' ? BigInt(whole) : null;
  if (fraction.length > decimals) return null;
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
}
