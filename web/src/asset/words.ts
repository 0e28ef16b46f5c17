import { compact, count, day, dollars, percent, words } from '../format.ts';

/** Names of quantities for people. Others are derived from their code. */
const QUANTITIES: Readonly<Record<string, string>> = {
  price_usd: 'Price',
  market_cap_usd: 'Market cap',
  fdv_usd: 'Fully diluted value',
  volume_24h_usd: 'Volume, 24 h',
  volume_24h_dex_usd: 'Volume in pools, 24 h',
  volume_24h_cex_usd: 'Volume on exchanges, 24 h',
  liquidity_dex_usd: 'Liquidity in pools',
  circulating_supply: 'Circulating supply',
  total_supply: 'Total supply',
  burned_tokens: 'Burned tokens',
  max_supply: 'Maximum supply',
  holder_count: 'Holders',
  top10_share: 'Ten largest holders',
  fees_30d_usd: 'Fees, 30 d',
  tvl_usd: 'Value locked',
  audits_count: 'Audits',
  unlock_next_12m_share: 'Unlocks, 12 months',
  ath_usd: 'All-time high',
  registry_rank: 'Rank',
  buys_24h: 'Purchases in pools, 24 h',
  sells_24h: 'Sales in pools, 24 h',
  sells_6h_share: 'Sales in the last 6 of 24 h',
  peg_target_usd: 'Peg',
  github_repo_urls: 'Repositories',
  social_links: 'Social links',
  website_url: 'Website',
  mint_authority_state: 'Who may mint',
  freeze_authority_state: 'Who may freeze',
  proxy_admin_state: 'Who may replace the code',
  source_verified: 'Source published',
  lp_creator_share: 'Liquidity of the creator',
  lp_burned_share: 'Liquidity burned',
  lp_locked_share: 'Liquidity locked',
  lp_locker_known: 'Locker is known',
  lp_second_provider_share: 'Liquidity of the second provider',
  lp_wallet_share: 'Liquidity of one unnamed wallet',
  lp_top3_wallets_share: 'Liquidity of three unnamed wallets',
  liquidity_one_sided_usd: 'Liquidity, one side',
  ath_at: 'All-time high, day',
  attestation_at: 'Reserve report, day',
  backing_own_share: 'Backing in its own assets',
  bounty_max_usd: 'Largest bug bounty',
  creator_share: 'Held by the creator',
  insider_share: 'Held by insiders',
  is_proxy: 'Code can be replaced',
  growth_90d_log: 'Growth, 90 d',
  dmarc_policy: 'Mail policy (DMARC)',
  dnssec: 'Signed domain (DNSSEC)',
  mx_present: 'Receives mail (MX)',
  tls_issuer: 'Certificate, issuer',
  tls_not_before: 'Certificate, begin',
  tls_valid: 'Certificate is valid',
  price_history_days: 'Price history',
  raise_total_usd: 'Money raised',
  raises: 'Funding rounds',
  releases_count: 'Releases',
  repo_archived: 'Repository is archived',
  repo_created_at: 'Repository, begin',
  repo_is_fork: 'Repository is a fork',
  repo_licence: 'Licence of the code',
  repo_stars: 'Stars of the repository',
  last_commit_at: 'Last commit',
  first_trade_at: 'First trade',
  listed_at: 'First listed',
  domain_registered_at: 'Domain, begin',
  domain_expires_at: 'Domain, end',
  chain_head_at: 'Newest block read',
  chains_deployed: 'Chains',
  disclosure_share: 'Disclosed on the site',
  depeg_aged_sum: 'Departures from the peg, aged',
  peg_deviation_24h_held: 'Off the peg, held for 24 h',
  peg_deviation_90d_max: 'Off the peg, most in 90 d',
  redemption_days_below_80: 'Days below 80 % of its redemption value',
  redeemed_7d_max: 'Redeemed, most in 7 d',
  security_txt: 'Security contact (security.txt)',
  operators_effective: 'Operators, effective number',
};

export function quantityWords(code: string): string {
  const known = QUANTITIES[code];
  if (known !== undefined) return known;
  const bare = code.replace(/_(usd|pct|state|count|share)$/, '').replace(/_(\d+)([hdm])(_|$)/g, ', $1 $2$3');
  return words(bare).replace(/\b(lp|tvl|dex|cex|nav|ath|url|dns|rdap)\b/gi, (word) => word.toUpperCase());
}

/** What a quantity is about, in short: a pool or a venue by its name. */
export function scopeWords(scope: string): string {
  if (scope === 'asset') return '';
  const [kind, ...rest] = scope.split(':');
  const name = rest.join(':');
  if (kind === 'venue') return venueWords(scope);
  if (scope === 'chains:all') return 'on all chains';
  if (kind === 'register') return `register of ${name.replaceAll('_', ' ')}`;
  return `${kind} ${name.length > 18 ? `${name.slice(0, 6)}…${name.slice(-4)}` : name}`;
}

/** `venue:binance:UNI-USDT` as `Binance, UNI-USDT`. */
export function venueWords(scope: string): string {
  const [, venue = scope, pair] = scope.split(':');
  return pair === undefined
    ? words(venue)
    : `${words(venue)}, ${pair.length > 14 ? `${pair.slice(0, 6)}…${pair.slice(-4)}` : pair}`;
}

const STATES: Readonly<Record<string, string>> = {
  eoa: 'a plain key',
  none: 'nobody',
  multisig: 'a multisig',
  contract: 'a contract',
  dao_timelock: 'a vote with a delay',
  timelocked_multisig: 'a multisig with a delay',
  timelock: 'a delay',
  immutable: 'nobody, it is fixed',
  issuer_supervised: 'a supervised issuer',
  issuer_disclosed: 'a named issuer',
  regulated_issuer: 'a supervised issuer',
  monthly_big_firm: 'monthly, by a large firm',
  monthly_firm: 'monthly, by a firm',
  quarterly_firm: 'quarterly, by a firm',
  onchain_realtime: 'on chain, at any time',
  self_declared: 'the issuer itself',
};

/** A value in its unit, for people: no codes, no bare dash. The caller explains null. */
export function valueWords(value: unknown, unit: string, feature = ''): string {
  if (value === null || value === undefined) return 'not known';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value))
    return value.length === 1 && typeof value[0] !== 'object'
      ? String(value[0]).slice(0, 60)
      : `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  if (typeof value === 'object') return 'a record';
  if (typeof value === 'string') return textWords(value, feature);
  if (typeof value !== 'number') return 'not known';
  if (unit === 'usd') return dollars(value);
  if (unit.startsWith('fraction')) return percent(value * 100, Math.abs(value) < 0.1 ? 2 : 1);
  if (unit === 'percent') return percent(value, 1);
  if (unit === 'count' || unit === 'none')
    return Number.isInteger(value) && value < 1e6 ? count(value) : compact(value);
  if (unit === 'days')
    return value >= 730
      ? `${(value / 365.25).toFixed(1)} years`
      : `${value < 10 ? value.toFixed(1) : Math.round(value)} days`;
  if (['ratio', 'state', 'boolean', 'points'].includes(unit)) return compact(value);
  if (unit === 'ln_ratio') return `${value < 0 ? '' : '+'}${percent((Math.exp(value) - 1) * 100, 1)}`;
  return `${compact(value)} ${unit.replaceAll('_', ' ')}`;
}

function textWords(value: string, feature: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return day(value);
  // For a power `none` means that no one has it; for a claim or a report, that there is none.
  if (value === 'none' && !/^ts_|^ps_|authority|admin|owner/.test(feature)) return 'none';
  return STATES[value] ?? (/^[a-z0-9]+(_[a-z0-9]+)*$/.test(value) ? value.replaceAll('_', ' ') : value.slice(0, 80));
}

export const WHO = {
  project: 'Project',
  key_holder: 'Holder of the key',
  holders: 'Holders',
  market: 'Market',
  users: 'Users',
  observers: 'Any reader',
  time: 'Time',
} as const;

/** Why an observation was rejected. */
export function rejectionWords(reason: string | null): string {
  const known: Readonly<Record<string, string>> = {
    outlier: 'too far from the others',
    unit_mismatch: 'in another unit, by a power of ten',
    wrong_token_suspected: 'probably of another token',
    weak_binding: 'not surely of this asset',
    too_old: 'too old',
    out_of_range: 'impossible value',
    same_family: 'repeats the value of another source that counts',
    lower_tier_in_dispute: 'sources of a higher tier disagree',
    malformed_value: 'could not be read',
  };
  return reason === null ? 'counted' : (known[reason] ?? reason.replaceAll('_', ' '));
}

/** Why there is no fair value, for people. */
export function noVfrWords(reason: string | null): string {
  const few = /^(\d+) peers? with the driver, (\d+) are needed$/.exec(reason ?? '');
  if (few)
    return `${few[1] === '0' ? 'No rated asset' : few[1] === '1' ? 'One rated asset' : `Only ${few[1]} rated assets`} of its class ${few[1] === '0' || few[1] === '1' ? 'has' : 'have'} the figures to compare by; ${few[2]} are needed.`;
  if (/^peers spread too widely/.test(reason ?? '')) return 'Its peers are valued too differently to compare with.';
  if (/^no driver of this class/i.test(reason ?? ''))
    return 'None of the figures that its class is compared by (fees, value locked, users) is known surely enough.';
  if (/explain too little/.test(reason ?? ''))
    return 'The figures of its peers explain too little of what they are worth.';
  if (reason === null || reason === '') return 'Its class has no figures that a price could be compared by.';
  const words = reason.replace(/\b[a-z0-9]+(_[a-z0-9]+)+\b/g, (code) => quantityWords(code).toLowerCase());
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The summary of a score without the parts for programs. */
export function summaryWords(summary: string, reason: string | null): string {
  const plain = summary
    .replace(/ \(80 % interval (\S+) to \1\)/, '')
    .replace(/the cap [A-Z0-9_]+ applies because/g, 'a cap applies because');
  return reason === null ? plain : plain.replace(`No fair value: ${reason}.`, `No fair value. ${noVfrWords(reason)}`);
}
