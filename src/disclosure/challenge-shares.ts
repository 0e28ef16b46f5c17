import type { OpenChallenge } from '../store/index.ts';

/**
 * The challenges of one asset that end so that `most` are left, of a list with the oldest first: each time the oldest of
 * the subscriber that holds most of them, within the network of 24 (IPv6: 48) bits that holds most, within that of 16
 * (IPv6: 32) bits that holds most. So a network cannot end a challenge of another one that holds fewer, however many
 * addresses it has. Between equal ones the oldest challenge decides: the newest ends last.
 */
export function surplusChallenges(open: readonly OpenChallenge[], most: number): readonly string[] {
  const ended: string[] = [];
  let left = open;
  while (left.length > most) {
    const [first] = PARTS.reduce(largest, left);
    if (first === undefined) break;
    ended.push(first.id);
    left = left.filter(({ id }) => id !== first.id);
  }
  return ended;
}

/** Parts of a subscriber's address (four bytes of IPv4, four groups of IPv6) that name each network, the widest first. */
const PARTS = [2, 3, 4];

/** The largest share by a number of parts; of equal ones, that of the oldest challenge. Keeps the order. */
function largest(open: readonly OpenChallenge[], parts: number): readonly OpenChallenge[] {
  const shares = Map.groupBy(open, ({ openedFrom }) => openedFrom.split(/[.:]/).slice(0, parts).join('.'));
  return [...shares.values()].reduce((most, share) => (share.length > most.length ? share : most), []);
}
