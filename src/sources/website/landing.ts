import Type from 'typebox';
import { CHAINS } from '../../chains/index.ts';
import type { Observation } from '../../domain/index.ts';
import { githubRepo, text } from '../read.ts';
import { handlesOf, listOf, part, placed, sorted } from '../token-records.ts';
import { readHtml } from './html.ts';

/** What the landing page of a host says, as far as identity needs it. */
export interface SitePage {
  readonly read: boolean;
  /** The site does not exist, refuses connections or has no such page; not known when it was merely slow. */
  readonly dead: boolean;
  /** It leads to a domain of another owner, or to a platform that many share: it says nothing of its own. */
  readonly leadsElsewhere: boolean;
  readonly title: string | null;
  /** The name the site gives itself (`og:site_name`). */
  readonly siteName: string | null;
  /** Printed or linked token addresses as `chain:address`; one entry per EVM chain when the page does not say which. */
  readonly places: readonly string[];
  readonly socials: readonly string[];
  readonly repos: readonly string[];
}

export const UNREAD: SitePage = {
  read: false,
  dead: false,
  leadsElsewhere: false,
  title: null,
  siteName: null,
  places: [],
  socials: [],
  repos: [],
};

const Link = Type.Object({ url: Type.String() });
const Place = Type.Object({ chain: Type.Optional(Type.Unknown()), address: Type.Unknown() });
const Profile = Type.Object({ kind: Type.Unknown(), handle: Type.Unknown() });

/** What the reply of `home` says, by its text and the observations that were made of it. */
export function readLanding(reply: unknown, observations: readonly Observation[]): SitePage {
  const of = (quantity: Observation['quantity']) => observations.filter((row) => row.quantity === quantity);
  // A page that speaks for itself always has its list of links, be it empty.
  if (of('site_links').length === 0) return { ...UNREAD, leadsElsewhere: true };
  const rowsOf = (quantity: Observation['quantity'], most?: number) =>
    of(quantity).flatMap((row) => listOf(row.value, most));
  const repos = rowsOf('site_links', 200).map((row) => githubRepo(part(Link, row)?.url));
  return {
    read: true,
    dead: false,
    leadsElsewhere: false,
    title: text(of('site_title')[0]?.value, 200),
    siteName: typeof reply === 'string' ? text(readHtml(reply).siteName, 200) : null,
    places: sorted(rowsOf('site_contract_addresses').flatMap(placesOf)),
    socials: handlesOf(rowsOf('registry_socials').flatMap((row) => part(Profile, row) ?? [])),
    repos: [...new Set(repos.filter((repo): repo is string => repo?.includes('/') === true))].slice(0, 5),
  };
}

/** One entry per chain when the page does not say which. */
function placesOf(row: unknown): readonly (string | null)[] {
  const { chain: name, address } = part(Place, row) ?? {};
  const chain = CHAINS.find((known) => known.name === name);
  return chain ? [placed(chain, address)] : CHAINS.map((known) => placed(known, address));
}
