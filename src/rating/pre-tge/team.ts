import { type Context, daysSince, isHardened, unknown } from '../context.ts';
import { confirmedTies } from '../ties.ts';
import { contradictionsIn } from './contradictions.ts';
import {
  byName,
  isTeamPageBlank,
  type PreTgeInput,
  type SiteRecord,
  type Statement,
  stated,
  unread,
  unstated,
} from './site-record.ts';

/** TD: named people, their prior work, contradictions, advisers. */
export function teamFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  const people = site.of('person', 'pseudonym');
  const team = byName(people.filter(({ fact }) => fact.detail !== 'advisor'));
  const advisers = byName(people.filter(({ fact }) => fact.detail === 'advisor'));
  return [
    named(context, site, team),
    priorWork(context, site, team),
    contradictions(context, site),
    advisersApart(site, team, advisers),
  ];
}

/** Credit by how a member can be looked up. A profile counts for one person only. */
function named(context: Context, site: SiteRecord, team: readonly Statement[]): PreTgeInput {
  if (team.length === 0 && isTeamPageBlank(context, site))
    return { ...unread(context, 'td_named'), method: 'the team page shows no text without scripts' };
  if (team.length === 0) return unstated(site, 'td_named', 0, 'the website names nobody');
  const { namedCredit, thresholds } = context.methodology.preTge;
  const isOld = (daysSince(context, 'domain_registered_at')?.value ?? 0) >= thresholds.oldPseudonymDays;
  const people = new Set(confirmedTies(context, 'person').map((tie) => tie.subject));
  const profiles = new Set<string>();
  const isConfirmed = ({ fact }: Statement) => people.has(`github:${githubLogin(fact.link)}`);
  const credit = (row: Statement): number => {
    const { fact } = row;
    // A link to a profile costs nothing. It is evidence when the profile's owner is in the project's organisation.
    const isOwnProfile = isConfirmed(row) && fact.link !== null && !profiles.has(fact.link.toLowerCase());
    if (fact.link !== null) profiles.add(fact.link.toLowerCase());
    if (fact.kind === 'pseudonym') return isOld ? namedCredit.pseudonymOld : namedCredit.pseudonym;
    return isOwnProfile ? namedCredit.profile : namedCredit.named;
  };
  const share = team.reduce((sum, row) => sum + credit(row), 0) / team.length;
  const confirmed = team.filter(isConfirmed);
  return stated(
    site,
    'td_named',
    share,
    // A pseudonym is more than a claim here: the age of the domain is known.
    isOld && team.every(({ fact }) => fact.kind === 'pseudonym')
      ? 'linked'
      : confirmed.length * 2 > team.length
        ? 'confirmed'
        : 'claimed',
    team,
    `${team.length} named on the site, ${confirmed.length} confirmed by their own profile`,
  );
}

/** Login of a link to a GitHub profile, lower-case; null for any other link. */
function githubLogin(link: string | null): string | null {
  return /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z0-9-]{1,39})\/?$/.exec(link ?? '')?.[1]?.toLowerCase() ?? null;
}

function priorWork(context: Context, site: SiteRecord, team: readonly Statement[]): PreTgeInput {
  if (team.length === 0) return unstated(site, 'td_prior', 0, 'nobody is named');
  const works = byName(site.of('prior_work').filter(({ fact }) => fact.detail !== 'advisor'));
  if (works.length === 0) return unstated(site, 'td_prior', 0, 'no prior work is named');
  const { bareClaimShare } = context.methodology.preTge.thresholds;
  // A link to work costs nothing and does not prove authorship.
  const credit = works.length * bareClaimShare;
  return stated(
    site,
    'td_prior',
    Math.min(1, credit / team.length),
    'claimed',
    works,
    `prior work of ${works.length} of ${team.length}, as the site states`,
  );
}

function contradictions(context: Context, site: SiteRecord): PreTgeInput {
  if (!site.isRead) return unread(context, 'td_contradictions');
  const found = contradictionsIn(context, site);
  if (site.lost > 0 && found.length === 0)
    return { ...unread(context, 'td_contradictions'), method: `${site.lost} pages could not be read` };
  if (found.length === 0 && checkable(context, site) === 0)
    return {
      ...unknown(context, 'td_contradictions', []),
      method: 'no statement that others could contradict',
    };
  const words = found.length === 0 ? 'none found' : found.map((row) => row.words).join('; ');
  const support = found.flatMap((row) => row.support);
  // A contradiction is observed here, whatever the confidence of the statements.
  // The absence of contradictions earns credit only in proportion to the statements that could have been contradicted.
  const exposure =
    found.length > 0
      ? 1
      : Math.min(1, checkable(context, site) / context.methodology.preTge.thresholds.exposureStatements);
  const seen = { ...site, credibility: 1 };
  const feature = stated(seen, 'td_contradictions', found.length, 'linked', support, words);
  return { ...feature, confidence: feature.confidence * exposure };
}

/**
 * Number of statements that can be checked: numbers that must be consistent, and statements of others about the
 * project. A link alone is not verified.
 */
function checkable(context: Context, site: SiteRecord): number {
  const others = (['person', 'audit', 'bounty', 'repository'] as const).flatMap((kind) => confirmedTies(context, kind));
  const stated = site.of('supply', 'allocation', 'founded');
  // The same statement on ten pages can be contradicted once.
  const distinct = new Set(stated.map(({ fact: { kind, name, value } }) => `${kind} ${name} ${value}`)).size;
  return others.length + (isHardened(context) ? distinct : stated.length);
}

function advisersApart(site: SiteRecord, team: readonly Statement[], advisers: readonly Statement[]): PreTgeInput {
  if (team.length + advisers.length === 0) return unstated(site, 'td_advisors', 'mixed', 'nobody is named');
  const names = new Set(team.map(({ fact }) => fact.name?.toLowerCase()));
  const both = advisers.filter(({ fact }) => names.has(fact.name?.toLowerCase()));
  const state = both.length > 0 ? 'mixed' : advisers.length > 0 ? 'separate' : 'none_named';
  const method = both.length > 0 ? `${both[0]?.fact.name} is shown as both` : `${advisers.length} advisers named`;
  return stated(site, 'td_advisors', state, 'linked', [...team, ...advisers], method);
}
