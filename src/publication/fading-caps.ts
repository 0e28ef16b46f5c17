import type { CapApplied, PublicationState } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { daysBetween } from './days.ts';

/**
 * Caps whose condition ended less than seven days ago, or as long as they say (methodology 3.4): they still bind. Caps that go with age or with the
 * evidence end at once. A cap whose flag still stands because nobody could look does not begin to fade. In a correction, what
 * is seen not to hold ends at once.
 */
export function fadingCaps(
  before: Pick<PublicationState, 'fadingCaps' | 'last'> | null,
  now: readonly CapApplied[],
  asOf: string,
  methodology: Methodology,
  { flags, corrects }: { readonly flags: PublicationState['last']['flags']; readonly corrects: boolean } = NOTHING_HELD,
): PublicationState['fadingCaps'] {
  if (before === null) return [];
  const binding = new Set(now.map((cap) => cap.code));
  const fades = new Map(
    methodology.caps
      .filter((cap) => !['with age', 'with the evidence'].includes(cap.expiry))
      .map((cap) => [cap.code, cap.fadeDays ?? methodology.publication.capFadeDays]),
  );
  const ended = before.last.caps
    .filter((cap) => !before.fadingCaps.some((old) => old.code === cap.code))
    .map((cap) => ({ ...cap, falseSince: asOf }));
  const unread = new Set(flags.filter((flag) => flag.seenAt !== asOf && !flag.falseSince).map((flag) => flag.code));
  const isUnread = (code: string) => {
    const flag = methodology.caps.find((cap) => cap.code === code)?.flag ?? null;
    return flag !== null && unread.has(flag);
  };
  return [...before.fadingCaps, ...ended]
    .map((cap) => (isUnread(cap.code) ? { ...cap, falseSince: asOf } : cap))
    .filter(
      (cap) =>
        !binding.has(cap.code) &&
        !(corrects && !isUnread(cap.code)) &&
        daysBetween(cap.falseSince, asOf) < (fades.get(cap.code) ?? Number.NEGATIVE_INFINITY),
    );
}

const NOTHING_HELD = { flags: [], corrects: false };
