import { DAY_MS, type Json, type ObservationDraft, type QuantityId } from '../domain/index.ts';
import { isExpired, isUnconfirmed, LICENCE_CELLS, licenceUntil, type RegisterRow } from './state.ts';
import { type RegisterTerms, registerTerms } from './terms.ts';

/** The rows about one asset. A row that is null or absent is not known: it gives no observation. */
export interface RegisterRows {
  readonly natives?: RegisterRow | null;
  readonly issuer?: RegisterRow | null;
  readonly protocol?: RegisterRow | null;
  readonly allocation?: RegisterRow | null;
  readonly venue?: RegisterRow | null;
  readonly outages?: RegisterRow | null;
  readonly positions?: RegisterRow | null;
}

/** Name of the register that a row of `RegisterRows` is of. */
export const REGISTER_OF = {
  natives: 'natives',
  issuer: 'issuers',
  protocol: 'protocols',
  allocation: 'allocations',
  venue: 'venues',
  outages: 'outages',
  positions: 'positions',
} as const satisfies Record<keyof RegisterRows, string>;

/** Redemption as a state, where the row gives one instead of terms. */
export const REDEMPTION_STATES = [
  'any_holder',
  'onchain_par',
  'qualified',
  'physical_high_minimum',
  'high_minimum',
  'none',
] as const;

/** Cells with a state, by the key of their row, with their quantity and the possible states. */
export const STATE_CELLS = {
  natives: {
    open: ['consensus_entry_state', ['permissionless', 'elected', 'list', 'council', 'single']],
    control: [
      'consensus_control_state',
      [
        'no_admin',
        'many_teams',
        'token_vote',
        'validators_core_team',
        'foundation',
        'council',
        'company',
        'single_key',
      ],
    ],
    process: ['rule_change_state', ['open_specs', 'open_repo', 'onchain_vote', 'closed']],
    security_policy: ['security_policy_state', ['policy_and_bounty', 'policy', 'none']],
  },
  issuer: {
    accounts: ['issuer_accounts_state', ['audited_public', 'audited_private', 'unaudited', 'none']],
    legal_form: ['legal_form_state', ['registered_security', 'exempt_fund', 'spv', 'contractual', 'none']],
    segregation: ['segregation_state', ['statute', 'trust', 'contract', 'onchain', 'not_segregated']],
  },
  protocol: {
    claim: [
      'claim_state',
      [
        'legal_claim',
        'fees_by_code',
        'fees_by_vote',
        'utility_required',
        'governance_of_fees',
        'governance_only',
        'none',
      ],
    ],
    control: [
      'protocol_control_state',
      [
        'immutable',
        'dao_timelock',
        'dao_timelock_guardian',
        'security_council',
        'timelocked_multisig',
        'multisig',
        'eoa',
        'none',
      ],
    ],
    redemption: ['redemption_state', REDEMPTION_STATES],
    sequencer: ['l2_sequencer_state', ['decentralised', 'forced_inclusion', 'single']],
    security_policy: ['security_policy_state', ['policy_and_bounty', 'policy', 'none']],
  },
  allocation: {},
  venue: {
    grade: ['exchange_grade', ['AA', 'A', 'BBB', 'BB', 'B', 'low', 'insolvent']],
    reserves: ['exchange_reserves_state', ['audited_accounts', 'por_with_liabilities', 'por_assets_only', 'none']],
  },
  outages: {},
  positions: {},
} as const satisfies Record<keyof RegisterRows, Readonly<Record<string, readonly [QuantityId, readonly string[]]>>>;

/** Cells that are stated unchanged, with their quantities. */
const PLAIN_CELLS: Readonly<Record<keyof RegisterRows, Readonly<Record<string, QuantityId>>>> = {
  natives: { contracts: 'native_contracts', insider_share: 'insider_allocation_share' },
  issuer: {
    powers: 'issuer_powers',
    peg_currency: 'peg_currency',
    underlying: 'underlying_asset',
    operators: 'operators_effective',
    exit_days: 'exit_days',
  },
  protocol: {
    underlying: 'underlying_asset',
    operators: 'operators_effective',
    exit_days: 'exit_days',
    underlyings: 'underlying_assets',
    bounty_max_usd: 'bounty_max_usd',
    peg_currency: 'peg_currency',
    peg_mechanism: 'peg_mechanism',
    backing_onchain_share: 'backing_onchain_share',
  },
  allocation: { insider_share: 'insider_allocation_share' },
  venue: {},
  outages: {},
  positions: {},
};

/**
 * The observations from register rows about one asset at the time `at` (RFC 3339): one per quantity that a row decides,
 * and one `register_row` with the row itself in the scope `register:<name>`. A text cell without a known state gives no
 * observation. A row past its `expires` gives observations of that date, so that their weight falls with age; an
 * expired or unconfirmed licence is never `supervised`. Pure.
 */
export function observeRegisters(
  rows: RegisterRows,
  at: string,
  terms: RegisterTerms = registerTerms(),
): readonly ObservationDraft[] {
  return (Object.keys(REGISTER_OF) as (keyof RegisterRows)[]).flatMap((key) => {
    const row = rows[key];
    if (row === null || row === undefined) return [];
    const expired = isExpired(row, at);
    const meaning = `row of the register ${REGISTER_OF[key]}`;
    const dated = expired ? { observedAt: String(row.expires) } : {};
    return [
      ...statedBy(key, row, at, terms).map(({ cells, ...draft }) => ({
        meaning,
        ...dated,
        ...(cells.some((cell) => isUnconfirmed(row, cell)) ? { reliability: terms.unconfirmed_reliability } : {}),
        ...draft,
      })),
      { quantity: 'register_row' as const, value: row, scope: `register:${REGISTER_OF[key]}`, meaning, ...dated },
    ];
  });
}

/** An observation with the cells that it is based on. */
type Stated = ObservationDraft & { readonly cells: readonly string[] };

/** The observations of one row at the time `at` (RFC 3339), each with the cells that it is based on. */
export function statedBy(
  key: keyof RegisterRows,
  row: RegisterRow,
  at: string,
  terms: RegisterTerms,
): readonly Stated[] {
  return [
    ...statesOf(key, row),
    ...plainOf(key, row),
    ...(key === 'issuer' ? issuerOf(row, at, terms) : []),
    ...(key === 'protocol' ? [...protocolOf(row), ...reportOf(row, at, terms)] : []),
    ...(key === 'issuer' || key === 'protocol' ? backingOf(row, terms) : []),
    ...(key === 'natives' ? nativeOf(row) : []),
    ...(key === 'allocation' ? unlocksOf(row, at) : []),
    ...outagesOf(row, at, terms),
    ...reorganisationsOf(row, at, terms),
  ];
}

const timeOf = (value: Json | undefined) => (typeof value === 'string' ? Date.parse(value) : Number.NaN);
const objectOf = (value: Json | undefined): RegisterRow | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RegisterRow) : null;

function statesOf(key: keyof RegisterRows, row: RegisterRow): readonly Stated[] {
  const cells: Readonly<Record<string, readonly [QuantityId, readonly string[]]>> = STATE_CELLS[key];
  return Object.entries(cells).flatMap(([cell, [quantity, states]]) => {
    // A reserve that the row calls unsegregated is a known state; the worst state is for a reserve about which nothing
    // is known.
    const value = cell === 'segregation' && row[cell] === 'none' ? 'not_segregated' : row[cell];
    // A suspended coin cannot be redeemed, whatever the terms state (`protocolOf`).
    if (cell === 'redemption' && typeof row.suspended === 'string') return [];
    return typeof value === 'string' && states.includes(value) ? [{ quantity, value, cells: [cell] }] : [];
  });
}

function plainOf(key: keyof RegisterRows, row: RegisterRow): readonly Stated[] {
  return Object.entries(PLAIN_CELLS[key]).flatMap(([cell, quantity]) => {
    const value = row[cell];
    return value === undefined || value === null ? [] : [{ quantity, value, cells: [cell] }];
  });
}

function nativeOf(row: RegisterRow): readonly Stated[] {
  // The creators cannot hold more of the genesis supply than there was; a premine above zero does not state who
  // received it.
  return row.insider_share === undefined && Number(row.premine_share) === 0 && row.premine_share !== null
    ? [{ quantity: 'insider_allocation_share', value: 0, cells: ['premine_share'] }]
    : [];
}

function issuerOf(row: RegisterRow, at: string, terms: RegisterTerms): readonly Stated[] {
  const stated: Stated[] = [];
  const regulators = Array.isArray(row.regulators) ? row.regulators : null;
  if (row.tier !== undefined) {
    const isUnsure = LICENCE_CELLS.some((cell) => isUnconfirmed(row, cell));
    const until = licenceUntil(row, terms);
    // A file with a licence without a date is refused when it is loaded (`complaintsOf`).
    const isOver = isExpired(row, at) || (until !== null && Date.parse(until) < Date.parse(at));
    const supervised = row.tier === 'supervised' && !isUnsure && !isOver;
    const tier = supervised ? 'supervised' : row.tier === null ? 'none' : 'disclosed';
    const licence = supervised ? 'supervised' : regulators !== null && regulators.length > 0 ? 'registered' : 'none';
    stated.push({ quantity: 'issuer_tier', value: tier, cells: ['tier'] });
    stated.push({ quantity: 'licence_state', value: licence, cells: ['tier', 'regulators'] });
  }
  if (row.insolvency !== undefined) {
    const insolvency = objectOf(row.insolvency);
    const state = insolvency === null ? 'none' : insolvency.extinguished == null ? 'proceedings' : 'extinguished';
    stated.push({ quantity: 'insolvency_state', value: state, cells: ['insolvency'] });
  }
  const redemption = redemptionOf(row.redemption, terms);
  if (redemption !== null) stated.push({ quantity: 'redemption_state', value: redemption, cells: ['redemption'] });
  return [...stated, ...reportOf(row, at, terms)];
}

function redemptionOf(value: Json | undefined, terms: RegisterTerms): string | null {
  const states: readonly string[] = REDEMPTION_STATES;
  if (typeof value === 'string') return states.includes(value) ? value : null;
  const redemption = objectOf(value);
  if (redemption === null || typeof redemption.who !== 'string') return null;
  const who = redemption.who.toLowerCase();
  if (states.includes(who)) return who;
  if (who.startsWith('suspended')) return 'none';
  if (who.startsWith('any ')) return 'any_holder';
  if (who.startsWith('qualified')) return 'qualified';
  return Number(redemption.minimum_usd ?? 0) >= terms.high_minimum_usd ? 'high_minimum' : 'qualified';
}

function reportOf(row: RegisterRow, at: string, terms: RegisterTerms): readonly Stated[] {
  const cells = ['reports'];
  if (row.reports === undefined) return [];
  const reports = objectOf(row.reports);
  if (reports === null) return [{ quantity: 'reserve_report_state', value: 'none', cells }];
  const newest = timeOf(reports.newest_date);
  return [
    { quantity: 'reserve_report_state', value: reportStateOf(row, reports, at, terms), cells },
    ...(Number.isNaN(newest)
      ? []
      : [{ quantity: 'attestation_at' as const, value: new Date(newest).toISOString(), cells }]),
  ];
}

function reportStateOf(row: RegisterRow, reports: RegisterRow, at: string, terms: RegisterTerms): string {
  const cadence = String(reports.cadence ?? '');
  if (cadence === 'realtime') return 'onchain_realtime';
  const days = terms.report_cadence_days[cadence];
  if (days === undefined || typeof reports.firm !== 'string') return 'self_declared';
  // If no report has a date, the last review of the row is used.
  const newest = timeOf(reports.newest_date ?? row.seen);
  const periods = Number.isNaN(newest) ? 0 : (Date.parse(at) - newest) / ((days + terms.report_grace_days) * DAY_MS);
  if (periods > 2) return 'none';
  if (periods > 1) return 'self_declared';
  if (cadence === 'quarterly') return 'quarterly_firm';
  if (cadence === 'annual') return 'annual';
  const firm = reports.firm.toLowerCase();
  const isBig = terms.big_firms.some((name) => firm === name || firm.startsWith(`${name} `));
  return isBig ? 'monthly_big_firm' : 'monthly_firm';
}

function protocolOf(row: RegisterRow): readonly Stated[] {
  const stage = row.stage === 0 || row.stage === 1 || row.stage === 2 ? `stage${row.stage}` : null;
  return [
    ...(stage === null ? [] : [{ quantity: 'l2_stage' as const, value: stage, cells: ['stage'] }]),
    ...(typeof row.suspended === 'string'
      ? [{ quantity: 'redemption_state' as const, value: 'none', cells: ['suspended'] }]
      : []),
  ];
}

/** Quality of the backing, where every kind of it is known, and the part of it that is the token itself. */
function backingOf(row: RegisterRow, terms: RegisterTerms): readonly Stated[] {
  const cell = ['reserve_mix', 'collateral', 'backing'].find((name) => objectOf(row[name]) !== null);
  const mix = Object.entries(cell === undefined ? {} : (objectOf(row[cell]) ?? {}));
  if (cell === undefined || mix.length === 0) return [];
  const stated = (quantity: QuantityId, value: number) => ({
    quantity,
    value: Math.round(value * 1e6) / 1e6,
    cells: [cell],
  });
  const own = mix
    .filter(([kind]) => terms.own_backing.includes(kind))
    .reduce((sum, [, share]) => sum + Number(share), 0);
  const ownShare = own > 0 ? [stated('backing_own_share', own)] : [];
  let sum = 0;
  for (const [kind, share] of mix) {
    const quality = kind === row.asset_kind ? 1 : terms.backing_quality[kind];
    if (quality === undefined || typeof share !== 'number') return ownShare;
    sum += quality * share;
  }
  return [stated('backing_quality_share', sum), ...ownShare];
}

/** Units that a schedule releases within a year of `at`, over the circulating units. */
function unlocksOf(row: RegisterRow, at: string): readonly Stated[] {
  const cells = ['unlocks', 'circulating'];
  if (typeof row.unlock_next_12m_share === 'number')
    return [{ quantity: 'unlock_next_12m_share', value: row.unlock_next_12m_share, cells: ['unlock_next_12m_share'] }];
  const circulating = Number(row.circulating ?? 0);
  if (!Array.isArray(row.unlocks) || !(circulating > 0)) return [];
  const from = Date.parse(at);
  const to = from + 365 * DAY_MS;
  const units = row.unlocks.reduce((sum: number, part) => {
    const { start, end, tokens } = objectOf(part) ?? {};
    const [first, last] = [timeOf(start), timeOf(end ?? start)];
    if (Number.isNaN(first) || Number.isNaN(last) || typeof tokens !== 'number') return sum;
    if (last <= first) return first >= from && first < to ? sum + tokens : sum;
    return sum + tokens * Math.max(0, (Math.min(last, to) - Math.max(first, from)) / (last - first));
  }, 0);
  return [{ quantity: 'unlock_next_12m_share', value: Math.round((units / circulating) * 1e6) / 1e6, cells }];
}

/** Hours without blocks, each halved by its age. An empty list means reviewed, with none found. */
function outagesOf(row: RegisterRow, at: string, terms: RegisterTerms): readonly Stated[] {
  if (!Array.isArray(row.outages)) return [];
  const hours = row.outages.reduce((sum: number, part) => {
    const outage = objectOf(part);
    const days = (Date.parse(at) - timeOf(outage?.date)) / DAY_MS;
    if (!(days >= 0 && days <= terms.outage_window_days)) return sum;
    const weight = outage?.kind === 'finality' ? terms.finality_loss_weight : 1;
    return sum + Number(outage?.hours ?? 0) * weight * 2 ** (-days / terms.outage_half_life_days);
  }, 0);
  return [{ quantity: 'outage_hours', value: Math.round(hours * 1e4) / 1e4, cells: ['outages'] }];
}

/**
 * Hours of history that the deepest reorganisation replaced, halved by its age; the largest result if there are
 * several.
 */
function reorganisationsOf(row: RegisterRow, at: string, terms: RegisterTerms): readonly Stated[] {
  if (!Array.isArray(row.reorganisations)) return [];
  const hours = row.reorganisations.map((part) => {
    const { date, hours } = objectOf(part) ?? {};
    const days = (Date.parse(at) - timeOf(date)) / DAY_MS;
    return days >= 0 ? Number(hours ?? 0) * 2 ** (-days / terms.outage_half_life_days) : 0;
  });
  const value = Math.round(Math.max(0, ...hours) * 1e4) / 1e4;
  return [{ quantity: 'reorganisation_hours', value, cells: ['reorganisations'] }];
}
