import { DAY_MS } from '../../src/domain/statistics.ts';
import { AUDIT_FIRMS } from './firms.ts';
import type { AssetSpec, Controller, Traits } from './types.ts';

/** One asset of the panel of real assets (test/panel/facts), with the fields that the world uses. */
export interface PanelFile {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly website: string | null;
  readonly chain: string | null;
  readonly address: string | null;
  readonly class: string;
  /** YYYY-MM-DD: the day its values are of. */
  readonly as_of: string;
  readonly registry_words: Readonly<Record<string, readonly string[] | string | null>>;
  readonly registers?: Readonly<Record<string, { readonly underlying?: string } | null>>;
  readonly features?: readonly { readonly feature: string; readonly value: unknown }[];
  readonly facts: readonly { readonly quantity: string; readonly scope: string; readonly value: unknown }[];
}

/** Fees and value of the chain of a coin or of a rollup's token in the file; null for a file without fees. */
export function economyOf({ features }: PanelFile): NonNullable<AssetSpec['economy']> | null {
  const featureOf = (name: string) => features?.find((row) => row.feature === name)?.value;
  const [fees, tvl] = [featureOf('fu_fees'), featureOf('fu_tvl')];
  return typeof fees === 'number' ? { feesPerDayUsd: fees / 30, tvlUsd: typeof tvl === 'number' ? tvl : null } : null;
}

/** What covers a coin that is issued against collateral, where the panel says so. Such coins have 18 places. */
export function coverOf({ features }: PanelFile): Pick<AssetSpec, 'cover' | 'decimals'> {
  const cover = features?.find((row) => row.feature === 'fu_riskadj')?.value;
  return typeof cover === 'number' && cover > 0 ? { cover, decimals: 18 } : {};
}

/** The timelock that holds the treasury, where the panel names one. */
export function treasuryOf(labels: unknown): Pick<AssetSpec, 'treasury'> {
  const rows = Array.isArray(labels) ? (labels as readonly { address?: string; label?: string }[]) : [];
  const named = rows.find(({ label }) => label?.includes('Timelock'))?.address;
  return named === undefined ? {} : { treasury: named };
}

/** The holder of a power, in a form that a contract of the sandbox can show. */
const CONTROLLERS: Readonly<Record<string, Controller>> = {
  none: 'none',
  immutable: 'none',
  protocol_capped: 'timelock',
  dao_timelock: 'timelock',
  timelocked_multisig: 'timelock',
  timelock: 'timelock',
  regulated_issuer: 'multisig',
  multisig: 'multisig',
  contract: 'multisig',
  eoa: 'eoa',
};

/** Properties of its contract, its team and its history, as far as the file has them. */
export function traitsOf(
  file: PanelFile,
  facts: ReadonlyMap<string, unknown>,
  isOnExchanges: boolean,
): Partial<Traits> {
  const controller = (name: string): Controller => CONTROLLERS[String(facts.get(name) ?? 'none')] ?? 'none';
  const count = (name: string) => (typeof facts.get(name) === 'number' ? Number(facts.get(name)) : 0);
  const proxy = controller('proxy_admin_state');
  // A contract that mints is as trustworthy as its owner.
  const mintedBy =
    facts.get('mint_authority_state') === 'contract' && facts.has('owner_state')
      ? 'owner_state'
      : 'mint_authority_state';
  const incident =
    (facts.get('incidents') as readonly { date?: string; lossUsd?: number; returnedUsd?: number }[]) ?? [];
  const [loss] = incident;
  return {
    mintAuthority: controller(mintedBy),
    freezeAuthority: controller('freeze_authority_state'),
    owner: controller('owner_state'),
    proxyAdmin: proxy === 'none' ? null : proxy,
    verified: facts.get('source_verified') !== false,
    honeypot: facts.get('honeypot') === true,
    whitelist: facts.get('whitelist_function') === true,
    buyTax: count('buy_tax'),
    sellTax: count('sell_tax'),
    lpLockedShare: count('lp_locked_share') || 0.9,
    lpCreatorShare: count('lp_creator_share'),
    rugged: facts.get('rug_executed') === true,
    creatorShare: count('creator_share'),
    creatorTokens: 1 + count('creator_tokens_count'),
    washShare: 0,
    listed: true,
    cex: isOnExchanges,
    site: facts.get('site_up') !== false,
    team:
      facts.get('team_state') === 'named_verifiable'
        ? 'named'
        : facts.get('team_state') === 'anonymous'
          ? 'anonymous'
          : 'pseudonymous',
    audits: AUDIT_FIRMS.slice(0, count('audits_count')).map((firm) => firm.name),
    // A named person who can be looked up is a public member of an organisation.
    commits90d: count('commits_90d') || Number(facts.get('team_state') === 'named_verifiable'),
    contributors: count('contributors_90d'),
    metadataMutable: false,
    incident:
      loss?.date === undefined || loss.lossUsd === undefined
        ? null
        : {
            daysAgo: Math.max(0, Math.round((Date.parse(file.as_of) - Date.parse(loss.date)) / DAY_MS)),
            lossUsd: loss.lossUsd,
            returnedUsd: loss.returnedUsd ?? 0,
          },
    raisedMillions: count('raise_total_usd') / 1e6,
  };
}
