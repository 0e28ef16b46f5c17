import { count, dollars, many, percent, points } from '../format.ts';
import { Band } from '../parts/marks.tsx';
import { Figures, Panel } from '../parts/panel.tsx';
import { type Column, columnBy, NUMBER, Table } from '../parts/table.tsx';
import { type Names, namesOf, type Portfolio, rulesInWords, thingOf, unknownsOf } from './in-words.ts';
import { Outcome } from './outcome.tsx';

const part = (share: number) => percent(share * 100, 1);

/** The verdict for the portfolio, and the composition of its value. */
export function PortfolioSummary({ portfolio }: { readonly portfolio: Portfolio }) {
  const { outcome, value_usd: value, score, band, worst, uncovered, shares, positions } = portfolio;
  return (
    <Figures
      figures={[
        {
          name: 'Answer',
          value: <Outcome of={outcome} />,
          more: 'the strictest of its positions and of what is not seen',
        },
        { name: 'Value', value: dollars(value), more: `in ${many(positions.length, 'position')}` },
        {
          name: 'Band',
          value: <Band band={band} />,
          more: score === null ? 'nothing is rated' : `score ${points(score)}, the mean by value`,
        },
        {
          name: 'Worst',
          value: worst === null ? 'none' : <Band band={worst.band} />,
          more: worst === null ? 'nothing is rated' : (namesOf(positions).get(worst.asset_id) ?? worst.asset_id),
        },
        {
          name: 'Blocked',
          value: part(shares.block),
          more: `of the value; ${part(shares.caution)} with caution, ${part(shares.allow)} allowed`,
        },
        { name: 'Without a band', value: part(uncovered), more: 'of the value' },
      ]}
    />
  );
}

type Breakage = Portfolio['breaks_together'][number];

/** Positions affected by each failure. */
export function BreaksTogether({ portfolio }: { readonly portfolio: Portfolio }) {
  const names = namesOf(portfolio.positions);
  const { breaks_together: all, dependencies, value_usd: value } = portfolio;
  const shared = all.filter(({ positions }) => positions.length > 1);
  return (
    <Panel
      title="What fails together"
      sub={shared.length === 0 ? 'nothing that is known takes two positions with it' : undefined}
      foot="Each node fails completely, and its loss passes on as far as register rows state. What no row states is not counted as a dependency: an empty list does not mean safety."
    >
      {all.length === 0 ? (
        <p className="empty">
          No register row states what these positions depend on, and none has an id that is known.
        </p>
      ) : (
        <Table
          name="What fails together"
          columns={breakageColumns(names, dependencies, value)}
          rows={all}
          keyOf={({ kind, name }) => `${kind} ${name}`}
        />
      )}
    </Panel>
  );
}

function breakageColumns(
  names: Names,
  dependencies: Portfolio['dependencies'],
  value: number,
): readonly Column<Breakage>[] {
  const taken = ({ positions }: Breakage) =>
    positions.map(({ asset_id: id, loss }) => `${names.get(id) ?? id} ${percent(loss * 100, 0)}`).join(', ');
  const rowsOf = ({ kind, name }: Breakage) => dependencies.filter((edge) => edge.kind === kind && edge.name === name);
  const said = (one: Breakage) =>
    [...new Set(rowsOf(one).map(({ source }) => (source === 'asset id' ? 'the id of the asset' : source)))].join(', ');
  return [
    columnBy('When this fails', ({ kind, name }) => thingOf(kind, name, names), {
      value: ({ kind, name }) => thingOf(kind, name, names),
    }),
    columnBy('Is lost', ({ loss }) => part(loss), { ...NUMBER, value: ({ loss }) => loss }),
    columnBy('Dollars', ({ loss }) => dollars(loss * value), {
      ...NUMBER,
      wide: true,
      value: ({ loss }) => loss * value,
    }),
    columnBy('Positions, and how much of each', taken, { csv: taken }),
    columnBy(
      'Says who',
      (one) => {
        const unproved = rowsOf(one).some(({ confirmed }) => !confirmed);
        return (
          <>
            {said(one) || 'the position itself'}
            {unproved && <span className="under">no read source proves it</span>}
          </>
        );
      },
      { wide: true, csv: said },
    ),
  ];
}

/** Losses of a year with random failures. */
export function SimulatedYear({ portfolio }: { readonly portfolio: Portfolio }) {
  const { simulation, value_usd: value } = portfolio;
  const { mean, p95, p99, worst_hundredth: worst, largest, together, seed, runs, assumed } = simulation;
  const figure = (name: string, loss: number) => ({ name, value: part(loss), more: dollars(loss * value) });
  return (
    <Panel
      title="A simulated year"
      sub={`${many(runs, 'run')}, seed ${seed}`}
      foot="A scenario on stated assumptions to compare portfolios by, no forecast. The same seed and ratings give the same figures."
    >
      <Figures
        figures={[
          figure('Mean loss', mean),
          figure('95 % of the runs lose less than', p95),
          figure('99 % of the runs lose less than', p99),
          figure('Worst hundredth, mean', worst),
          figure('Largest loss', largest),
          { name: 'Two or more halved', value: part(together), more: 'of the runs' },
        ]}
      />
      <p className="q below">
        {assumed.length === 0
          ? 'Every chance to fail is that of a rating.'
          : `${count(assumed.length)} of the chances to fail are assumptions; they are listed under what is not known.`}
      </p>
    </Panel>
  );
}

/** Missing facts that affect the verdict, and the rules that were applied. */
export function NotKnown({ portfolio }: { readonly portfolio: Portfolio }) {
  const unknowns = unknownsOf(portfolio);
  return (
    <>
      <Panel title="What is not known">
        {unknowns.length === 0 ? (
          <p className="empty">Nothing that the rules need is missing.</p>
        ) : (
          <ul className="sentences">
            {[...new Set(unknowns)].map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Rules that were applied">
        <ul className="sentences">
          {rulesInWords(portfolio.rules).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </Panel>
    </>
  );
}
