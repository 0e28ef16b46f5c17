import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import type { Input } from '../../../client/src/operation.ts';
import { readCsv } from '../data/read-csv.ts';
import { read } from '../data/service.ts';
import { chainName, many, PRESETS } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Choices } from '../parts/choices.tsx';
import { CsvFile } from '../parts/csv-file.tsx';
import { Field, Form, Select } from '../parts/form.tsx';
import { Panel } from '../parts/panel.tsx';
import { rulesInWords } from './in-words.ts';

export type Body = Input<'POST /v1/policy/portfolio'>['body'];
type Chain = NonNullable<Body['chains']>[number];

/** Private input is kept out of the address of the page and out of the browser's storage. */
export interface Private {
  readonly csv: string;
  readonly address: string;
}

/** Our names of chains by their CAIP-2 ids; the build inserts them from src/chains. */
declare const CHAIN_NAMES: Readonly<Record<string, Chain>>;
const CHAINS = Object.values(CHAIN_NAMES);
const EXAMPLE = 'asset,value_usd\nTIDE,50000\nEMBR,25000\nNOSUCH,1000\n';

const route = getRouteApi('/portfolio');
type Search = ReturnType<typeof route.useSearch>;

/** The request that the form describes. */
export function bodyOf({ by, preset, chains, seed, runs }: Search, { csv, address }: Private): Body {
  const wanted = CHAINS.filter((chain) => chains?.includes(chain));
  const simulation = { ...(seed === undefined ? {} : { seed }), ...(runs === undefined ? {} : { runs }) };
  return {
    ...(by === 'address' ? { address: address.trim(), ...(wanted.length > 0 ? { chains: wanted } : {}) } : { csv }),
    preset: preset ?? 'wallet',
    ...(Object.keys(simulation).length > 0 ? { simulation } : {}),
  };
}

/** Positions and rules. Rules and chains are in the address of the page; positions and the address that holds them are not. */
export function PortfolioForm({
  given,
  onChange,
  onSend,
  isPending,
}: {
  readonly given: Private;
  readonly onChange: (given: Private) => void;
  readonly onSend: () => void;
  readonly isPending: boolean;
}) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const put = (part: Partial<Search>) => navigate({ to: '/portfolio', search: { ...search, ...part }, replace: true });
  const byAddress = search.by === 'address';
  const isEmpty = (byAddress ? given.address : given.csv).trim() === '';
  return (
    <Panel
      title="Positions and rules"
      foot="What is typed here stays out of the page’s address and is kept nowhere; a link opens the same rules with no positions."
    >
      <Form
        change={{ error: null, isPending }}
        submit={isPending ? 'Checking …' : 'Check the portfolio'}
        isReady={!isEmpty}
        onSend={onSend}
      >
        <Choices
          legend="Positions"
          type="radio"
          name="by"
          words={['list', 'address']}
          say={(by) => (by === 'list' ? 'A list' : 'What an address holds')}
          isOn={(by) => byAddress === (by === 'address')}
          onTick={(by) => put({ by: by === 'address' ? by : undefined })}
        />
        {byAddress ? (
          <OfAddress given={given} onChange={onChange} chains={search.chains ?? []} onChains={put} />
        ) : (
          <OfList given={given} onChange={onChange} />
        )}
        <Preset name={search.preset ?? 'wallet'} onChange={(preset) => put({ preset })} />
        <details>
          <summary>Simulated year</summary>
          <div className="form two">
            <Field
              label="Seed, 0 to 4294967295 (1)"
              {...WHOLE}
              max={4_294_967_295}
              value={search.seed ?? ''}
              onChange={({ target }) => put({ seed: wholeOf(target) })}
            />
            <Field
              label="Runs, 1 to 100,000 (10,000)"
              {...WHOLE}
              min={1}
              max={100_000}
              value={search.runs ?? ''}
              onChange={({ target }) => put({ runs: wholeOf(target) })}
            />
          </div>
        </details>
      </Form>
    </Panel>
  );
}

const WHOLE = { type: 'number', min: 0, step: 1 } as const;
const wholeOf = ({ value, valueAsNumber }: HTMLInputElement) => (value === '' ? undefined : valueAsNumber);

interface Part {
  readonly given: Private;
  readonly onChange: (given: Private) => void;
}

function OfList({ given, onChange }: Part) {
  const health = useQuery(read('GET /healthz'));
  const put = (csv: string) => onChange({ ...given, csv });
  const rows = Math.max(0, readCsv(given.csv).length - 1);
  return (
    <>
      <Field label="CSV with a head: asset, and value_usd or quantity">
        <textarea
          rows={8}
          spellCheck={false}
          value={given.csv}
          placeholder={'asset,value_usd,quantity\nUNI,50000,\n0x1f98…,,1200'}
          onChange={(event) => put(event.target.value)}
        />
      </Field>
      <span className="actions">
        <CsvFile onText={put} />
        {health.data?.data_mode === 'sandbox' && <Button onClick={() => put(EXAMPLE)}>An example</Button>}
        <span className="q" role="status">
          {rows > 0 && many(rows, 'position')}
        </span>
      </span>
    </>
  );
}

function OfAddress({
  given,
  onChange,
  chains,
  onChains,
}: Part & {
  readonly chains: readonly string[];
  readonly onChains: (part: { readonly chains: readonly string[] | undefined }) => void;
}) {
  const toggle = (chain: string, isOn: boolean) => {
    const next = isOn ? [...chains, chain] : chains.filter((one) => one !== chain);
    onChains({ chains: next.length > 0 ? next : undefined });
  };
  return (
    <>
      <Field
        label="Address"
        value={given.address}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        placeholder="0x… or an address of Solana"
        onChange={(event) => onChange({ ...given, address: event.target.value })}
      />
      <Choices
        legend="Chains (none chosen: every one with such addresses that has a node here)"
        words={CHAINS}
        say={chainName}
        isOn={(chain) => chains.includes(chain)}
        onTick={toggle}
      />
    </>
  );
}

function Preset({
  name,
  onChange,
}: {
  readonly name: string;
  readonly onChange: (name: (typeof PRESETS)[number]) => void;
}) {
  const presets = useQuery({ ...read('GET /v1/policy/presets'), staleTime: 3_600_000 });
  const titles = new Map(presets.data?.data.map((one) => [one.name, one]));
  const chosen = titles.get(name);
  const id = useId();
  return (
    <>
      <Field label="Rules of">
        <Select
          aria-describedby={id}
          options={PRESETS.map((one) => [one, titles.get(one)?.title ?? one])}
          value={name}
          onChoose={(one) => onChange(one ?? 'wallet')}
        />
      </Field>
      <details id={id}>
        <summary>What they say</summary>
        <ul className="sentences">
          {chosen && rulesInWords(chosen.rules).map((rule) => <li key={rule}>{rule}</li>)}
          {presets.error && <li>It could not be read; the answer says which rules were applied.</li>}
        </ul>
      </details>
    </>
  );
}
