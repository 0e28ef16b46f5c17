import type { Section } from './fact-page.ts';

const LONGEST = 60;

/** A label and a number that stand in blocks of their own, as cards and tables of `div`s have them. */
export interface Pair {
  readonly label: string;
  readonly number: string;
}

/**
 * Pairs of neighbouring short blocks in which one is a label and the other a number. Which of the two comes first is told by the
 * first of them: a page keeps to one order.
 */
export function sideBySide(
  section: Section,
  isLabel: (text: string) => boolean,
  isNumber: (text: string) => boolean,
): readonly Pair[] {
  const rows = section.blocks
    .filter((block) => block.text.length <= LONGEST)
    .map(({ text }) => ({ text, kind: isNumber(text) ? 'number' : isLabel(text) ? 'label' : 'other' }));
  const first = rows.find((row) => row.kind !== 'other')?.kind;
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    if (next === undefined || row.kind !== first || next.kind === 'other' || next.kind === row.kind) return [];
    return [first === 'label' ? { label: row.text, number: next.text } : { label: next.text, number: row.text }];
  });
}
