import type { Measured } from './sets.ts';

/** An AUC with its interval, formatted for a table. */
export function shown(measured: Measured | undefined): string {
  return measured === undefined
    ? '-'
    : `${three(measured.auc)} (${three(measured.interval.low)}-${three(measured.interval.high)})`;
}

/** A difference of AUCs with its interval. */
export function difference(measured: Measured | undefined): string {
  return measured === undefined
    ? ''
    : `${signed(measured.auc)}: ${signed(measured.interval.low)} to ${signed(measured.interval.high)}`;
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${three(value)}`;
}

export function three(value: number | undefined): string {
  return (value ?? Number.NaN).toFixed(3);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
