import { dollars, minute, percent, shortAddress } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { Table } from '../parts/old-table.tsx';
import type { PoolsSnapshot } from '../types.ts';
import { DepthCurve } from './depth-curve.tsx';
import { SnapshotOf, type Token } from './snapshot-of.tsx';

/** Where the token trades on its chain and what a trade would cost. */
export function Pools(token: Token) {
  return (
    <SnapshotOf<PoolsSnapshot> token={token} kind="pools" path={`/v1/${token.chain}/${token.address}/liquidity/pools`}>
      {(snapshot) => (
        <>
          <section className="card">
            <h2>Depth</h2>
            <p className="quiet">
              {snapshot.totals.pools} pools, {snapshot.totals.verified_pools} read from the chain itself,{' '}
              {dollars(snapshot.totals.tvl_usd)} in both sides, {minute(snapshot.as_of)}. Method:{' '}
              {(snapshot.depth_method ?? 'not known').replace('_', ' ')}. Costs are against the price of the whole
              market, fee included: where a pool’s own price is off, a small trade may cost less than nothing.
            </p>
            <div className="halves">
              <DepthCurve steps={snapshot.depth} />
              <Table
                caption="Price impact of a trade, fee included"
                rows={snapshot.slippage}
                keyOf={({ size_usd }) => String(size_usd)}
                columns={[
                  { title: 'Trade of', number: true, of: ({ size_usd }) => dollars(size_usd) },
                  {
                    title: 'Buying costs',
                    number: true,
                    of: ({ buy_pct }) => (buy_pct === null ? 'cannot be filled' : percent(buy_pct)),
                  },
                  {
                    title: 'Selling costs',
                    number: true,
                    of: ({ sell_pct }) => (sell_pct === null ? 'cannot be filled' : percent(sell_pct)),
                  },
                ]}
              />
            </div>
          </section>
          <section className="card">
            <h2>Pools</h2>
            <Table
              caption="Pools"
              rows={snapshot.pools}
              keyOf={({ address }) => address}
              columns={[
                { title: 'Venue', of: ({ dex }) => dex },
                {
                  title: 'Pair',
                  of: ({ tokens }) => (
                    <span className="nowrap">
                      {tokens.map(({ symbol, address }) => symbol ?? shortAddress(address)).join(' / ')}
                    </span>
                  ),
                },
                { title: 'In both sides', number: true, of: ({ tvl_usd }) => dollars(tvl_usd) },
                { title: 'Volume, 24 h', number: true, of: ({ volume_24h_usd }) => dollars(volume_24h_usd) },
                { title: 'Fee', number: true, of: ({ fee_rate_pct }) => percent(fee_rate_pct) },
                { title: 'Price', number: true, of: ({ price_usd }) => dollars(price_usd) },
                {
                  title: 'Burned or locked',
                  number: true,
                  of: ({ lp }) => (lp === null ? 'not known' : percent((lp.burned_pct ?? 0) + (lp.locked_pct ?? 0))),
                },
                { title: 'Read from', of: ({ verified }) => (verified ? 'the chain' : 'an indexer') },
                { title: 'Address', of: ({ address }) => <Address of={address} /> },
              ]}
            />
          </section>
        </>
      )}
    </SnapshotOf>
  );
}
