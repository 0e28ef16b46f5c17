import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useAccount } from '../data/account.ts';
import { count } from '../format.ts';
import { LinkButton } from '../parts/link-button.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { Figures, PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { Tabs } from '../parts/tabs.tsx';
import type { ReplyOf } from '../types.ts';
import { Keys } from './keys.tsx';
import { Usage } from './usage.tsx';

const route = getRouteApi('/account');

/** Self-service for the owner of an account: keys, usage and limits. */
export function Page() {
  const { tab = 'usage' } = route.useSearch();
  const navigate = useNavigate();
  const account = useAccount();
  return (
    <>
      <PageHead title="Account" sub={account.data && `${account.data.plan.title} (${account.data.plan.name})`}>
        <LinkButton to="/webhooks">Webhooks</LinkButton>
        <LinkButton to="/coverage">Coverage</LinkButton>
      </PageHead>
      <Loaded query={account} what="the account">
        {(value) => (
          <div className="grid">
            <Limits account={value} />
            <Tabs
              label="Parts of the account"
              value={tab}
              onChange={(next) => navigate({ to: '/account', search: { tab: next }, replace: true })}
              tabs={[
                { value: 'usage', title: 'Usage', of: () => <Usage /> },
                {
                  value: 'keys',
                  title: 'Keys',
                  of: () => (
                    <NeedsScope scope="account" to="see and make the account’s keys">
                      <Keys of="account" />
                    </NeedsScope>
                  ),
                },
                { value: 'plan', title: 'Plan', of: () => <PlanFacts account={value} /> },
              ]}
            />
          </div>
        )}
      </Loaded>
    </>
  );
}

type Account = ReplyOf<'GET /v1/account'>;

function Limits({ account }: { readonly account: Account }) {
  const of = (name: string, { used, limit }: Account['keys']) => ({
    name,
    value: count(used),
    more: limit === 0 ? 'none in this plan' : `of ${count(limit)}`,
  });
  return (
    <Figures
      figures={[
        of('Keys that work', account.keys),
        of('Webhooks', account.webhooks),
        of('Assets watched', account.watchlist),
        of('Assets indexed on request', account.indexed_assets),
      ]}
    />
  );
}

function PlanFacts({ account }: { readonly account: Account }) {
  const { plan, key } = account;
  const listed = (words: '*' | readonly string[]) => (words === '*' ? 'all' : words.join(', ') || 'none');
  const most = (limit: number | null) => (limit === null ? 'no limit' : count(limit));
  const facts: readonly (readonly [string, string])[] = [
    ['Account', account.account_id],
    ['This key', `${key.name} (${key.prefix}…), may ${key.scopes.join(', ')}`],
    ['Scopes of the plan', listed(plan.scopes)],
    ['Chains', listed(plan.chains)],
    ['Exports', listed(plan.exports)],
    ['Requests a minute and a day', `${most(plan.requests_per_minute)}, ${most(plan.requests_per_day)}`],
    ['Scores at the same time', most(plan.concurrent_scoring_jobs)],
    ['Collections and fresh ratings a day', `${most(plan.collections_per_day)}, ${most(plan.fresh_ratings_per_day)}`],
    ['Ratings in one batch, rows of a bulk job', `${count(plan.batch_size)}, ${count(plan.bulk_rows)}`],
    ['Streams at the same time', count(plan.stream_connections)],
    [
      'Ratings are as new as',
      plan.freshness_grid_seconds === 0 ? 'the service has them' : `every ${plan.freshness_grid_seconds} s`,
    ],
  ];
  return (
    <Panel title={plan.title} foot={plan.description}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  );
}
