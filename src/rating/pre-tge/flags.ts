import type { Flag } from '../../domain/index.ts';
import { flagThresholds } from '../../methodology/index.ts';
import type { Context } from '../context.ts';
import { raiseFlags } from '../flags/raise.ts';
import { isSiteAsked } from '../silence.ts';
import { auditsOf } from './legal.ts';
import { byName, isTeamPageBlank, type SiteRecord } from './site-record.ts';

/** The catalogue's flags; who is named and who audited is read from all pages here, not from one alone. */
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
  // Scripts may fill in what is not read here; a page that is withheld speaks for nobody.
  const isFilledIn = site.lost === 0 && (!site.isRead || isTeamPageBlank(context, site));
  if (!isSiteAsked(context) || named.length > 0 || isFilledIn) return raised;
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
