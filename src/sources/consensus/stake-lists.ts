import Type from 'typebox';
import { observed } from '../observations.ts';
import { fields, fieldsOf, Loose, LooseOptional, listIn, Maybe, num, TextOptional } from '../read.ts';
import { get, post, rpcCall } from '../requests.ts';
import { type Endpoint, fact } from '../source.ts';
import { coinWith, held, operatorsEndpoint, rpcReply } from './endpoints.ts';
import { CONSENSUS_CHAINS, operator, weightOf } from './operators.ts';

/** The chain has hundreds of validators: fewer than this are a test network or a sample. */
const LEAST_NEAR = 10;
const near = operatorsEndpoint({
  chain: 'near',
  doc: 'RPC validators [null]: current_validators of the epoch, stake in yocto (docs.near.org, RPC validation)',
  request: () => rpcCall('near', 'validators', [null]),
  reply: rpcReply(
    Type.Object({
      current_validators: Type.Array(Type.Object({ account_id: Type.String(), stake: Type.String() })),
      epoch_height: Type.Optional(Type.Number()),
    }),
  ),
  read: ({ result: { current_validators: validators, epoch_height: epoch } }) =>
    validators.length < LEAST_NEAR
      ? `${validators.length} validators are not the whole set`
      : {
          operators: validators.map((row) => operator(row.account_id, row.stake)),
          window: epoch === undefined ? 'now' : `epoch ${epoch}`,
        },
});

const aptos = operatorsEndpoint({
  chain: 'aptos',
  doc: '0x1::stake::ValidatorSet of account 0x1: voting power of the active validators (aptos-core, stake.move)',
  request: get('/v1/accounts/0x1/resource/0x1::stake::ValidatorSet', undefined, { base: 'aptos' }),
  reply: Type.Object({
    data: Type.Object({
      active_validators: Type.Array(Type.Object({ addr: Type.String(), voting_power: Type.String() })),
    }),
  }),
  read: ({ data }) => ({ operators: data.active_validators.map((row) => operator(row.addr, row.voting_power)) }),
});

const algorand = operatorsEndpoint({
  chain: 'algorand',
  doc: 'afmetrics.api.nodely.io /v1/realtime/participation/validators: accounts that are online, with their stake (xenowits/nakomoto-coefficient-calculator)',
  request: get('/v1/realtime/participation/validators', undefined, { base: 'algorand' }),
  reply: Type.Array(Type.Object({ addr: TextOptional, address: TextOptional, stake: Loose, status: TextOptional }), {
    minItems: 2,
  }),
  read: (rows) => ({
    operators: rows
      .filter((row) => (row.status ?? 'online').toLowerCase() === 'online')
      .map((row, index) => operator(row.addr ?? row.address ?? index, row.stake)),
    reliability: 0.7,
  }),
});

const MOST_BAKERS = 10_000;
const tezos = operatorsEndpoint({
  chain: 'tezos',
  doc: 'api.tzkt.io/v1/delegates?active=true: baking stake in mutez (TzKT’s documentation)',
  request: get(
    '/v1/delegates',
    { active: true, limit: MOST_BAKERS, select: 'address,alias,stakingBalance' },
    { base: 'tezos' },
  ),
  reply: Type.Array(Type.Object({ address: Type.String(), stakingBalance: Type.Number() }), {
    minItems: 2,
  }),
  read: (rows) =>
    rows.length >= MOST_BAKERS
      ? 'the reply is a page of a longer list'
      : { operators: rows.map((row) => operator(row.address, row.stakingBalance)) },
});

const multiversx = operatorsEndpoint({
  chain: 'multiversx',
  doc: 'api.multiversx.com/identities: validators by identity; each validator has one seat (MultiversX’s documentation)',
  maxBytes: 8 * 1024 * 1024,
  request: get('/identities', undefined, { base: 'multiversx' }),
  reply: Type.Array(Type.Object({ identity: TextOptional, name: TextOptional, validators: LooseOptional }), {
    minItems: 2,
  }),
  read: (rows) => ({
    operators: rows
      .filter((row) => num(row.validators) !== 0 && num(row.validators) !== null)
      .map((row, index) => operator(row.identity ?? `${row.name ?? ''}#${index}`, row.validators)),
    unit: 'entries',
  }),
});

const hyperliquid = operatorsEndpoint({
  chain: 'hyperliquid',
  doc: 'POST /info {"type":"validatorSummaries"}: stake of active validators, units of 1e-8 (Hyperliquid’s documentation)',
  request: () => post('/info', { type: 'validatorSummaries' }, { base: 'hyperliquid' }),
  reply: Type.Array(Type.Object({ validator: Type.String(), stake: Type.Number(), isActive: Type.Boolean() }), {
    minItems: 2,
  }),
  read: (rows) => ({
    operators: rows.filter(({ isActive }) => isActive).map((row) => operator(row.validator, row.stake)),
  }),
});

const AvalancheRow = Type.Object({
  nodeID: Type.String(),
  weight: Type.Optional(Type.String()),
  stakeAmount: Type.Optional(Type.String()),
  delegatorWeight: Maybe(Type.String()),
  validationRewardOwner: Maybe(Type.Object({ addresses: Type.Array(Type.String()) })),
});
const avalanche = operatorsEndpoint({
  chain: 'avalanche',
  doc: 'platform.getCurrentValidators of the primary network: own and delegated stake by the owner of the rewards (avalanchego, platformvm/service.md)',
  maxBytes: 16 * 1024 * 1024,
  request: () => rpcCall('avalanche', 'platform.getCurrentValidators', {}, '/ext/bc/P'),
  reply: rpcReply(Type.Object({ validators: Type.Array(AvalancheRow) })),
  read: ({ result }) => ({
    operators: result.validators.map((row) => {
      const owner = (row.validationRewardOwner?.addresses ?? []).toSorted().join();
      const own = num(row.weight ?? row.stakeAmount) ?? Number.NaN;
      return operator(owner === '' ? row.nodeID : owner, own + (num(row.delegatorWeight ?? '0') ?? Number.NaN));
    }),
  }),
});

const PRODUCERS = 27;
const tron = operatorsEndpoint({
  chain: 'tron',
  doc: '/wallet/listwitnesses: votes of the 27 that produce (isJobs); each has one slot, so that 9 of them stop finality whatever their votes. Checked against a recording',
  request: () => post('/wallet/listwitnesses', {}, { base: 'tron' }),
  reply: Type.Object({
    witnesses: Type.Array(
      Type.Object({ address: Type.String(), voteCount: LooseOptional, isJobs: Type.Optional(Type.Boolean()) }),
    ),
  }),
  read: ({ witnesses }) => {
    const producers = witnesses.filter(({ isJobs }) => isJobs === true);
    return producers.length === PRODUCERS
      ? { operators: producers.map((row) => operator(row.address, row.voteCount)), unit: 'votes' }
      : `${producers.length} producers of ${PRODUCERS}`;
  },
});

const ton = operatorsEndpoint({
  chain: 'ton',
  doc: 'tonapi.io/v2/blockchain/validators: stake of each validator of the round in nano (opentonapi, openapi.yml); one operator may run several',
  request: get('/v2/blockchain/validators', undefined, { base: 'ton' }),
  reply: Type.Object({
    elect_at: LooseOptional,
    validators: Type.Array(Type.Object({ address: Type.String(), stake: Loose })),
  }),
  read: ({ validators, elect_at }) => ({
    operators: validators.map((row) => operator(row.address, row.stake)),
    window: `round ${String(elect_at ?? 'now')}`,
    reliability: 0.75,
  }),
});

const MOST_POOLS = 1_000;
/** Share of all stake that the pools in the reply must hold; the reply has the largest thousand of about three thousand. */
const LEAST_SHARE = 0.9;
const CARDANO_STAKE = 'consensus_sets.cardanoStake';
const cardano: readonly Endpoint[] = [
  ...held({
    chain: 'cardano',
    name: 'cardano_epoch',
    doc: 'koios /epoch_info: active stake of the newest epochs in lovelace, transactions of the last whole one (api.koios.rest)',
    request: get(
      '/epoch_info',
      { order: 'epoch_no.desc', limit: 2, select: 'epoch_no,active_stake,tx_count,start_time,end_time' },
      { base: 'cardano' },
    ),
    reply: Type.Array(
      Type.Object({
        epoch_no: Type.Number(),
        active_stake: Maybe(Loose),
        ...fields(LooseOptional, 'tx_count', 'start_time', 'end_time'),
      }),
      { minItems: 1 },
    ),
    observe: (rows, _params, { fetchedAt }) => {
      const whole = rows.find((row) => (num(row.end_time) ?? Number.POSITIVE_INFINITY) * 1000 <= Date.parse(fetchedAt));
      const [count, from, to] = [num(whole?.tx_count), num(whole?.start_time), num(whole?.end_time)];
      return observed(
        'transactions_24h',
        count === null || from === null || to === null || to <= from ? null : (count * 86_400) / (to - from),
        `mean of epoch ${whole?.epoch_no ?? ''}`,
      );
    },
    learn: (rows) =>
      fact(
        CARDANO_STAKE,
        rows.map((row) => num(row.active_stake)).find((stake) => stake !== null && stake > 0),
      ),
  }),
  ...operatorsEndpoint({
    chain: 'cardano',
    doc: 'koios /pool_list by active stake: the largest thousand pools, joined by pool_group; the stake of the others is assigned to no operator',
    plan: coinWith('cardano', 'all', CARDANO_STAKE, Number.isFinite),
    request: get(
      '/pool_list',
      {
        pool_status: 'eq.registered',
        order: 'active_stake.desc.nullslast',
        limit: MOST_POOLS,
        select: 'pool_id_bech32,ticker,active_stake,pool_group',
      },
      { base: 'cardano' },
    ),
    reply: Type.Array(
      Type.Object({ pool_id_bech32: Type.String(), active_stake: Maybe(Loose), pool_group: TextOptional }),
    ),
    read: (rows, params) => {
      const all = num(params.all) ?? Number.NaN;
      const operators = rows
        .filter((row) => row.active_stake !== null && row.active_stake !== undefined)
        .map((row) => operator(row.pool_group || row.pool_id_bech32, row.active_stake));
      const known = weightOf(operators);
      if (!(known >= all * LEAST_SHARE)) return `pools hold ${known} of ${all}`;
      return { operators, excluded: Math.max(0, all - known), reliability: 0.8 };
    },
  }),
];

const EPOCHS_A_YEAR = 73;
const cardanoSupply = held({
  chain: 'cardano',
  name: 'cardano_supply',
  doc: `koios /totals: supply by epoch in lovelace; ${EPOCHS_A_YEAR} epochs of five days are a year (api.koios.rest)`,
  request: get(
    '/totals',
    { order: 'epoch_no.desc', limit: EPOCHS_A_YEAR + 1, select: 'epoch_no,supply' },
    { base: 'cardano' },
  ),
  reply: Type.Array(Type.Object({ epoch_no: Type.Number(), supply: Loose })),
  observe: (rows) => {
    const [now] = rows;
    const before = rows.find((row) => row.epoch_no + EPOCHS_A_YEAR === now?.epoch_no);
    const [supply, earlier] = [num(now?.supply), num(before?.supply)];
    return observed(
      'supply_growth_365d',
      supply === null || earlier === null ? null : supply / earlier - 1,
      `supply of epoch ${now?.epoch_no ?? ''} over that of a year before`,
    );
  },
});

const HEDERA_FIRST = 'consensus_sets.hederaFirst';
const HEDERA_PAGE = 25;
const HederaNodes = Type.Object({
  nodes: Type.Array(Type.Object({ node_id: Type.Number(), stake: Loose }), { minItems: 1 }),
  links: Type.Object({ next: TextOptional }),
});
/** The mirror node returns 25 nodes a page. The set comes from the second page, whose parameters contain the first. */
const hedera: readonly Endpoint[] = [
  ...held({
    chain: 'hedera',
    name: 'hedera_first_nodes',
    doc: `/api/v1/network/nodes?limit=${HEDERA_PAGE}: stake of the first nodes in tinybars (Hedera’s documentation)`,
    request: get('/api/v1/network/nodes', { limit: HEDERA_PAGE, order: 'asc' }, { base: 'hedera' }),
    reply: HederaNodes,
    learn: ({ nodes }) =>
      fact(
        HEDERA_FIRST,
        nodes.map((row) => ({ id: row.node_id, stake: row.stake })),
      ),
  }),
  ...operatorsEndpoint({
    chain: 'hedera',
    doc: `/api/v1/network/nodes?node.id=gt:${HEDERA_PAGE - 1}: the other nodes; those of the first page are in the parameters`,
    plan: coinWith('hedera', 'before', HEDERA_FIRST, Array.isArray),
    request: get(
      '/api/v1/network/nodes',
      { limit: HEDERA_PAGE, order: 'asc', 'node.id': `gt:${HEDERA_PAGE - 1}` },
      { base: 'hedera' },
    ),
    reply: HederaNodes,
    read: ({ nodes, links }, params) => {
      const before = listIn(params.before).map(fieldsOf);
      if (links.next) return 'the reply is a page of a longer list';
      const ids = [...before.map(({ id }) => id), ...nodes.map(({ node_id: id }) => id)];
      // Nodes are numbered from 0 without gaps except for removed nodes, so the pages must be adjacent.
      if (before.length !== HEDERA_PAGE || new Set(ids).size !== ids.length) return 'the pages are not contiguous';
      return {
        operators: [
          ...before.map((row) => operator(row.id, row.stake)),
          ...nodes.map((row) => operator(row.node_id, row.stake)),
        ],
      };
    },
  }),
];

/** Total voting power. No validator has more than a tenth of it, whatever its stake. */
const ALL_POWER = 10_000;

/** The voting powers must sum to the total; otherwise an incomplete list would count as the whole set. */
export const suiSet: readonly Endpoint[] = operatorsEndpoint({
  chain: 'sui',
  doc: 'suix_getLatestSuiSystemState: voting power of the active validators, in parts of 10,000, and all stake in MIST; JSON-RPC, which its provider calls deprecated (sui-json-rpc-types; checked against a recording that was cut to one validator)',
  maxBytes: 8 * 1024 * 1024,
  request: () => rpcCall('sui', 'suix_getLatestSuiSystemState', []),
  reply: rpcReply(
    Type.Object({
      epoch: Type.String(),
      totalStake: Type.String(),
      activeValidators: Type.Array(Type.Object({ suiAddress: Type.String(), votingPower: Type.String() })),
    }),
  ),
  read: ({ result }) => {
    const operators = result.activeValidators.map((row) => operator(row.suiAddress, row.votingPower));
    const power = weightOf(operators);
    if (power !== ALL_POWER) return `the validators have ${power} of ${ALL_POWER} votes`;
    return { window: `epoch ${result.epoch}`, unit: 'votes', operators };
  },
  also: ({ result }) => {
    const { threshold, decimals = 0 } = CONSENSUS_CHAINS.sui;
    const stake = num(result.totalStake);
    return observed(
      'consensus_stake_tokens',
      stake === null ? null : (stake / 10 ** decimals) * threshold,
      `a third of all stake, epoch ${result.epoch}`,
    );
  },
});

/** `Session.Validators` (twox128 of both names), a compact length and as many keys of 32 bytes. */
const SESSION_VALIDATORS = '0xcec5070d609dd3497f72bde07fc96ba088dcde934c658227ee1dfafcd6e16903';
const KEY_DIGITS = 64;
const session = (chain: 'polkadot' | 'kusama') =>
  operatorsEndpoint({
    chain,
    doc: 'state_getStorage of Session.Validators: the validators of the session, each with one vote; operators that run several are not identified (polkadot-sdk, pallet-session)',
    request: () => rpcCall(chain, 'state_getStorage', [SESSION_VALIDATORS]),
    reply: rpcReply(Type.String()),
    read: ({ result }) => {
      const keys = sessionKeys(result);
      if (keys === null) return 'the storage is not a list of keys';
      return { operators: keys.map((key) => operator(key, 1)), unit: 'entries', reliability: 0.5 };
    },
  });

/** Keys of a SCALE list (compact length, then keys); null for anything else. */
function sessionKeys(storage: string): readonly string[] | null {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(storage)) return null;
  const first = Number.parseInt(storage.slice(2, 4), 16);
  const bytes = [1, 2, 4][first & 3];
  if (bytes === undefined) return null;
  const length =
    [...storage.slice(2, 2 + 2 * bytes).matchAll(/../g)].reduce(
      (sum, [pair], index) => sum + Number.parseInt(pair, 16) * 256 ** index,
      0,
    ) >>> 2;
  const body = storage.slice(2 + 2 * bytes);
  return body.length === length * KEY_DIGITS ? [...body.matchAll(/.{64}/g)].map(([key]) => key) : null;
}

export const stakeLists: readonly Endpoint[] = [
  ...near,
  ...aptos,
  ...algorand,
  ...tezos,
  ...multiversx,
  ...hyperliquid,
  ...avalanche,
  ...tron,
  ...ton,
  ...cardano,
  ...cardanoSupply,
  ...hedera,
  ...session('polkadot'),
  ...session('kusama'),
];

export const STAKE_BASES = {
  near: 'https://rpc.mainnet.near.org',
  aptos: 'https://fullnode.mainnet.aptoslabs.com',
  algorand: 'https://afmetrics.api.nodely.io',
  tezos: 'https://api.tzkt.io',
  multiversx: 'https://api.multiversx.com',
  hyperliquid: 'https://api.hyperliquid.xyz',
  avalanche: 'https://api.avax.network',
  tron: 'https://api.trongrid.io',
  ton: 'https://tonapi.io',
  cardano: 'https://api.koios.rest/api/v1',
  hedera: 'https://mainnet-public.mirrornode.hedera.com',
  polkadot: 'https://rpc.polkadot.io',
  kusama: 'https://kusama-rpc.polkadot.io',
};
