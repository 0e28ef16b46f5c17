import { CHAINS } from '../domain/chains.ts';
import type { Observation } from '../domain/observation.ts';
import { githubRepo, text } from '../sources/read.ts';
import type { ProjectSite } from './domains.ts';
import type { Questions } from './questions.ts';
import { dig, listOf, placed, sorted } from './record.ts';
import type { Answered } from './registry-records.ts';

/** What the project's own page says, as far as identity needs it. */
export interface SitePage {
  readonly read: boolean;
  /** The site does not exist, refuses connections or has no such page; not known when it was merely slow. */
  readonly dead: boolean;
  readonly title: string | null;
  /** Printed or linked token addresses as `chain:address`; one entry per EVM chain when the page does not say which. */
  readonly places: readonly string[];
  readonly socials: readonly string[];
  readonly repos: readonly string[];
}

/** Reads the landing page's observations. On a platform that many share, nothing on it counts as the project's word. */
export function readSitePage(home: Answered | null, site: ProjectSite, questions: Questions): SitePage {
  const outcome = questions.outcomeOf('website', 'home');
  const dead = home === null && (outcome === 'unreachable' || outcome === 'not_found');
  if (home === null || !site.ownPage) return { read: false, dead, title: null, places: [], socials: [], repos: [] };
  const of = (quantity: Observation['quantity']) => home.observations.filter((row) => row.quantity === quantity);
  const links = of('site_links').flatMap((row) => listOf(row.value, 200));
  return {
    read: true,
    dead: false,
    title: text(of('site_title')[0]?.value, 200),
    places: sorted(
      of('site_contract_addresses')
        .flatMap((row) => listOf(row.value))
        .flatMap(placesOf),
    ),
    socials: sorted(
      of('registry_socials')
        .flatMap((row) => listOf(row.value))
        .map(socialOf),
    ),
    repos: [
      ...new Set(
        links
          .map((link) => githubRepo(dig(link, 'url')))
          .filter((repo): repo is string => repo?.includes('/') === true),
      ),
    ].slice(0, 5),
  };
}

function placesOf(entry: unknown): readonly (string | null)[] {
  const chain = CHAINS.find((row) => row.name === dig(entry, 'chain'));
  const address = dig(entry, 'address');
  return chain ? [placed(chain, address)] : CHAINS.map((row) => placed(row, address));
}

function socialOf(entry: unknown): string | null {
  const kind = text(dig(entry, 'kind'), 20);
  const handle = text(dig(entry, 'handle'), 64)?.toLowerCase();
  return kind && handle ? `${kind}:${handle}` : null;
}
