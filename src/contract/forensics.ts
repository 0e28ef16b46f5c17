import Type from 'typebox';
import {
  AssetView,
  ageSeconds,
  attributions,
  count,
  DataMode,
  list,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  sources,
  time,
} from './vocabulary.ts';

const raw = (description: string) =>
  Type.String({ description: `${description} Base units, a decimal string.`, examples: ['15230000000'] });
const confidence = Type.Number({ minimum: 0, maximum: 1, description: 'How sure the statement is, 0-1.' });
const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} Percent.` });
const at = nullableTime('Time of the transaction; null where the chain’s reply has none.');
const label = Type.Object(
  {
    kind: Type.String({ description: 'What the address is, such as `exchange` or `pool`.' }),
    name: Type.String({ description: 'Readable name.' }),
    source: Type.String({ description: 'Source that states it.' }),
    confidence,
  },
  { title: 'AddressLabel', description: 'A name that is known of an address.' },
);
const transaction = Type.String({ description: 'Signature or hash of the transaction.' });
const address = (description: string) => Type.String({ description });
const priceSource = nullableText('Source of the price of that time; null without a price.');
const labels = Type.Array(label, { description: 'Names that are known of the address.' });

/** Last fields of both searches. */
const tail = {
  limits: Type.Array(
    Type.Object({
      code: Type.String({ description: 'A stable code.' }),
      detail: Type.String({ description: 'What it means here.' }),
    }),
    {
      description:
        'What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen.',
    },
  ),
  work: Type.Object(
    {
      calls: Type.Integer({ description: 'Requests to nodes and explorers.' }),
      bytes: Type.Integer({ description: 'Bytes read.' }),
      milliseconds: Type.Integer({ description: 'Time it took.' }),
      ended: oneOf('Why it ended: `complete`, or the bound that it reached.', ['complete', 'calls', 'bytes', 'time']),
    },
    { description: 'What the search cost.' },
  ),
  receipts: Type.Array(
    Type.Object({
      source: Type.String({ description: 'Node or explorer that was requested.' }),
      request: Type.String({ description: 'Method and its argument.' }),
      sha256: Type.String({ description: 'Of the reply, hex.' }),
      bytes: Type.Integer({ description: 'Length of the reply.' }),
      fetched_at: time('When it came.'),
    }),
    { description: 'Every reply that the findings rest on.' },
  ),
  sources,
  attributions,
  as_of: time('When the search ended.'),
  data_mode: DataMode,
  age_seconds: ageSeconds,
};

const recipient = Type.Object({
  address: address('Who got it.'),
  labels,
  asset: Type.String({ description: 'Mint, contract, or `native` for the chain’s own coin.' }),
  amount_raw: raw('What it got.'),
  amount: nullableNumber('Whole tokens.'),
  usd: nullableNumber('Dollars at that time.'),
  presumed: Type.Boolean({ description: 'The chain does not show the last step: the sender is assumed.' }),
});

const holder = Type.Object({ address: address('The wallet.'), share_pct: share('Of total supply, bought then.') });
const pValue = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const nullModel = Type.Object(
  {
    basis: oneOf(
      'Whose payers a group is compared with: wallets of other assets that this installation searched for, or those of a public study.',
      ['own_searches', 'public_study'],
    ),
    wallets: count('Wallets in it.'),
  },
  { description: 'What chance is measured by: docs/forensics.md.' },
);

export const LaunchView = Type.Object(
  {
    pool: address('Pool or curve whose beginning was read: the oldest that could be.'),
    dex: Type.String({ description: 'The exchange it belongs to.' }),
    creator: nullableText('Who created the asset; where no source states it, who filled the pool.'),
    opening: Type.Object(
      {
        transaction,
        height: Type.Integer({ description: 'Slot or block number.' }),
        at,
        signer: nullableText('Who signed it.'),
      },
      { description: 'The transaction that filled the pool or curve.' },
    ),
    first_block: Type.Integer({ description: 'Slot or block of the first purchases; all that follows is about it.' }),
    first_block_at: at,
    buyers: count('Wallets that bought in it, the creator with the opening included.'),
    payers_looked_for: count('Of them, the largest, whose first payment was searched for.'),
    payers_known: count('Of the buyers, those whose first payment was found.'),
    bought_pct: share('Of total supply, bought by all of them.'),
    bundled_pct: share('Of total supply, bought by the largest bundle: the quantity of the flag BUNDLED_LAUNCH.'),
    dev_pct: share('Of total supply, bought by the creator itself.'),
    insiders_pct: share('Of total supply, bought by wallets that the creator paid before the launch.'),
    snipers_pct: share('Of total supply, bought by others that are in no bundle.'),
    bundles: Type.Array(
      Type.Object({
        share_pct: share('Of total supply, bought by its members.'),
        confidence,
        links: Type.Array(
          oneOf('A stable word, explained in docs/forensics.md.', [
            'same_transaction',
            'same_signer',
            'funded_by_creator',
            'common_funder',
            'equal_payments',
            'consecutive',
          ]),
          { description: 'What holds it together.' },
        ),
        funder: nullableText('Who first paid several of its members, where that is not explained by chance.'),
        p_value: Type.Union(
          [pValue('The chance that as many random wallets of the same time show such a payer.'), Type.Null()],
          { description: 'Null: no payer holds it together.' },
        ),
        members: Type.Array(
          Type.Object({
            address: address('The wallet that bought.'),
            share_pct: share('Of total supply.'),
            transaction,
            position: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Place of the transaction in its block, from 0; null where it is not known.',
            }),
            funder: nullableText('Who first paid it; null: not known.'),
            funder_is_service: Type.Boolean({ description: 'An exchange or another wallet of very many payments.' }),
            funded_at: nullableTime('When.'),
          }),
          { description: 'Its wallets.' },
        ),
      }),
      { description: 'Several wallets that one person appears to control; the largest share first.' },
    ),
    snipers: Type.Array(holder, { description: 'Buyers of the first block without a known owner.' }),
    insiders: Type.Array(holder, {
      description: 'Buyers that were funded earlier by the creator, or by a wallet that it funded first.',
    }),
    by_chance: Type.Array(
      Type.Object({
        funder: address('Who paid them.'),
        wallets: count('Buyers that it paid first.'),
        p_value: pValue('How often random groups show as much.'),
      }),
      { description: 'Payers of several buyers that chance explains: no bundles.' },
    ),
    null_model: nullModel,
  },
  { title: 'Launch', description: 'Who bought in the first block.' },
);

export const ForensicsView = Type.Object(
  {
    asset: AssetView,
    verdict: oneOf(
      '`drained_by_linked_wallets`: at least 90 % of a pool’s liquidity was removed within 24 hours by wallets linked to the creator. `drained`: at least 90 % of the largest amount seen is gone. `large_removals`: single large losses. `not_seen`: no pool’s history could be read.',
      ['drained_by_linked_wallets', 'drained', 'large_removals', 'no_drain_seen', 'not_seen'],
    ),
    summary: Type.String({ description: 'The finding in a few sentences.' }),
    flags: Type.Array(Type.String(), { description: 'Flags of the rating that concern this.' }),
    default_tests: Type.Array(Type.String(), { description: 'Default tests that hold (D6: executed rug).' }),
    creator: Type.Union([Type.Object({ address: address('Wallet that created it.'), sources }), Type.Null()], {
      description: 'Who created the asset; null when not known.',
    }),
    pools: Type.Array(
      Type.Object({
        address: address('Address of the pool.'),
        dex: Type.String({ description: 'The exchange it belongs to.' }),
        quote: Type.String({ description: 'The token that it trades against.' }),
        peak_raw: raw('The most of the quote token that it was seen to hold.'),
        peak: nullableNumber('Whole tokens.'),
        now_raw: raw('What it holds now.'),
        now: nullableNumber('Whole tokens.'),
        gone_pct: share('Of the peak, gone now.'),
        removed_within_24h_pct: share('Most that removals took within 24 hours.'),
        removed_within_24h_by_linked_pct: share('The same, by wallets linked to the creator.'),
        transactions_listed: count('Transactions of the pool that were listed.'),
        transactions_examined: count('Of them, those whose content was read.'),
        since: nullableTime('Time of the oldest transaction that was listed.'),
      }),
      { description: 'The pools that were looked at: the largest, the oldest and the next largest.' },
    ),
    events: Type.Array(
      Type.Object({
        kind: oneOf('`removal`: liquidity was taken out. `sale`: the asset was sold into the pool.', [
          'removal',
          'sale',
        ]),
        pool: address('Address of the pool.'),
        dex: Type.String({ description: 'The exchange it belongs to.' }),
        transaction,
        height: Type.Integer({ description: 'Slot or block number.' }),
        at,
        actor: nullableText('Who signed it and paid its fee.'),
        actor_labels: labels,
        liquidity_owner: nullableText('Whose liquidity tokens were given back; null where the chain does not show it.'),
        quote: address('Mint or contract of the quote token.'),
        quote_amount_raw: raw('Quote tokens that left the pool.'),
        quote_amount: nullableNumber('Whole tokens.'),
        quote_usd: nullableNumber('Dollars at that time.'),
        price_source: priceSource,
        base_amount_raw: raw('Of the asset, out of the pool; negative when it went in.'),
        base_amount: nullableNumber('Whole tokens.'),
        share_of_pool_pct: share('Of the quote tokens that the pool held just before.'),
        recipients: Type.Array(recipient, { description: 'Who got the money, and how much.' }),
        basis: oneOf('The pool’s own events, or what its balances did.', ['events', 'balances']),
        source: Type.String({ description: 'Where it was read: the node or explorer.' }),
        confidence,
      }),
      { description: 'Oldest first; the largest of each pool.' },
    ),
    flows: Type.Array(
      Type.Object({
        step: Type.Integer({ minimum: 1, description: '1: from who got the money out of the pool.' }),
        from: address('Who sent it on.'),
        to: nullableText('Null: it was exchanged for something else.'),
        to_labels: labels,
        to_is_service: Type.Boolean({
          description: 'An exchange or another address of very many people’s money: from here on nothing is seen.',
        }),
        kind: oneOf('It was sent on, or exchanged for something else.', ['transfer', 'exchange']),
        asset: address('Mint, contract, or `native` for the chain’s own coin.'),
        amount_raw: raw('What went on.'),
        amount: nullableNumber('Whole tokens.'),
        usd: nullableNumber('Dollars at that time.'),
        price_source: priceSource,
        transaction,
        at,
        source: Type.String({ description: 'Where it was read: the node or explorer.' }),
        confidence,
      }),
      { description: 'Where the money went, at most two steps.' },
    ),
    links: Type.Array(
      Type.Object({
        wallet: address('The wallet that took part.'),
        role: oneOf('What it did: took the liquidity out, owned it, got the money, or passed it on.', [
          'actor',
          'liquidity_owner',
          'recipient',
          'hop',
        ]),
        how: oneOf('What ties it to the creator (docs/forensics.md has the confidence of each).', [
          'is_creator',
          'funded_by_creator',
          'funded_creator',
          'common_funder',
          'paid_creator',
        ]),
        transaction: nullableText('What shows it; null where the wallet is the creator’s itself.'),
        confidence,
      }),
      { description: 'Why wallets that took part belong to the creator.' },
    ),
    first_payments: Type.Array(
      Type.Object({
        wallet: address('The wallet that was paid.'),
        funder: address('Who paid it first.'),
        funder_labels: labels,
        funder_is_service: Type.Boolean({ description: 'An exchange or another wallet of very many payments.' }),
        amount_raw: raw('Of the chain’s own coin.'),
        transaction,
        at,
      }),
      { description: 'Who first paid the creator and the wallets that took part.' },
    ),
    launch: Type.Union([LaunchView, Type.Null()], {
      description: 'The launch; null when its beginning could not be read, and `limits` states why.',
    }),
    ...tail,
  },
  { title: 'Forensics', description: 'Who emptied an asset’s pools, and where the money went.' },
);

export const ClustersView = Type.Object(
  {
    asset: AssetView,
    method: Type.Literal('first_payment', { description: 'Wallets that the same wallet paid first are together.' }),
    clusters: Type.Array(
      Type.Object({
        funder: nullableText(
          'Who first paid several of them; null when they paid one another only, or payments of one amount by several payers join them.',
        ),
        share_pct: share('Of total supply, all members together.'),
        confidence,
        reasons: list('What groups them.'),
        p_value: Type.Union(
          [pValue('The chance that as many random wallets of the same time show such a payer.'), Type.Null()],
          { description: 'Null: no common payer holds it together.' },
        ),
        members: Type.Array(
          Type.Object({
            address: address('The holder’s wallet.'),
            share_pct: share('Of total supply.'),
            funder: nullableText('Who first paid this wallet, where it is known.'),
            transaction: nullableText('The payment.'),
            at,
          }),
          { description: 'The holders of the cluster.' },
        ),
      }),
      { description: 'Two members at least; the largest share first.' },
    ),
    by_chance: Type.Array(
      Type.Object({
        funder: address('Who first paid them.'),
        members: Type.Array(Type.String(), { description: 'Holders that it paid first.' }),
        share_pct: share('Of total supply.'),
        p_value: pValue('How often random groups show as much.'),
      }),
      { description: 'Common payers that chance explains: no clusters.' },
    ),
    null_model: nullModel,
    clustered_share_pct: share('Of total supply, in clusters.'),
    owners: Type.Object(
      {
        listed: Type.Integer({
          description: 'Largest holders that are neither pools, exchanges nor programs, as far as names show.',
        }),
        looked_at: count('Of them, those whose first payment was searched for.'),
        first_payment_known: count('Of them, those whose first payment was found.'),
        share_looked_at_pct: share('Of total supply.'),
        paid_by_services: Type.Integer({
          description: 'Of them, first funded by an exchange or the like, which links no holders.',
        }),
        source: nullableText('Who lists the holders.'),
        as_of: nullableTime('When that list was true.'),
      },
      { description: 'The holders that were looked at.' },
    ),
    services: Type.Array(Type.String(), { description: 'Payers that are services, which links no holders.' }),
    insider_network: Type.Union(
      [Type.Object({ share_pct: share('Of total supply.'), sources, confidence }), Type.Null()],
      {
        description:
          'Share that a source’s own graph of transfers ties to insiders; its wallets are not named. Null: no source states it.',
      },
    ),
    ...tail,
  },
  { title: 'HolderClusters', description: 'The largest holders, put together by their first payer.' },
);

export const SearchingView = Type.Object(
  {
    state: Type.Literal('searching', { description: 'It continues; repeat the request after `Retry-After` seconds.' }),
    started_at: time('When the search began.'),
    detail: Type.String({ description: 'The same as text.' }),
    data_mode: DataMode,
  },
  { title: 'Searching', description: 'The search is still under way.' },
);

/** The stored launch of an asset. */
export type LaunchRecord = Reply<typeof LaunchView>;

/** The result of a search; age and data mode are added when it is served. */
export type DrainRecord = Omit<Reply<typeof ForensicsView>, 'age_seconds' | 'data_mode'>;
export type ClusterRecord = Omit<Reply<typeof ClustersView>, 'age_seconds' | 'data_mode'>;
