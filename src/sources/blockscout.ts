import Type, { type Static } from 'typebox';
import { chainsOf, EVM_CHAINS, isBurnAddress } from '../chains/index.ts';
import { TESTNETS, testnetScope } from './explorers.ts';
import { kindOfTag } from './name-tags.ts';
import { holderRow, observed } from './observations.ts';
import { tokenOn } from './plans.ts';
import {
  evmAddress,
  FlagOptional,
  fields,
  fieldsOf,
  listsUnder,
  Maybe,
  readRaw,
  sharePctOf,
  TextOptional,
  text,
  tokensOf,
} from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Facts, fact, type Params } from './source.ts';

/** Params `{base, token}`; the bases are the chains that have a Blockscout instance. */
function planToken(facts: Facts): readonly Params[] {
  return tokenOn('blockscout')(facts).map(({ chain, address }) => ({ base: chain ?? null, token: address ?? null }));
}

const Token = Type.Object({
  // Newer instances return `address_hash`, older ones `address`.
  ...fields(TextOptional, 'address_hash', 'address', 'decimals', 'total_supply'),
  // Newer instances return `holders_count`, older ones `holders`.
  ...fields(TextOptional, 'holders_count', 'holders', 'type', 'name', 'symbol'),
});

const token = endpoint({
  name: 'token',
  doc: 'GET /api/v2/tokens/{address}: supply, decimals, holders. Numbers are strings, the supply is raw. https://docs.blockscout.com/api-reference/get-token-info',
  critical: true,
  plan: planToken,
  request: get('/tokens/{+token}', undefined, { base: '{base}' }),
  reply: Token,
  about: { param: 'token', named: (reply) => reply.address_hash ?? reply.address },
  observe: (reply) => {
    const supply = readRaw(reply.total_supply);
    const decimals = decimalsOf(reply);
    const scope = 'registry:blockscout';
    return [
      ...observed(
        'total_supply',
        supply === null || decimals === null ? null : tokensOf(supply, decimals),
        'total_supply; tokens sent to burn addresses are still included',
      ),
      ...observed('decimals', decimals, 'decimals'),
      ...observed('holder_count', holdersIn(reply.holders_count ?? reply.holders), 'addresses with a balance'),
      ...observed('registry_name', text(reply.name, 100), 'name() as indexed, outside text', { scope }),
      ...observed('registry_symbol', text(reply.symbol, 40), 'symbol() as indexed, outside text', { scope }),
    ];
  },
  learn: (reply) => fact('blockscout.supply', readRaw(reply.total_supply)?.toString()),
});

function decimalsOf(reply: Static<typeof Token>): number | null {
  const decimals = readRaw(reply.decimals);
  return decimals !== null && decimals <= 255n ? Number(decimals) : null;
}

/** 0 means "not counted". */
function holdersIn(value: unknown): number | null {
  return Number(readRaw(value) ?? 0n) || null;
}

const counters = endpoint({
  name: 'counters',
  doc: 'GET /api/v2/tokens/{address}/counters: token_holders_count, transfers_count, as strings. https://docs.blockscout.com/api-reference/get-token-counters',
  plan: planToken,
  request: get('/tokens/{+token}/counters', undefined, { base: '{base}' }),
  reply: Type.Object({ token_holders_count: TextOptional }),
  observe: (reply) =>
    observed('holder_count', holdersIn(reply.token_holders_count), 'token_holders_count: addresses with a balance'),
});

const Holders = Type.Object({
  items: Type.Array(
    Type.Object({
      value: Type.String(),
      address: Type.Object({
        hash: Type.String(),
        is_contract: FlagOptional,
        name: TextOptional,
        public_tags: Maybe(Type.Array(Type.Object({ display_name: TextOptional, label: TextOptional }))),
        metadata: Maybe(
          Type.Object({ tags: Maybe(Type.Array(Type.Object({ name: TextOptional, tagType: TextOptional }))) }),
        ),
      }),
    }),
  ),
});

const holders = endpoint({
  name: 'holders',
  doc: 'GET /api/v2/tokens/{address}/holders: the 50 largest, one page. Balances are raw strings. https://docs.blockscout.com/api-reference/get-token-holders',
  critical: true,
  plan: (facts) => {
    const supply = facts.learned['blockscout.supply'];
    return typeof supply === 'string' ? planToken(facts).map((params) => ({ ...params, supply })) : [];
  },
  request: get('/tokens/{+token}/holders', undefined, { base: '{base}' }),
  reply: Holders,
  classify: (reply) => ({ outcome: reply.items.length === 0 ? 'empty' : 'ok' }),
  learn: ({ items }) => ({
    'blockscout.holders': items.slice(0, 50).flatMap(({ address }) => evmAddress(address.hash) ?? []),
  }),
  observe: (reply, params) => {
    const supply = readRaw(params.supply);
    const rows = reply.items.flatMap(({ value, address }) => {
      const raw = readRaw(value);
      const sharePct = raw === null || supply === null ? null : exceeds(raw, supply) ? 100 : sharePctOf(raw, supply);
      const owner = evmAddress(address.hash);
      if (sharePct === null || owner === null) return [];
      const tag =
        text(address.public_tags?.[0]?.display_name, 60) ??
        text(address.metadata?.tags?.find((one) => one.tagType === 'name')?.name, 60);
      // The author of a contract chooses its name, so the name is shown but does not determine the kind.
      const label = tag ?? text(address.name, 60);
      const kind = isBurnAddress(owner) ? 'burn' : kindOfTag(tag);
      return [holderRow(owner, sharePct, { kind, label, isContract: address.is_contract ?? null })];
    });
    const isAbove = reply.items.some(({ value }) => exceeds(readRaw(value) ?? 0n, supply ?? 0n));
    return [
      ...observed('top_holders', rows.length === 0 ? null : rows, 'the 50 largest addresses, share of total supply'),
      // The supply may be older than the balances, so this is less reliable than an analysis of the source code.
      ...observed(
        'balance_mutable',
        isAbove || null,
        'a holder has more than the total supply, which does not count all units',
        {
          reliability: 0.6,
        },
      ),
    ];
  },
});

/** True when a balance exceeds the total supply. */
function exceeds(balance: bigint, supply: bigint): boolean {
  return supply > 0n && balance > supply;
}

/** Values of `proxy_type` (enumeration in the documentation, 2026); eip930 in older versions. */
const UPGRADABLE =
  /^(eip1967|eip1967_oz|eip1967_beacon|eip1822|eip930|eip2535|erc7760|resolved_delegate_proxy|basic_implementation|basic_get_implementation|comptroller)$/;
/** Clones forward to one fixed address. */
const FIXED = /^(eip1167|clone_with_immutable_arguments|minimal_proxy)$/;
/** The `implementations` of a diamond are facets, each for some of the functions. */
const DIAMOND = 'eip2535';

const contract = endpoint({
  name: 'smart_contract',
  doc: 'GET /api/v2/smart-contracts/{address}: is_verified, proxy_type, implementations. https://docs.blockscout.com/api-reference/get-smart-contract',
  plan: planToken,
  request: get('/smart-contracts/{+token}', undefined, { base: '{base}' }),
  reply: Type.Object({
    is_verified: FlagOptional,
    is_changed_bytecode: FlagOptional,
    proxy_type: TextOptional,
    implementations: Maybe(Type.Array(Type.Object({ address: TextOptional, address_hash: TextOptional }))),
  }),
  observe: (reply) => {
    // The reply for an unverified contract lacks `is_verified`.
    const verified = reply.is_verified === true && reply.is_changed_bytecode !== true;
    const [first] = reply.implementations ?? [];
    const kind = reply.proxy_type ?? '';
    // Other kinds and `unknown` give no observation: a Safe's master copy and an account's delegation are not token proxies.
    const canChange = UPGRADABLE.test(kind) || (FIXED.test(kind) ? false : null);
    return [
      ...observed('source_verified', verified, 'is_verified, and the bytecode has not changed since'),
      ...observed('is_proxy', canChange, `proxy_type ${text(kind, 40) ?? ''}`),
      ...observed(
        'proxy_implementation',
        kind === DIAMOND ? null : evmAddress(first?.address_hash ?? first?.address),
        'first of implementations',
      ),
    ];
  },
});

/** Maximum number of test network contracts that are requested. */
const MOST_CONTRACTS = 6;
/** A higher number of transactions is implausible for one contract. */
const MOST_TRANSACTIONS = 10_000_000_000n;
/** Base URLs of the test networks, by name. */
const TESTNET_BASES: Readonly<Record<string, string>> = Object.fromEntries(
  TESTNETS.map((row) => [row.name, `https://${row.blockscoutHost}/api/v2`]),
);

const testnetContract = endpoint({
  name: 'testnet_contract',
  doc: 'GET /api/v2/addresses/{address}/counters on a test network: transactions_count, as a string. Of contracts that a project without a token links on its own pages. https://docs.blockscout.com/api-reference/get-address-counters',
  plan: testnetContracts,
  request: get('/addresses/{+address}/counters', undefined, { base: '{testnet}' }),
  reply: Type.Object({ transactions_count: Type.String({ maxLength: 30 }) }),
  observe: (reply, params) => {
    const count = readRaw(reply.transactions_count);
    return observed(
      'testnet_transactions',
      count === null || count > MOST_TRANSACTIONS ? null : Number(count),
      'transactions_count: transactions from or to the address since its creation',
      { scope: testnetScope({ testnet: String(params.testnet), address: String(params.address) }) },
    );
  },
});

/** The contracts that pages name, in a stable order. They are validated again: a page may choose an address, never a host. */
function testnetContracts({ learned, stage }: Facts): readonly Params[] {
  if (stage !== 'pre_tge') return [];
  const named = listsUnder('website.testnet:', learned).flatMap((row) => {
    const { testnet, address } = fieldsOf(row);
    const isKnown = typeof testnet === 'string' && Object.hasOwn(TESTNET_BASES, testnet);
    return isKnown && typeof address === 'string' && /^0x[0-9a-f]{40}$/.test(address) ? [{ testnet, address }] : [];
  });
  return [...new Map(named.map((row) => [testnetScope(row), row])).values()].slice(0, MOST_CONTRACTS);
}

/**
 * Blockscout: one instance for each EVM chain, and those of public test networks for contracts that projects without a token link.
 *
 * Lineage: an independent indexer of the chain's logs; family `blockscout`, tier aggregator. Its `exchange_rate` and
 * market cap come from CoinGecko and are not used.
 * Terms: keyless access to each instance at about 3 requests a second, which will be discontinued; the PRO API takes a free key and is
 * recommended since 2026-07-01: 5 a second, 100,000 credits a day (https://docs.blockscout.com/devs/apis/requests-and-limits).
 * Quirks: every number is a string; `holders_count` is `holders` at older instances; the reply for an unverified contract lacks
 * `is_verified`; `public_tags` are user-provided names; no instance for BSC, none confirmed for Avalanche.
 */
export const blockscout = defineSource({
  name: 'blockscout',
  title: 'Blockscout',
  doc: 'https://docs.blockscout.com/devs/apis/rest',
  family: 'blockscout',
  tier: 'aggregator',
  reliability: 0.85,
  bases: {
    ...Object.fromEntries(
      EVM_CHAINS.flatMap(({ name, names }) =>
        names.blockscout === null ? [] : [[name, `https://${names.blockscout}/api/v2`]],
      ),
    ),
    ...TESTNET_BASES,
  },
  // The PRO API has one host for all chains, selected by chain id.
  key: {
    required: false,
    query: 'apikey',
    adds: 'requests: 5 a second at all chains together, 100,000 credits a day',
    from: 'https://dev.blockscout.com',
    baseWithKey: Object.fromEntries(
      EVM_CHAINS.flatMap(({ name, evmChainId, names }) =>
        names.blockscout === null ? [] : [[name, `https://api.blockscout.com/${evmChainId}/api/v2`]],
      ),
    ),
  },
  terms: {
    attribution: { text: 'Explorer data by Blockscout', url: 'https://www.blockscout.com' },
    redistribute: true,
    keepBodyDays: null,
    note: 'Open explorer of public chain data; the end of keyless access to single instances is announced.',
  },
  budget: { perMinute: 120, burst: 1, concurrency: 3, shareSeconds: 30 },
  timeoutMs: 10_000,
  chains: chainsOf('blockscout'),
  provides: { holdings: 3, names: 8, holders: 4, explorer: 1, testnet: 1, verified_code: 2, proxies: 3, creation: 3 },
  endpoints: [token, holders, counters, contract, testnetContract],
});
