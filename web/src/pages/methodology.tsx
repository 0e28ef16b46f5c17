import { useState } from 'react';
import { percent } from '../format.ts';
import { Band, Severity } from '../parts/marks.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read } from '../parts/state.tsx';
import { useRead } from '../use-read.ts';

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
  /** From 1.0 on: a class names a table of weights, and the features of each factor it has. */
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
    /** What raises the ceiling of a class; of ceilings alone. */
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
interface Change {
  readonly id: string;
  readonly version: string;
  readonly date: string;
  readonly kind: string;
  readonly reason: string;
  readonly effect: string;
  readonly in_force: boolean;
  readonly hash: string;
}

/** Weights, bands, caps, flags and how they changed, from the data the ratings are computed with. */
export function MethodologyPage() {
  const changes = useRead<{ readonly data: readonly Change[] }>('/v1/methodology/changes');
  const [version, setVersion] = useState<string | null>(null);
  const methodology = useRead<Methodology>(version === null ? '/v1/methodology' : `/v1/methodology/${version}`);
  return (
    <>
      <h1>Methodology</h1>
      {changes.state === 'ready' && (
        <label className="choice">
          <span>Version</span>
          <select value={version ?? ''} onChange={(event) => setVersion(event.target.value || null)}>
            <option value="">in force</option>
            {changes.value.data.map(({ version: each, date }) => (
              <option key={each} value={each}>
                {each} of {date}
              </option>
            ))}
          </select>
        </label>
      )}
      <Read reading={methodology} what="the methodology">
        {(value) => <Parts methodology={value} />}
      </Read>
      <section className="card">
        <h2>Changes</h2>
        <Read reading={changes} what="the changes">
          {({ data }) => (
            <Table
              caption="Versions of the methodology"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Version', of: (change) => `${change.version}${change.in_force ? ' (in force)' : ''}` },
                { title: 'Date', of: ({ date }) => <span className="nowrap">{date}</span> },
                { title: 'Kind', of: ({ kind }) => kind.toLowerCase() },
                { title: 'Why', of: ({ reason }) => reason },
                { title: 'Effect', of: ({ effect }) => effect },
                { title: 'SHA-256', of: ({ hash }) => <code title={hash}>{hash.slice(0, 12)}</code> },
              ]}
            />
          )}
        </Read>
      </section>
    </>
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
  const codes = Object.keys(methodology.factors);
  return (
    <>
      <p>
        Version {methodology.version} of {methodology.date}. A score starts at the prior of{' '}
        {methodology.aggregation.prior} points; each factor moves it as far as its evidence carries.
      </p>
      <section className="card">
        <h2>Bands</h2>
        <Table
          caption="Bands"
          rows={methodology.bands}
          keyOf={({ band }) => band}
          columns={[
            { title: 'Band', of: ({ band }) => <Band band={band} /> },
            { title: 'From, points', number: true, of: ({ from }) => from },
            { title: 'Meaning', of: ({ meaning }) => meaning },
            {
              title: 'Failures aimed at',
              number: true,
              of: ({ failureTarget }) => (failureTarget == null ? '–' : percent(failureTarget * 100, 1)),
            },
          ]}
        />
      </section>
      <section className="card">
        <h2>Weights by class</h2>
        <p className="quiet">
          Percent of the whole; each row adds up to 100. A factor without a figure does not exist for the class.
        </p>
        <Table
          caption="Weights of the factors by class, percent"
          rows={weighed(methodology)}
          keyOf={({ code }) => code}
          columns={[
            { title: 'Class', of: ({ title }) => title },
            ...codes.map((code) => ({
              title: methodology.factors[code]?.name ?? code,
              number: true,
              of: ({ weights }: Weighed) => weights[code] ?? '–',
            })),
          ]}
        />
      </section>
      {methodology.preTge && <PreTge model={methodology.preTge} />}
      <Folded title={`Caps (${methodology.caps.length})`}>
        <Table
          caption="Caps"
          rows={methodology.caps.toSorted((a, b) => a.cap - b.cap)}
          keyOf={({ code }) => code}
          columns={[
            { title: 'At most', number: true, of: ({ cap }) => cap.toFixed(1) },
            { title: 'When', of: ({ condition }) => condition },
            { title: 'Ends', of: ({ lifts, expiry }) => lifts ?? expiry },
            { title: 'Code', of: ({ code }) => <code>{code}</code> },
          ]}
        />
      </Folded>
      <Folded title={`Flags (${methodology.flags.length})`}>
        <Table
          caption="Flags"
          rows={methodology.flags}
          keyOf={({ code }) => code}
          columns={[
            { title: 'Severity', of: ({ severity }) => <Severity severity={severity} /> },
            { title: 'Flag', of: ({ title }) => title },
            {
              title: 'Definition',
              of: ({ definition, notRaisedBecause }) =>
                notRaisedBecause ? `${definition}. Not raised: ${notRaisedBecause}` : definition,
            },
            { title: 'Code', of: ({ code }) => <code>{code}</code> },
          ]}
        />
      </Folded>
      <Folded title={`Features (${methodology.features.length})`}>
        <Table
          caption="Features"
          rows={methodology.features}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Factor', of: ({ factor }) => methodology.factors[factor]?.name ?? factor },
            { title: 'Feature', of: ({ name }) => name },
            { title: 'Unit', of: ({ unit }) => unit },
            { title: 'Critical', of: ({ critical }) => (critical ? 'yes' : 'no') },
            { title: 'Anchors rest on', of: ({ reason }) => reason },
          ]}
        />
      </Folded>
    </>
  );
}

/** A project without a token is rated by other factors. */
function PreTge({ model }: { readonly model: NonNullable<Methodology['preTge']> }) {
  return (
    <section className="card">
      <h2>Weights before the token</h2>
      <p className="quiet">
        A project that has no token yet starts at {model.prior} points and is rated by these; percent of the whole.
      </p>
      <Table
        caption="Weights of the factors of a project without a token, percent"
        rows={model.factors}
        keyOf={({ code }) => code}
        columns={[
          { title: 'Factor', of: ({ name }) => name },
          { title: 'Weight', number: true, of: ({ weight }) => weight },
        ]}
      />
    </section>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <details className="card">
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}
