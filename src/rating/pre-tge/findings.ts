import type { Flag } from '../../domain/index.ts';
import { flagThresholds } from '../../methodology/index.ts';
import type { CapCandidate } from '../caps.ts';
import { type Context, consensusOf, fieldsOf, isHardened } from '../context.ts';
import { raiseFlags } from '../flags/raise.ts';
import { isSiteRequested } from '../missing-values.ts';
import { auditsOf } from './documents.ts';
import { hasPublicCode } from './product.ts';
import { byName, isTeamPageBlank, type SiteRecord, type Statement } from './site-record.ts';

/** The flags of the catalogue. TEAM_ANONYMOUS and NO_AUDIT are recomputed here from all pages instead of one. */
export function preTgeFlags(context: Context, site: SiteRecord): readonly Flag[] {
  const hasAudit = auditsOf(context, site).confirmed.length > 0;
  const raised = raiseFlags(context).filter(
    (flag) => flag.code !== 'TEAM_ANONYMOUS' && !(flag.code === 'NO_AUDIT' && hasAudit),
  );
  const { confidence } = flagThresholds(context.methodology).TEAM_ANONYMOUS;
  const definition = context.methodology.flags.find((row) => row.code === 'TEAM_ANONYMOUS');
  if (definition === undefined) throw new Error('the methodology has no flag TEAM_ANONYMOUS');
  const people = site.of('person', 'pseudonym').filter(({ fact }) => fact.detail !== 'advisor');
  const named = byName(people.filter(({ fact }) => fact.kind === 'person'));
  // Scripts may fill in the parts that were not read. A withheld page does not count as such.
  const isFilledIn = site.lost === 0 && (!site.isRead || isTeamPageBlank(context, site));
  if (!isSiteRequested(context) || named.length > 0 || isFilledIn) return raised;
  const masks = byName(people).length;
  const detail = masks > 0 ? `the website shows ${masks} pseudonyms and no name` : 'the website names nobody';
  const { code, severity, title } = definition;
  return [
    ...raised,
    { code, severity, title, detail, confidence, since: null, evidence: keysOf(people), value: 'anonymous' },
  ];
}

function keysOf(rows: ReturnType<SiteRecord['of']>): readonly string[] {
  return [...new Set(rows.map((row) => row.key))].sort();
}

/** Flags that cap a project without a token in the same way as one with a token (methodology 3.4). */
const BY_FLAG: Readonly<Record<string, string>> = {
  IMPERSONATION: 'IMPERSONATION',
  EXPLOIT_UNRESOLVED: 'EXPLOIT_UNRESOLVED',
  REGULATORY_ACTION: 'REGULATORY_ACTION',
  SANCTIONS_EXPOSURE: 'SANCTIONS',
};
const HIDDEN_SALE = 'PRE_TGE_HIDDEN_SALE';

/** Caps of methodology 3.5, and those of 3.4 that need no token. */
export function preTgeCaps(context: Context, site: SiteRecord, flags: readonly Flag[]): readonly CapCandidate[] {
  const fromFlags = flags.flatMap((flag) => {
    const code = BY_FLAG[flag.code];
    return code !== undefined && flag.confidence >= context.methodology.capConfidence.enough
      ? [{ code, flag: flag.code, detail: flag.detail }]
      : [];
  });
  const sale = hiddenSale(context, site);
  return [
    { code: 'PRE_TGE', flag: null, detail: 'there is no market record before the token' },
    ...(isUnproven(context, site)
      ? [
          {
            code: 'PRE_TGE_UNPROVEN_CODE',
            flag: null,
            detail: 'neither public code that names the project nor an audit that its firm confirms',
          },
        ]
      : []),
    ...(consensusOf(context, 'raises') === null ? anonymous(context, site, flags) : []),
    ...(sale === null ? currentSale(context, site) : [{ code: HIDDEN_SALE, flag: null, detail: sale.detail }]),
    ...fromFlags,
  ];
}

/**
 * The cap of a team that nobody knows. Since methodology 1.7.0 also where the site shows no name that can be read: a page
 * filled in by scripts, withheld or in another language raises no flag, and lifts no cap either.
 */
function anonymous(context: Context, site: SiteRecord, flags: readonly Flag[]): readonly CapCandidate[] {
  const code = 'PRE_TGE_ANONYMOUS';
  if (flags.some((flag) => flag.code === 'TEAM_ANONYMOUS'))
    return [{ code, flag: 'TEAM_ANONYMOUS', detail: 'nobody is named and no independent list has a raise' }];
  if (!isHardened(context) || !isSiteRequested(context)) return [];
  const isNamed = site.of('person').some(({ fact }) => fact.detail !== 'advisor');
  return isNamed
    ? []
    : [{ code, flag: null, detail: 'no name of the team can be read and no independent list has a raise' }];
}

function isUnproven(context: Context, site: SiteRecord): boolean {
  return !hasPublicCode(context) && auditsOf(context, site).confirmed.length === 0;
}

/**
 * A hidden sale seen before keeps its cap while pages of the site are withheld: what cannot be checked is not refuted.
 */
function currentSale(context: Context, site: SiteRecord): readonly CapCandidate[] {
  const stood = context.input.standingCaps?.includes(HIDDEN_SALE) === true;
  return stood && (site.lost > 0 || !site.isRead)
    ? [{ code: HIDDEN_SALE, flag: null, detail: 'seen before; the pages it was seen on are not shown now' }]
    : [];
}

/**
 * Finds a site that claims to have no token although it sells one or links to where it trades. Both statements are the
 * site's own.
 */
export function hiddenSale(
  context: Context,
  site: SiteRecord,
): { readonly detail: string; readonly statements: readonly Statement[] } | null {
  const [claim] = site.of('no_token');
  const [sale] = site.of('token_sale');
  if (claim === undefined) return null;
  const traded = tradedAddress(context);
  if (sale === undefined)
    return traded === null
      ? null
      : { detail: `the site states “${short(claim)}” and links to where ${traded} trades`, statements: [claim] };
  return {
    detail: `the site states “${short(claim)}” and “${short(sale)}”`,
    statements: [claim, sale],
  };
}

/** Token address in the site's links to exchanges; null without one. */
function tradedAddress(context: Context): string | null {
  const { value } = consensusOf(context, 'site_contract_addresses') ?? { value: null };
  for (const row of Array.isArray(value) ? (value as readonly unknown[]) : []) {
    const { via, address } = fieldsOf(row);
    if (via === 'dex' && typeof address === 'string') return address;
  }
  return null;
}

function short({ fact }: Statement): string {
  return fact.sentence.length > 90 ? `${fact.sentence.slice(0, 89)}…` : fact.sentence;
}
