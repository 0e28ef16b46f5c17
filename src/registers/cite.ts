import type { ConsensusSet, Json } from '../domain/index.ts';
import { REGISTER_OF, type RegisterRows, statedBy } from './observe.ts';
import { type CellState, isReviewed, type RegisterRow, type RowState, stateOfCell, stateOfRow } from './state.ts';
import { registerTerms } from './terms.ts';

/** A row that a rating used, as its archived evidence has it. */
export interface RegisterCitation {
  readonly register: string;
  readonly id: string;
  readonly name: string | null;
  readonly own: boolean;
  readonly state: RowState;
  readonly reviewed: boolean;
  readonly readOn: string | null;
  readonly expires: string | null;
  readonly sources: readonly {
    readonly url: string;
    readonly licence: string | null;
    readonly readOn: string | null;
  }[];
  /**
   * The observations that it decided: an accepted observation of the quantity comes from the cell; the class comes from
   * the whole row (no cell).
   */
  readonly decided: readonly {
    readonly quantity: string;
    readonly cell: string | null;
    readonly state: CellState;
    readonly expires: string | null;
  }[];
}

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : null);

/**
 * The rows of registers in the evidence of a rating of the time `at` (RFC 3339), and what each decided. `classReason`:
 * why the asset is in its class.
 */
export function citedRows(consensus: ConsensusSet, at: string, classReason: string): readonly RegisterCitation[] {
  return (Object.entries(REGISTER_OF) as [keyof RegisterRows, string][]).flatMap(([key, register]) =>
    [false, true].flatMap((own) => {
      const row = consensus[`register_row@register:${register}${own ? ':own' : ''}`]?.value as RegisterRow | undefined;
      if (row === undefined || row === null) return [];
      // A register row is a separate lineage group, since it contains no other source.
      const group = own ? 'operator_register' : 'register';
      const isOfRow = (quantity: string) =>
        consensus[quantity]?.voices.some(({ family, accepted }) => accepted && family === group) ?? false;
      const decided = statedBy(key, row, at, registerTerms()).flatMap(({ quantity, cells }) =>
        isOfRow(quantity)
          ? cells
              .filter((cell) => row[cell] !== undefined)
              .map((cell) => ({ quantity: String(quantity), cell, ...stateOfCell(row, cell, at, registerTerms()) }))
          : [],
      );
      // Rows of positions only define where to read; the value itself comes from nodes.
      const isRead = consensus.backing_risk_adjusted?.voices.some(({ accepted }) => accepted) ?? false;
      const read =
        key === 'positions' && isRead
          ? ['owed', 'markets'].map((cell) => ({
              quantity: 'backing_risk_adjusted',
              cell,
              ...stateOfCell(row, cell, at, registerTerms()),
            }))
          : [];
      const ofClass = classReason.includes(`the register of ${register}`) || isNativeReason(register, classReason);
      const whole = stateOfRow(row, at);
      const asCell = whole === 'confirmed' ? ('proven' as const) : whole;
      const expires = textOf(row.expires);
      return [
        {
          register,
          id: String(row.id ?? ''),
          name: textOf(row.name),
          own,
          state: whole,
          reviewed: isReviewed(row),
          readOn: textOf(row.seen),
          expires,
          sources: (Array.isArray(row.sources) ? row.sources : []).flatMap((one) => {
            const source = (typeof one === 'object' ? one : null) as RegisterRow | null;
            const url = textOf(source?.url);
            return url === null ? [] : [{ url, licence: textOf(source?.licence), readOn: textOf(source?.seen) }];
          }),
          decided: [
            ...(ofClass ? [{ quantity: 'class', cell: null, state: asCell, expires }] : []),
            ...decided,
            ...read,
          ],
        },
      ];
    }),
  );
}

const isNativeReason = (register: string, reason: string) =>
  register === 'natives' && reason.includes('register of native coins');
