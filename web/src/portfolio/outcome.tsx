import type { Portfolio } from './in-words.ts';

const LOOKS = {
  allow: ['✓', 'severity pos'],
  caution: ['△', 'severity high'],
  block: ['✕', 'severity critical'],
} as const;

/** The verdict as a word with a sign; the colour only helps. */
export function Outcome({ of }: { readonly of: Portfolio['outcome'] }) {
  const [sign, look] = LOOKS[of];
  return (
    <b className={look}>
      <i aria-hidden="true">{sign}</i>
      {of}
    </b>
  );
}
