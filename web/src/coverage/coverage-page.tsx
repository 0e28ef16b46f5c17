import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Input } from '../../../client/src/operation.ts';
import { useAccount, useScopes } from '../data/account.ts';
import { useList } from '../data/list.ts';
import { read, useChange } from '../data/service.ts';
import { count, words } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Choices } from '../parts/choices.tsx';
import type { Given } from '../parts/form.tsx';
import { Field, Form, Select } from '../parts/form.tsx';
import { orMissing } from '../parts/missing.tsx';
import { moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { type Column, columnBy, columnsOf, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { Twice } from '../parts/twice.tsx';
import type { ReplyOf } from '../types.ts';
import { FirstSnapshots } from './first-snapshots.tsx';

type Indexed = ReplyOf<'GET /v1/{chain}/index'>['data'][number];
export type Chain = Input<'GET /v1/{chain}/index'>['path']['chain'];

const KINDS = ['market', 'holders', 'pools'] as const;
const CADENCES = [
  ['newest', 'as often as the service can'],
  ['five_minutes', 'every five minutes'],
  ['hourly', 'hourly'],
] as const;
const LIST = ['GET /v1/{chain}/index', 'GET /v1/account'] as const;
const route = getRouteApi('/coverage');

/** Assets that the service indexes on their chains, and a form to add more. */
export function Page() {
  const { chain: chosen, mine, asset } = route.useSearch();
  const navigate = useNavigate();
  const can = useScopes();
  const chains = useQuery({ ...read('GET /v1/chains'), enabled: can('chain:read') === true });
  const account = useAccount();
  const chain = (chosen ?? chains.data?.data[0]?.chain) as Chain | undefined;
  const isAdmin = can('admin') === true;
  const put = (change: { chain?: string | undefined; mine?: 'true' | undefined; asset?: string | undefined }) =>
    navigate({ to: '/coverage', search: (before) => ({ ...before, ...change }), replace: true });
  const indexed = account.data?.indexed_assets;
  return (
    <>
      <PageHead
        title="Coverage"
        sub={
          indexed &&
          (isAdmin
            ? 'What is read on the chains. The operator has no limit.'
            : `What is read on the chains. The account has requested ${count(indexed.used)} of ${count(indexed.limit)} assets.`)
        }
      />
      {can('chain:read') === false && !isAdmin ? (
        <p className="q">
          To see and ask for indexed assets, sign in with a key that has the scope <code>chain:read</code>.
        </p>
      ) : (
        <div className="grid side-form">
          <div className="grid">
            {chain && asset && <FirstSnapshots key={asset} chain={chain} asset={asset} />}
            {chain && <Index chain={chain} mine={mine === 'true'} put={put} chains={chains.data?.data ?? []} />}
          </div>
          {chain && <AskFor chain={chain} onAsked={(address) => put({ chain, asset: address })} />}
        </div>
      )}
    </>
  );
}

function Index({
  chain,
  mine,
  put,
  chains,
}: {
  readonly chain: Chain;
  readonly mine: boolean;
  readonly put: (change: { chain?: string; mine?: 'true' | undefined; asset?: string | undefined }) => void;
  readonly chains: readonly { readonly chain: string; readonly title: string }[];
}) {
  const list = useList('GET /v1/{chain}/index', { path: { chain }, query: mine ? { mine: 'true' } : {} });
  const remove = useChange('DELETE /v1/{chain}/index/{asset}', LIST);
  const tell = useToast();
  const isAdmin = useScopes()('admin') === true;
  const columns: readonly Column<Indexed>[] = [
    ...COLUMNS,
    columnBy(
      'Change',
      ({ asset, is_yours: isYours }) => (
        <span className="actions">
          <Button
            aria-label={`Snapshots of ${asset.symbol ?? asset.id}`}
            onClick={() => put({ chain, asset: asset.id })}
          >
            Snapshots
          </Button>
          {(isYours || isAdmin) && (
            <Twice
              name={isAdmin ? 'End' : 'Give back'}
              about={asset.symbol ?? asset.id}
              onSure={() =>
                remove.mutate(
                  { path: { chain, asset: asset.id } },
                  { onSuccess: () => tell('What was read of it stays readable.') },
                )
              }
            />
          )}
        </span>
      ),
      { id: 'do' },
    ),
  ];
  return (
    <Panel title="Indexed assets">
      <div className="chips">
        <Select
          label="Chain"
          options={chains.map((one) => [one.chain, one.title])}
          value={chain}
          onChoose={(one) => put({ chain: one, asset: undefined })}
        />
        <Button className="chip" aria-pressed={mine} onClick={() => put({ mine: mine ? undefined : 'true' })}>
          Asked for by this account
        </Button>
      </div>
      {remove.error && <ProblemBox error={remove.error} />}
      <Rows
        of={list}
        what="the indexed assets"
        name="Indexed assets"
        columns={columns}
        keyOf={({ asset }) => asset.id}
        none={
          mine
            ? 'The account has requested none on this chain. Request one by its address.'
            : 'Nothing of this chain is indexed. Assets that are rated are, for their time; others are requested by address.'
        }
      />
    </Panel>
  );
}

const BY: Readonly<Record<string, string>> = {
  configuration: 'the operator',
  api: 'the operator',
  cli: 'the operator',
  account: 'accounts',
  rated: 'its rating',
};
const column = columnsOf<Indexed>();
const COLUMNS: readonly Column<Indexed>[] = [
  columnBy(
    'Asset',
    ({ asset, is_yours: isYours }) => (
      <>
        <AssetName asset={{ id: asset.id, symbol: asset.symbol ?? null, name: asset.name ?? null }} />
        {isYours && <span className="under">asked for by this account</span>}
      </>
    ),
    { value: ({ asset }) => asset.symbol ?? asset.id },
  ),
  columnBy('Snapshots', ({ kinds, paused }) => (paused ? 'paused' : kinds.join(', ')), {
    ...WIDE,
    id: 'kinds',
    csv: ({ kinds }) => kinds.join(' '),
  }),
  column('cadence', 'How often', (cadence) => words(cadence).toLowerCase(), { wide: true }),
  column('added_by', 'Wanted by', (by) => BY[by] ?? by, WIDE),
  column('added_at', 'Since', moment, WIDE),
  column('wanted_until', 'Until', orMissing('none', 'It ends when it is given back.', moment), WIDE),
];

function AskFor({ chain, onAsked }: { readonly chain: Chain; readonly onAsked: (address: string) => void }) {
  const ask = useChange('PUT /v1/{chain}/index/{asset}', LIST);
  const onSend = ({ text, ticked, reset }: Given) => {
    const cadence = CADENCES.find(([one]) => one === text('cadence'))?.[0] ?? 'newest';
    ask.mutate(
      { path: { chain, asset: text('address') }, body: { kinds: ticked('kind', KINDS), cadence } },
      {
        onSuccess: ({ asset }) => {
          reset();
          onAsked(asset.id);
        },
      },
    );
  };
  return (
    <Panel title={`Ask for an asset on ${words(chain)}`}>
      <Form change={ask} submit={ask.isPending ? 'Asking …' : 'Ask for it'} onSend={onSend}>
        <Field
          label="Address, or CAIP-19 id"
          name="address"
          required
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
        />
        <Choices legend="Snapshots of" name="kind" words={KINDS} isOn={() => true} />
        <Field label="How often">
          <Select name="cadence" options={CADENCES} />
        </Field>
      </Form>
    </Panel>
  );
}
