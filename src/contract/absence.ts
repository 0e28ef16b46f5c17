import Type from 'typebox';
import type { Factor, Feature, Rating } from '../domain/index.ts';
import { oneOf, type Reply } from './vocabulary.ts';

const KINDS = [
  'no_source',
  'source_failed',
  'not_shown',
  'not_found',
  'none_found',
  'unconfirmed',
  'too_uncertain',
] as const;
type AbsenceKind = (typeof KINDS)[number];

/** A gap of a rating as shown in the dashboard and in the report: the reason, its cost, and who can supply it. */
export const AbsenceView = Type.Object(
  {
    kind: oneOf(
      '`no_source`: no requested source states it; `not_shown`: the project shows none; `none_found`: searched for and none found, which is good; `unconfirmed`: the project alone states it.',
      KINDS,
    ),
    why: Type.String({ description: 'Why it is not known, or not surely, in a sentence or two.' }),
    cost: Type.String({ description: 'What counts in its place, and on how much of the score.' }),
    action: Type.String({ description: 'What can be done, and by whom.' }),
  },
  { title: 'Absence', description: 'Why a feature is one of the gaps.' },
);
type Absence = Reply<typeof AbsenceView>;

/** Texts by kind of gap. */
const ABSENCE_WORDS: Readonly<Record<AbsenceKind, { readonly why: string; readonly action: string }>> = {
  no_source: {
    why: 'No requested source states it.',
    action: 'Operator: add the key of a source that states it, or a register row.',
  },
  source_failed: {
    why: 'A source that would state it failed.',
    action: 'Reader: rate it again; the status page shows when the source responds.',
  },
  not_shown: {
    why: 'The project was searched and shows nothing.',
    action: 'Project: publish it where the site links it.',
  },
  not_found: {
    why: 'It was searched for and not found.',
    action: 'Reader: dispute it with a public reference if it exists.',
  },
  none_found: {
    why: 'None was found, which is good; it counts as half known.',
    action: 'Nothing to do; searching another list would raise the confidence.',
  },
  unconfirmed: {
    why: 'Only the project states it.',
    action: 'Project: publish it where registries read it.',
  },
  too_uncertain: {
    why: 'It is known too uncertainly to count.',
    action: 'Operator: a second independent source settles it.',
  },
};

/** Features with another remedy than the usual one of their kind. */
const ACTIONS: Readonly<Record<string, string>> = {
  sd_unlock: 'Operator: add a row to the allocations register, or the key of a source of unlocks.',
  sd_infl: 'Reader: wait; a year of supply readings gives it.',
  ps_control: 'Operator: add a row to the protocols register that names the controlling contract.',
  fu_claim: 'Operator: add a row to the protocols register that states what a holder is owed.',
  fu_redeem: 'Operator: add a row to the issuers register.',
  fu_attest: 'Issuer: publish a report of an auditor; operator: add it to the issuers register.',
  fu_assets: 'Issuer: publish what the reserve holds; operator: add it to the issuers register.',
  ts_audit: 'Project: link the report on the site of the firm that audited it.',
  gt_team: 'Project: name people whose own profiles name the project.',
  gt_gov: 'Project: link the vote or the timelock that controls the contracts.',
  tr_lead: 'Nothing to do: the first trade was not recorded.',
  mq_venues: 'Operator: add the key of a market data source.',
};

/**
 * Ids of the features that are unknown or uncertain: the gaps listed in the record of a rating and counted by its trust
 * score.
 */
export function gapIds({ trust }: Pick<Rating, 'trust'>): ReadonlySet<string> {
  return new Set(trust.gaps.map(({ feature }) => feature));
}

/** Text of a gap. `features` of the factor give the feature's weight in the score. */
export function absenceOf(feature: Feature, factor: Pick<Factor, 'weight' | 'features'>): Absence {
  const kind = kindOf(feature);
  const words = ABSENCE_WORDS[kind];
  const isOwn = kind !== 'none_found' && kind !== 'unconfirmed';
  const action = (isOwn ? ACTIONS[feature.id] : undefined) ?? words.action;
  const why = SEARCHED.has(kind) || kind === 'not_shown' ? `${words.why} ${sentence(feature.method)}` : words.why;
  return { kind, why: why.trim(), cost: costOf(feature, factor), action };
}

/** Kinds whose method states what was searched, or who stated it. */
const SEARCHED: ReadonlySet<AbsenceKind> = new Set(['not_found', 'none_found', 'unconfirmed']);
/** Points from which finding nothing is favourable. */
const GOOD_POINTS = 70;

function kindOf({ status, silent, method, raw, score, confidence }: Feature): AbsenceKind {
  if (/failed/.test(method)) return 'source_failed';
  if (silent) return 'not_shown';
  if (status === 'absent' && typeof raw === 'number' && raw > 0) return 'unconfirmed';
  if (status === 'absent') return (score ?? 0) >= GOOD_POINTS ? 'none_found' : 'not_found';
  return confidence > 0 ? 'too_uncertain' : 'no_source';
}

function costOf(feature: Feature, factor: Pick<Factor, 'weight' | 'features'>): string {
  const counted = factor.features.filter(({ status }) => status !== 'not_applicable');
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0);
  const share = whole === 0 ? 0 : (factor.weight * feature.weight) / whole;
  return `Counts ${Math.round(feature.score ?? feature.rest)} of 100 points on ${share.toFixed(1)} % of the score.`;
}

function sentence(text: string): string {
  return text === '' || text === 'no source says' || text === 'as the site states'
    ? ''
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
