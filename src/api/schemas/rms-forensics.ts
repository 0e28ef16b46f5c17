import Type from 'typebox';
import { AssetView, nullable, nullableNumber, nullableText, words } from './chain.ts';

const raw = (description: string) =>
  Type.String({ description: `${description} Base units, a decimal string.`, examples: ['15230000000'] });
const confidence = Type.Number({ minimum: 0, maximum: 1, description: 'How sure the statement is, 0-1.' });
const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} Percent.` });
const time = nullableText('RFC 3339 UTC; null where the chain’s reply has no time.');
const label = Type.Object({ kind: Type.String(), name: Type.String(), source: Type.String(), confidence });
const labels = Type.Array(label, { description: 'Names that are known of the address.' });

/** What both searches end with. */
const tail = {
  limits: Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }), {
    description:
      'What could not be seen, and why. Always read these: an empty list of findings may only mean that nothing could be seen.',
  }),
  work: Type.Object({
    calls: Type.Integer({ description: 'Questions asked of nodes and explorers.' }),
    bytes: Type.Integer(),
    milliseconds: Type.Integer(),
    ended: words('complete', 'calls', 'bytes', 'time'),
  }),
  receipts: Type.Array(
    Type.Object({
      source: Type.String(),
      request: Type.String({ description: 'Method and what it was asked about.' }),
      sha256: Type.String({ description: 'Of the reply, hex.' }),
      bytes: Type.Integer(),
      fetched_at: Type.String(),
    }),
    { description: 'Every reply that the findings rest on.' },
  ),
  sources: Type.Array(Type.String()),
  attributions: Type.Array(Type.Object({ source: Type.String(), text: Type.String(), url: Type.String() })),
  as_of: Type.String({ description: 'When the search ended, RFC 3339 UTC.' }),
  data_mode: words('live', 'sandbox'),
  age_seconds: Type.Integer({ minimum: 0 }),
};

const recipient = Type.Object({
  address: Type.String(),
  labels,
  asset: Type.String({ description: 'Mint, contract, or `native` for the chain’s own coin.' }),
  amount_raw: raw('What it got.'),
  amount: nullableNumber('Whole tokens.'),
  usd: nullableNumber('Dollars at that time.'),
  presumed: Type.Boolean({ description: 'The chain does not show the last step: the sender is assumed.' }),
});

export const ForensicsView = Type.Object(
  {
    asset: AssetView,
    verdict: Type.Union(
      words('drained_by_linked_wallets', 'drained', 'large_removals', 'no_drain_seen', 'not_seen').anyOf,
      {
        description:
          '`drained_by_linked_wallets`: at least 90 % of a pool’s liquidity was removed within 24 hours by wallets linked to the creator. `drained`: at least 90 % of the largest amount seen is gone. `large_removals`: single large losses. `not_seen`: no pool’s history could be read.',
      },
    ),
    summary: Type.String(),
    flags: Type.Array(Type.String(), { description: 'Flags of the rating that speak of this.' }),
    default_tests: Type.Array(Type.String(), { description: 'Default tests that hold (D6: executed rug).' }),
    creator: nullable(Type.Object({ address: Type.String(), sources: Type.Array(Type.String()) })),
    pools: Type.Array(
      Type.Object({
        address: Type.String(),
        dex: Type.String(),
        quote: Type.String({ description: 'The token that it trades against.' }),
        peak_raw: raw('The most of the quote token that it was seen to hold.'),
        peak: nullableNumber('Whole tokens.'),
        now_raw: raw('What it holds now.'),
        now: nullableNumber('Whole tokens.'),
        gone_pct: share('Of the peak, gone now.'),
        removed_within_24h_pct: share('Most that removals took within 24 hours.'),
        removed_within_24h_by_linked_pct: share('The same, by wallets linked to the creator.'),
        transactions_listed: Type.Integer(),
        transactions_examined: Type.Integer(),
        since: nullableText('Time of the oldest transaction that was listed.'),
      }),
    ),
    events: Type.Array(
      Type.Object({
        kind: Type.Union(words('removal', 'sale').anyOf, {
          description: '`removal`: liquidity was taken out. `sale`: the asset was sold into the pool.',
        }),
        pool: Type.String(),
        dex: Type.String(),
        transaction: Type.String({ description: 'Signature or hash.' }),
        height: Type.Integer({ description: 'Slot or block number.' }),
        at: time,
        actor: nullableText('Who signed it and paid its fee.'),
        actor_labels: labels,
        liquidity_owner: nullableText('Whose liquidity tokens were given back; null where the chain does not show it.'),
        quote: Type.String(),
        quote_amount_raw: raw('Quote tokens that left the pool.'),
        quote_amount: nullableNumber('Whole tokens.'),
        quote_usd: nullableNumber('Dollars at that time.'),
        price_source: nullableText('Who told the price of that time.'),
        base_amount_raw: raw('Of the asset, out of the pool; negative when it went in.'),
        base_amount: nullableNumber('Whole tokens.'),
        share_of_pool_pct: share('Of the quote tokens that the pool held just before.'),
        recipients: Type.Array(recipient),
        basis: Type.Union(words('events', 'balances').anyOf, {
          description: 'The pool’s own events, or what its balances did.',
        }),
        source: Type.String(),
        confidence,
      }),
      { description: 'Oldest first; the largest of each pool.' },
    ),
    flows: Type.Array(
      Type.Object({
        step: Type.Integer({ minimum: 1, description: '1: from who got the money out of the pool.' }),
        from: Type.String(),
        to: nullableText('Null: it was exchanged for something else.'),
        to_labels: labels,
        to_is_service: Type.Boolean({
          description: 'An exchange or another address of very many people’s money: from here on nothing is seen.',
        }),
        kind: words('transfer', 'exchange'),
        asset: Type.String(),
        amount_raw: raw('What went on.'),
        amount: nullableNumber('Whole tokens.'),
        usd: nullableNumber('Dollars at that time.'),
        price_source: nullableText('Who told the price of that time.'),
        transaction: Type.String(),
        at: time,
        source: Type.String(),
        confidence,
      }),
      { description: 'Where the money went, at most two steps.' },
    ),
    links: Type.Array(
      Type.Object({
        wallet: Type.String(),
        role: words('actor', 'liquidity_owner', 'recipient', 'hop'),
        how: words('is_creator', 'funded_by_creator', 'funded_creator', 'common_funder', 'paid_creator'),
        transaction: nullableText('What shows it; null where the wallet is the creator’s itself.'),
        confidence,
      }),
      { description: 'Why wallets that took part belong to the creator.' },
    ),
    first_payments: Type.Array(
      Type.Object({
        wallet: Type.String(),
        funder: Type.String(),
        funder_labels: labels,
        funder_is_service: Type.Boolean({ description: 'An exchange or another wallet of very many payments.' }),
        amount_raw: raw('Of the chain’s own coin.'),
        transaction: Type.String(),
        at: time,
      }),
      { description: 'Who first paid the creator and the wallets that took part.' },
    ),
    ...tail,
  },
  { title: 'Forensics' },
);

export const ClustersView = Type.Object(
  {
    asset: AssetView,
    method: Type.Literal('first_payment'),
    clusters: Type.Array(
      Type.Object({
        funder: nullableText('Who first paid them; null when they paid one another only.'),
        share_pct: share('Of total supply, all members together.'),
        confidence,
        reasons: Type.Array(Type.String()),
        members: Type.Array(
          Type.Object({
            address: Type.String(),
            share_pct: share('Of total supply.'),
            funder: nullableText('Who first paid this wallet, where it is known.'),
            transaction: nullableText('The payment.'),
            at: time,
          }),
        ),
      }),
      { description: 'Two members at least; the largest share first.' },
    ),
    clustered_share_pct: share('Of total supply, in clusters.'),
    owners: Type.Object({
      listed: Type.Integer({
        description: 'Largest holders that are neither pools, exchanges nor programs, as far as names tell.',
      }),
      looked_at: Type.Integer(),
      first_payment_known: Type.Integer(),
      share_looked_at_pct: share('Of total supply.'),
      paid_by_services: Type.Integer({
        description: 'Of them, first paid by an exchange or the like: they link nobody.',
      }),
      source: nullableText('Who lists the holders.'),
      as_of: nullableText('When that list was true.'),
    }),
    services: Type.Array(Type.String(), { description: 'Payers that are no persons and link nobody.' }),
    insider_network: nullable(
      Type.Object(
        { share_pct: share('Of total supply.'), sources: Type.Array(Type.String()), confidence },
        { description: 'Share that a source’s own graph of transfers ties to insiders; its wallets are not told.' },
      ),
    ),
    ...tail,
  },
  { title: 'HolderClusters' },
);

export const SearchingView = Type.Object({
  state: Type.Literal('searching'),
  started_at: Type.String(),
  detail: Type.String(),
  data_mode: words('live', 'sandbox'),
});

export const ForensicsQuery = Type.Object({});
