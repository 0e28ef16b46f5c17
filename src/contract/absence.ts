import type { Factor, Feature } from '../domain/index.ts';

/** Why a value is missing. */
type AbsenceKind = 'no_source' | 'source_failed' | 'not_shown' | 'not_found' | 'too_uncertain' | 'not_applicable';

/** A missing value as shown to readers: the reason, its cost, and who can supply it. */
interface Absence {
  readonly kind: AbsenceKind;
  readonly why: string;
  readonly cost: string;
  readonly action: string;
}

/** The text of each kind. `cost` is for values that enter no score; features state theirs in points. */
const ABSENCE_WORDS: Readonly<Record<AbsenceKind, Absence>> = {
  no_source: {
    kind: 'no_source',
    why: 'No source that was asked states it.',
    cost: 'It counts nothing; the interval is wider.',
    action: 'Operator: add the key of a source that states it, or a register row.',
  },
  source_failed: {
    kind: 'source_failed',
    why: 'A source that would state it failed.',
    cost: 'It counts nothing; the interval is wider.',
    action: 'Reader: rate it again; the status page shows when the source answers.',
  },
  not_shown: {
    kind: 'not_shown',
    why: 'The project was asked and shows nothing.',
    cost: 'It counts as low as the methodology allows.',
    action: 'Project: publish it where the site links it.',
  },
  not_found: {
    kind: 'not_found',
    why: 'It was searched for and not found.',
    cost: 'The absence counts as found.',
    action: 'Reader: dispute it with a public reference if it exists.',
  },
  too_uncertain: {
    kind: 'too_uncertain',
    why: 'It is known too uncertainly to count.',
    cost: 'It counts nothing; the interval is wider.',
    action: 'Operator: a second independent source settles it.',
  },
  not_applicable: {
    kind: 'not_applicable',
    why: 'It does not apply to assets of this class.',
    cost: 'None: its weight goes to the others.',
    action: 'Nothing to do.',
  },
};

/** Features with another remedy than others of their kind. */
const ACTIONS: Readonly<Record<string, string>> = {
  sd_unlock: 'Operator: add a row to the allocations register, or the key of a source of unlocks.',
  sd_infl: 'Reader: wait; a year of supply readings gives it.',
  ps_control: 'Operator: add a row to the protocols register that names the controlling contract.',
  fu_claim: 'Operator: add a row to the protocols register that says what a holder is owed.',
  fu_redeem: 'Operator: add a row to the issuers register.',
  fu_attest: 'Issuer: publish a report of an auditor; operator: add it to the issuers register.',
  fu_assets: 'Issuer: publish what the reserve holds; operator: add it to the issuers register.',
  ts_audit: 'Project: link the report on the site of the firm that audited it.',
  gt_team: 'Project: name people whose own profiles name the project.',
  gt_gov: 'Project: link the vote or the timelock that controls the contracts.',
  tr_lead: 'Nothing to do: the first trade was not recorded.',
  mq_venues: 'Operator: add the key of a market data source.',
};

/** Text of a missing feature. `features` is those of its factor, for the weight that it has in the score. Null for a feature with a value. */
export function absenceOf(feature: Feature, factor: Pick<Factor, 'weight' | 'features'>): Absence | null {
  const kind = kindOf(feature);
  if (kind === null) return null;
  const words = ABSENCE_WORDS[kind];
  const action = ACTIONS[feature.id] ?? words.action;
  const why = kind === 'not_shown' || kind === 'not_found' ? `${words.why} ${sentence(feature.method)}` : words.why;
  return { kind, why: why.trim(), cost: costOf(feature, factor), action };
}

function kindOf(feature: Feature): AbsenceKind | null {
  const { status, silent, method, raw, confidence } = feature;
  if (status === 'not_applicable') return 'not_applicable';
  if (status === 'observed') return null;
  // Searched and found to be none: a value of its own.
  if (status === 'absent' && raw !== null) return null;
  if (/failed/.test(method)) return 'source_failed';
  if (silent) return 'not_shown';
  if (status === 'absent') return 'not_found';
  return confidence > 0 ? 'too_uncertain' : 'no_source';
}

function costOf(feature: Feature, factor: Pick<Factor, 'weight' | 'features'>): string {
  const counted = factor.features.filter(({ status }) => status !== 'not_applicable');
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0);
  const share = whole === 0 ? 0 : (factor.weight * feature.weight) / whole;
  return `Counts ${Math.round(feature.rest)} of 100 points on ${share.toFixed(1)} % of the score.`;
}

function sentence(text: string): string {
  return text === '' || text === 'no source says' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
