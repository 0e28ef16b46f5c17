import { ownDomain } from '../sources/index.ts';

/** A source's word for the host of a website. */
export interface HostVote {
  readonly family: string;
  readonly curated: boolean;
  readonly host: string;
}

/**
 * The host under `domain` (a registrable domain, or a name below a private suffix) that most curated lineage groups write; where
 * none names one, most market profiles. Equal: the bare domain, then `www`, then by letters. Null when nobody names one.
 */
export function hostNamed(domain: string, votes: readonly HostVote[]): string | null {
  const own = votes.filter(({ host }) => ownDomain(`https://${host}/`) === domain);
  const heard = own.some((vote) => vote.curated) ? own.filter((vote) => vote.curated) : own;
  const families = new Map<string, Set<string>>();
  for (const { host, family } of heard) families.set(host, (families.get(host) ?? new Set()).add(family));
  const order = (host: string) => (host === domain ? 0 : host === `www.${domain}` ? 1 : 2);
  const ranked = [...families].sort(
    ([a, ours], [b, theirs]) => theirs.size - ours.size || order(a) - order(b) || (a < b ? -1 : 1),
  );
  return ranked[0]?.[0] ?? null;
}
