import type { ConsensusSet, Rating } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { rate } from './rate.ts';
import type { RatingInput } from './types.ts';

const KEYS = ['mint_authority_state', 'freeze_authority_state'] as const;

/**
 * The same rating with the powers of a disclosed, supervised issuer counted as a stranger's; null when no such issuer holds
 * a key. What an issuer may do by law it can still do.
 */
export function rateTechnically(input: RatingInput, methodology: Methodology): Rating | null {
  const held = KEYS.filter((key) => input.consensus[key]?.value === 'regulated_issuer');
  if (held.length === 0) return null;
  const consensus: ConsensusSet = Object.fromEntries(
    Object.entries(input.consensus).map(([key, row]) =>
      (held as readonly string[]).includes(key) ? [key, { ...row, value: 'eoa' }] : [key, row],
    ),
  );
  return rate({ ...input, consensus }, methodology);
}
