import { canonicalScope, type Observation } from '../../src/domain/index.ts';
import { readReply } from '../../src/evidence/read-reply.ts';
import { CONSENSUS_CHAINS } from '../../src/sources/consensus/operators.ts';
import { type Endpoint, SOURCES } from '../../src/sources/index.ts';
import { type Check, same, type Wrong } from './compare.ts';
import { statedOfProjects } from './projects.ts';

/** A recorded reply that is about many things, with checks in the provider's words. */
export interface ListRow {
  readonly file: string;
  readonly source: string;
  readonly endpoint: string;
  readonly url?: string | null;
  readonly params?: Readonly<Record<string, unknown>> | null;
  readonly recorded?: string | null;
  readonly checks: readonly Check[];
}

export interface ListReading {
  readonly wrong: readonly Wrong[];
  /** Checks of what no adapter reads. */
  readonly unread: number;
}

interface Ours {
  readonly source: string;
  readonly endpoint: string;
}

/** Names that recordings have for what we call otherwise. */
const SOURCE_NAMES: Readonly<Record<string, string>> = { gate: 'gateio', esma_mica: 'esma' };
/** Replies of one host that another source of ours reads. */
const ELSEWHERE: Readonly<Record<string, Ours>> = {
  'defillama.yields_pools': { source: 'defillama_activity', endpoint: 'all_pools' },
  'defillama.overview_dexs': { source: 'defillama_activity', endpoint: 'all_dexs' },
  'defillama.bridges': { source: 'defillama_activity', endpoint: 'all_bridges' },
};
const ENDPOINT_NAMES: Readonly<Record<string, string>> = {
  'binance.book': 'depth',
  'ecb.eurofxref_daily': 'daily',
  'ecb.eurofxref_hist90d': 'daily',
  'esma_mica.emt_register': 'emt',
  'ofac.sdn_csv': 'sdn',
  'ofac.sdn_comments_csv': 'sdn',
  'immunefi.bounty': 'bounties',
  'immunefi.bounty_list': 'bounties',
};
/** Replies of nodes and indexers of chains, which are all one source here. */
const CONSENSUS: Readonly<Record<string, string>> = {
  'avalanche.platform.getCurrentValidators': 'avalanche_operators',
  'mempool_space.hashrate': 'bitcoin_hashrate',
  'mempool_space.mining_pools': 'bitcoin_operators',
  'migalabs.client_distribution': 'ethereum_clients',
  'near.validators': 'near_operators',
  'solana_rpc.getVoteAccounts': 'solana_operators',
  'stellarbeat.nodes': 'stellar_operators',
  'sui.suix_getLatestSuiSystemState': 'sui_operators',
  'tron.listwitnesses': 'tron_operators',
  'xrpl.validator_list': 'xrpl_operators',
};
const OF_CHAINS: Readonly<Record<string, string>> = {
  largest_consensus_client_share: 'client_top_share',
  largest_validator_share: 'consensus_top_share',
  nakamoto_coefficient: 'consensus_nakamoto',
  halt_count: 'consensus_nakamoto',
};
const QUANTITIES: Readonly<Record<string, string>> = {
  last: 'venue_price_usd',
  volume_24h_quote: 'venue_volume_24h_usd',
  venue_depth_up_2pct: 'venue_depth_up_2pct',
  venue_depth_down_2pct: 'venue_depth_down_2pct',
};
const SEQUENCERS: Readonly<Record<string, string>> = { good: 'forced_inclusion', warning: 'single', bad: 'single' };

/** Our endpoint for a recording in the provider's words; null for one that is checked as an adapter states it, or that no adapter reads. */
export function oursOf(row: ListRow): Ours | null {
  const ofChain = CONSENSUS[`${row.source}.${row.endpoint}`];
  if (ofChain !== undefined) return { source: 'consensus_sets', endpoint: ofChain };
  const elsewhere = ELSEWHERE[`${row.source}.${row.endpoint}`];
  if (elsewhere !== undefined) return elsewhere;
  const source = SOURCE_NAMES[row.source] ?? row.source;
  const endpoint = ENDPOINT_NAMES[`${row.source}.${row.endpoint}`] ?? row.endpoint;
  const found = SOURCES.find(({ name }) => name === source)?.endpoints.find(({ name }) => name === endpoint);
  return found === undefined ? null : { source, endpoint };
}

/** Reads the checks of one recording that our adapters have a word for, each as a score would read it. */
export function readList(row: ListRow, ours: Ours, body: Uint8Array): ListReading {
  const source = SOURCES.find(({ name }) => name === ours.source);
  const endpoint = source?.endpoints.find(({ name }) => name === ours.endpoint);
  if (source === undefined || endpoint === undefined) return { wrong: [], unread: row.checks.length };
  const fetchedAt = row.recorded ?? new Date().toISOString();
  const meta = { status: 200, headers: {}, fetchedAt, url: row.url ?? '' };
  const read = (name: string, params: object, reply: Uint8Array) => {
    const at = source.endpoints.find((one) => one.name === name);
    return at === undefined ? null : readReply(source, at, params as never, reply, meta, 'recorded');
  };
  // Of a node the index names no address.
  const pathname = URL.parse(row.url ?? '')?.pathname ?? '/';
  const whole = read(ours.endpoint, { ...row.params, symbol: String(row.params?.pair ?? row.params?.symbol) }, body);
  // The reply of an API that its provider has replaced by the one we read.
  if (whole?.outcome === 'malformed' && pathname !== endpoint.request({ symbol: '', ...row.params } as never).path)
    return { wrong: [], unread: row.checks.filter(({ value }) => !isAbsent(value)).length };
  const { list } = endpoint;
  const rows = list === undefined ? [] : rowsIn(list.rowsOf, whole?.reply);
  const ofMarket = (scope: string): readonly Observation[] => {
    const params = { symbol: scope.split(':').slice(2).join(':'), usdPer: 1 };
    if (list?.standsInFor === undefined) return read(ours.endpoint, params, body)?.observations ?? [];
    const found = rows.find((one) => list.keysOf(one).includes(params.symbol)) ?? null;
    const reply = list.replyOf ? list.replyOf(found) : found;
    return read(list.standsInFor, params, Buffer.from(JSON.stringify(reply)))?.observations ?? [];
  };
  // Of the file itself: the rates of an old file are right, although they convert no market of today.
  const { usdPer = {} } = (rows[0] ?? {}) as { readonly usdPer?: Readonly<Record<string, number>> };
  const stated = (check: Check): unknown => {
    const { quantity, scope } = check;
    const counted = ours.source === 'consensus_sets' ? OF_CHAINS[quantity] : undefined;
    // A list that has expired, or that somebody else signed, is no set.
    if (quantity === 'halt_count' && whole?.outcome !== 'ok') return undefined;
    if (quantity === 'hashrate' && ours.source === 'consensus_sets')
      return hashrateOf(whole?.observations.find((one) => one.quantity === 'consensus_attack_usd')?.value);
    if (counted !== undefined) return whole?.observations.find((one) => one.quantity === counted)?.value ?? null;
    if (scope.startsWith('protocol:')) return ofProtocol(endpoint, whole?.reply, check);
    if (scope.startsWith('pool:')) return ofPool(rows, check);
    const name = QUANTITIES[quantity];
    if (name !== undefined && scope.startsWith('venue:')) {
      const suffix = name.startsWith('venue_depth') ? (check.lower_bound === true ? '_min_usd' : '_usd') : '';
      const found = ofMarket(scope).filter((one) => one.quantity === `${name}${suffix}`);
      // A book that was recorded with another limit than ours is cut off elsewhere.
      if (check.lower_bound === true && row.params?.limit !== limitOf(endpoint.request({ symbol: '' })))
        return undefined;
      // An estimate that says so is no quote volume of the exchange's.
      if (isAbsent(check.value) && found[0]?.meaning.includes('at the last price')) return null;
      // A price of nothing is no price.
      return found[0]?.value ?? (quantity === 'last' && check.value === 0 ? 0 : null);
    }
    const [, from = '', to = ''] = /^fx:([A-Z]{3})\/([A-Z]{3})$/.exec(scope) ?? [];
    if (quantity === 'usd_per') return usdPer[from] ?? null;
    if (quantity === 'rate') return (usdPer.EUR ?? 0) / (to === 'USD' ? 1 : (usdPer[to] ?? 0));
    if (quantity === 'currencies') return Object.keys(usdPer).length;
    if (quantity === 'date' && ours.source === 'ecb') return (rows[0] as { date?: string } | undefined)?.date ?? null;
    if (quantity === 'tickers_count') return rows.length;
    if (quantity === 'leveraged_tokens_count')
      return rows.filter((one) => /[2-5][LS]_/.test(JSON.stringify(one)) && list?.keysOf(one).length === 0).length;
    if (quantity === 'spot_depth') return ofMarket(scope).length;
    if (quantity === 'first_capture')
      return compact(whole?.observations.find((one) => one.quantity === 'site_archived_at')?.value);
    const ofProject = statedOfProjects(ours.source, rows, check, whole?.learned ?? {});
    if (ofProject !== undefined) return ofProject;
    if (ours.source === 'l2beat' && (quantity === 'l2_stage' || quantity === 'l2_risk_sequencer_failure')) {
      const [chain = ''] = scope.split(':').slice(1);
      const found = rows.find((one) => (one as { id?: string }).id === chain && list?.keysOf(one).length !== 0);
      if (found === undefined) return undefined;
      const [address = ''] = (list?.keysOf(found) ?? []).map((key) => key.split(':')[1]);
      const params = { chain, address };
      const wanted = quantity === 'l2_stage' ? 'l2_stage' : 'l2_sequencer_state';
      return read(ours.endpoint, params, body)?.observations.find((one) => one.quantity === wanted)?.value ?? null;
    }
    return undefined;
  };
  const results = row.checks.map((check) => ({ check, got: stated(check) }));
  return {
    wrong: results.flatMap(({ check, got }) =>
      got === undefined || agrees(check, got) ? [] : [{ file: row.file, ...scopeOf(check), want: check.value, got }],
    ),
    unread: results.filter(({ got }) => got === undefined).length,
  };
}

/** Hashes a second of Bitcoin, from what half of them cost; 1e-9 apart at most. */
function hashrateOf(attackUsd: unknown): number | null {
  const { usdPerHash, attackFactor = 1 } = CONSENSUS_CHAINS.bitcoin;
  return typeof attackUsd === 'number' && usdPerHash !== undefined ? (2 * attackUsd) / usdPerHash / attackFactor : null;
}

/** Value locked and category of a protocol, which its row names. */
function ofProtocol(endpoint: Endpoint, reply: unknown, { quantity, scope }: Check): unknown {
  const found = endpoint.records?.(reply as never, {}).find(({ name }) => `protocol:${name}` === scope);
  const observed = endpoint.observe(reply as never, { slug: String(found?.id) }, NO_META);
  if (quantity === 'protocol_tvl_usd') return found?.tvlUsd ?? null;
  return quantity === 'protocol_category'
    ? (observed.find((one) => one.quantity === quantity)?.value ?? null)
    : undefined;
}

/** A pool of those that are kept by the token that is deposited; one whose token its row does not name is kept nowhere. */
function ofPool(rows: readonly unknown[], { quantity, scope }: Check): unknown {
  const pools = rows.flatMap((row) => (row as { readonly pools?: readonly Kept[] }).pools ?? []);
  const found = pools.find(({ pool }) => `pool:${pool}` === scope);
  if (found === undefined) return undefined;
  return { pool_tvl_usd: found.tvlUsd, pool_apy_pct: found.apyPct }[quantity];
}

interface Kept {
  readonly pool: string;
  readonly tvlUsd: number;
  readonly apyPct: number | null;
}
const NO_META = { status: 200, headers: {}, fetchedAt: new Date(0).toISOString(), url: '' };

function agrees({ quantity, value }: Check, got: unknown): boolean {
  if (isAbsent(value)) return got === 0 || got === null;
  if (quantity === 'l2_stage') return String(value).toLowerCase().replace(' ', '') === got;
  if (quantity === 'l2_risk_sequencer_failure') return SEQUENCERS[String(value)] === got;
  return same(value, got);
}

/** `20010410213930` of an RFC 3339 date. */
const compact = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/[^0-9]/g, '').slice(0, 14) : null);

const limitOf = ({ query }: { readonly query?: Readonly<Record<string, unknown>> }) =>
  String(query?.limit ?? query?.sz);

const isAbsent = (value: unknown) => typeof value === 'string' && value.startsWith('ABSENT');

const scopeOf = ({ quantity, scope }: Check) => ({ quantity, scope: canonicalScope(scope) ?? scope });

function rowsIn(rowsOf: ((reply: unknown) => readonly unknown[]) | undefined, reply: unknown): readonly unknown[] {
  const found = reply === null || reply === undefined ? [] : (rowsOf?.(reply) ?? reply);
  return Array.isArray(found) ? found : [];
}
