import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { read } from '../data/service.ts';
import { percent } from '../format.ts';
import { Select } from '../parts/form.tsx';
import { Band, Severity } from '../parts/marks.tsx';
import { Missing, orMissing } from '../parts/missing.tsx';
import { Folded, PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';

/** The parts of the methodology that the page reads; it is served as stored. */
interface Methodology {
  readonly version: string;
  readonly date: string;
  readonly aggregation: { readonly prior: number };
  readonly bands: readonly {
    readonly band: string;
    readonly from: number;
    readonly meaning: string;
    readonly failureTarget: number | null;
  }[];
  readonly factors: Readonly<Record<string, { readonly name: string }>>;
  /** From 1.0 on: a class names a table of weights, and the features of each of its factors. */
  readonly classes?: Readonly<
    Record<
      string,
      { readonly title: string; readonly weights: string; readonly features: Readonly<Record<string, string>> }
    >
  >;
  readonly weightTables?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Before 1.0. */
  readonly categories?: Readonly<
    Record<string, { readonly title: string; readonly weights: Readonly<Record<string, number>> }>
  >;
  readonly caps: readonly {
    readonly code: string;
    readonly cap: number;
    readonly condition: string;
    readonly expiry: string;
    /** Conditions that raise the ceiling of a class; ceilings only. */
    readonly lifts?: string;
  }[];
  readonly flags: readonly {
    readonly code: string;
    readonly title: string;
    readonly severity: string;
    readonly definition: string;
    readonly notRaisedBecause: string | null;
  }[];
  readonly features: readonly {
    readonly id: string;
    readonly factor: string;
    readonly name: string;
    readonly unit: string;
    readonly critical: boolean;
    readonly reason: string;
  }[];
  /** Older versions have none. */
  readonly preTge?: {
    readonly prior: number;
    readonly factors: readonly { readonly code: string; readonly name: string; readonly weight: number }[];
  };
}
type Change = ReplyOf<'GET /v1/methodology/changes'>['data'][number];

const route = getRouteApi('/methodology');

/** Weights, bands, caps, flags and their changes, from the data used for ratings. */
export function Page() {
  const { version } = route.useSearch();
  const navigate = useNavigate();
  const changes = useQuery(read('GET /v1/methodology/changes'));
  const inForce = useQuery({ ...read('GET /v1/methodology'), enabled: version === undefined });
  const path = { version: version ?? '' };
  const earlier = useQuery({ ...read('GET /v1/methodology/{version}', { path }), enabled: version !== undefined });
  return (
    <>
      <PageHead title="Methodology" sub="The data that ratings are computed with.">
        <Select
          label="Version"
          any="The version in force"
          options={(changes.data?.data ?? []).map((one) => [one.version, `${one.version} of ${one.date}`])}
          value={version}
          onChoose={(one) => navigate({ to: '/methodology', search: { version: one }, replace: true })}
        />
      </PageHead>
      <div className="grid">
        <Loaded query={version === undefined ? inForce : earlier} what="the methodology">
          {(value) => <Parts methodology={value as Methodology} />}
        </Loaded>
        <Panel title="Changes">
          <Rows
            of={changes}
            what="the changes"
            name="Versions of the methodology"
            columns={CHANGES}
            keyOf={({ id }) => id}
          />
        </Panel>
      </div>
    </>
  );
}

const changeColumn = columnsOf<Change>();
const CHANGES: readonly Column<Change>[] = [
  columnBy(
    'Version',
    (change) => (
      <>
        <b>{change.version}</b> {change.in_force && 'in force'}
        <span className="under nowrap">
          {change.date}, {change.kind.toLowerCase()}
        </span>
      </>
    ),
    { csv: ({ version }) => version },
  ),
  columnBy('Why', ({ reason }) => <Long text={reason} />, { csv: ({ reason }) => reason, width: '42%' }),
  changeColumn('effect', 'Effect', (effect) => <Long text={effect} />, { wide: true, unsorted: true, width: '42%' }),
  changeColumn('hash', 'SHA-256', (hash) => <code title={hash}>{hash.slice(0, 12)}</code>, {
    wide: true,
    unsorted: true,
  }),
];

/** Three lines of a text; all of it when it is opened. */
function Long({ text }: { readonly text: string }) {
  return (
    <details className="long">
      <summary>{text}</summary>
    </details>
  );
}

interface Weighed {
  readonly code: string;
  readonly title: string;
  /** Percent of the whole, by factor. */
  readonly weights: Readonly<Record<string, number>>;
}

/** Weights of the factors by class, or by category before 1.0. A factor that a class does not have gives its weight to the others. */
function weighed({ classes, weightTables = {}, categories = {} }: Methodology): readonly Weighed[] {
  if (classes === undefined) return Object.entries(categories).map(([code, row]) => ({ code, ...row }));
  return Object.entries(classes).map(([code, { title, weights, features }]) => {
    const own = Object.entries(weightTables[weights] ?? {}).filter(([factor]) => features[factor] !== undefined);
    const total = own.reduce((sum, [, weight]) => sum + weight, 0);
    return {
      code,
      title,
      weights: Object.fromEntries(own.map(([factor, weight]) => [factor, Math.round((1000 * weight) / total) / 10])),
    };
  });
}

function Parts({ methodology }: { readonly methodology: Methodology }) {
  const { factors, bands, preTge, caps, flags, features } = methodology;
  const nameOf = (code: string) => factors[code]?.name ?? code;
  const weights: readonly Column<Weighed>[] = [
    columnBy('Class', ({ title }) => title, { value: ({ title }) => title }),
    ...Object.keys(factors).map((code) => ({
      id: code,
      title: nameOf(code),
      number: true,
      cell: (row: Weighed) => row.weights[code]?.toFixed(1) ?? <Missing why="not_applicable" />,
      value: (row: Weighed) => row.weights[code],
    })),
  ];
  return (
    <>
      <Panel
        title="Bands"
        sub={`version ${methodology.version} of ${methodology.date}`}
        foot={`A score starts at the prior of ${methodology.aggregation.prior} points; each factor moves it as far as its evidence supports.`}
      >
        <Table name="Bands" columns={BANDS} rows={bands} keyOf={({ band }) => band} tools={false} />
      </Panel>
      <Panel title="Weights by class" sub="percent of the whole; each row adds up to 100">
        <div className="sideways">
          <Table name="Weights by class" columns={weights} rows={weighed(methodology)} keyOf={(row) => row.code} />
        </div>
      </Panel>
      {preTge && (
        <Panel
          title="Weights before the token"
          foot={`A project that has no token yet starts at ${preTge.prior} points and is rated by these; percent of the whole.`}
        >
          <Table
            name="Weights before the token"
            columns={BEFORE_TOKEN}
            rows={preTge.factors}
            keyOf={({ code }) => code}
            tools={false}
          />
        </Panel>
      )}
      <Folded title={`Caps (${caps.length})`}>
        <Table name="Caps" columns={CAPS} rows={caps} keyOf={({ code }) => code} sort={{ id: 'cap', desc: false }} />
      </Folded>
      <Folded title={`Flags (${flags.length})`}>
        <Table name="Flags" columns={FLAGS} rows={flags} keyOf={({ code }) => code} />
      </Folded>
      <Folded title={`Features (${features.length})`}>
        <Table name="Features" columns={featureColumns(nameOf)} rows={features} keyOf={({ id }) => id} />
      </Folded>
    </>
  );
}

const bandColumn = columnsOf<Methodology['bands'][number]>();
const NO_TARGET = 'No share of failures is aimed at for this band.';
const BANDS: readonly Column<Methodology['bands'][number]>[] = [
  columnBy('Band', ({ band }) => <Band band={band} />),
  columnBy('From, points', ({ from }) => from, { ...NUMBER, id: 'from' }),
  bandColumn(
    'failureTarget',
    'Failures aimed at',
    orMissing('none', NO_TARGET, (target: number) => percent(target * 100, 1)),
    { ...NUMBER, unsorted: true },
  ),
  columnBy('Meaning', ({ meaning }) => meaning),
];
const BEFORE_TOKEN: readonly Column<NonNullable<Methodology['preTge']>['factors'][number]>[] = [
  columnBy('Factor', ({ name }) => name, { id: 'name' }),
  columnBy('Weight', ({ weight }) => weight, NUMBER),
];
const capsColumn = columnsOf<Methodology['caps'][number]>();
const CAPS: readonly Column<Methodology['caps'][number]>[] = [
  capsColumn('cap', 'At most', (cap) => cap.toFixed(1), { number: true }),
  columnBy('When', ({ condition }) => condition, { csv: ({ condition }) => condition }),
  columnBy('Ends', ({ lifts, expiry }) => lifts ?? expiry, { ...WIDE, csv: ({ lifts, expiry }) => lifts ?? expiry }),
  capsColumn('code', 'Code', (code) => <code>{code}</code>, { extra: true }),
];
const flagsColumn = columnsOf<Methodology['flags'][number]>();
const FLAGS: readonly Column<Methodology['flags'][number]>[] = [
  flagsColumn('severity', 'Severity', (severity) => <Severity severity={severity} />, { unsorted: true }),
  flagsColumn('title', 'Flag', asIs),
  columnBy(
    'Definition',
    ({ definition, notRaisedBecause: why }) => (why ? `${definition}. Not raised: ${why}` : definition),
    { csv: ({ definition }) => definition },
  ),
  flagsColumn('code', 'Code', (code) => <code>{code}</code>, { extra: true }),
];

const featureColumn = columnsOf<Methodology['features'][number]>();
function featureColumns(nameOf: (code: string) => string): readonly Column<Methodology['features'][number]>[] {
  return [
    featureColumn('factor', 'Factor', nameOf),
    featureColumn('name', 'Feature', asIs),
    featureColumn('unit', 'Unit', (unit) => unit.replaceAll('_', ' '), WIDE),
    columnBy('Critical', ({ critical }) => (critical ? 'yes' : 'no'), { ...WIDE, value: ({ critical }) => +critical }),
    featureColumn('reason', 'Anchors rest on', asIs, { ...WIDE, unsorted: true }),
  ];
}
