import { type KeyboardEvent, useMemo, useState } from 'react';
import { minute, outcomeWords, percent, shortAddress, sourceName } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Quantity, ScoreResult, Voice } from '../types.ts';
import type { Facts } from './facts.ts';
import { keyOf } from './facts.ts';
import { statusWords } from './receipts.tsx';
import { quantityWords, rejectionWords, scopeWords, valueWords } from './words.ts';

type Source = ScoreResult['sources'][number];
type State = 'accepted' | 'outvoted' | 'related' | 'left-out' | 'failed' | 'silent';
interface Cell {
  readonly state: State;
  readonly text: string;
  readonly far: number | null;
  readonly voice: Voice | null;
}
interface Chosen {
  readonly key: string;
  readonly source: string;
}

/** Rows are grouped by words in their quantities' codes; the first group that matches counts. */
const GROUPS: readonly (readonly [title: string, fits: RegExp])[] = [
  ['Market', /price|volume|market_cap|fdv|liquidity|depth|buys|sells|ath_|rank|venue|volatility|traders/],
  ['Supply', /supply|unlock|allocation|decimals/],
  ['Holders', /holder|top10|creator_share|insider|token_account/],
  [
    'Control',
    /authority|owner|proxy|tax|honeypot|balance|blacklist|whitelist|pausable|verified|self_destruct|lp_|hidden|cannot|external|trading|reclaim|creator_|bundled|control|delegate|hook|frozen|assessed/,
  ],
  ['Backing', /reserve|issuer|claim|redemption|backing|peg|nav|segregation|attest|exchange_|legal/],
  ['Use', /tvl|fees|revenue|users|transactions|growth|deposit|yield/],
  ['Project', /./],
];
/** Lists and records have no distance from a consensus: they are in the receipts. */
const NO_ROW = /^(register_row|registry_|ties|holder_labels|top_holders|site_|pool_state|categories|learned)/;

const groupOf = (quantity: string) => GROUPS.findIndex(([, fits]) => fits.test(quantity));

/** Observations as a matrix: quantities by sources, the ones that most sources state first in their group, with the distance from the consensus, and one cell opened. */
export function SourcesMatrix({ facts }: { readonly facts: Facts }) {
  const { full } = facts;
  const [all, setAll] = useState(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const table = useMemo(() => (full === null ? null : tableOf(full, all)), [full, all]);
  if (table === null || full === null)
    return (
      <Panel title="Quantities by source">
        <p className={facts.isFullAwaited ? 'q waiting' : 'q'}>
          {facts.isFullRefused
            ? 'Single observations are shown to keys with the scope score, as long as the evidence of the rating is kept.'
            : 'Reading the evidence …'}
        </p>
      </Panel>
    );
  const failed = full.sources.filter(isFailed);
  const counts = table.rows.flatMap(({ cells }) => cells);
  const many = (state: State) => counts.filter((cell) => cell.state === state).length;
  const open = chosen ?? firstWorthwhile(table);
  return (
    <div className="matrix-page">
      <Panel
        title="Quantities by source"
        sub={`${table.rows.length} ${table.rows.length === 1 ? 'quantity' : 'quantities'}, ${table.sources.length} ${table.sources.length === 1 ? 'source' : 'sources'}`}
        meta={
          <span className="legend">
            <span className="cell-key accepted">counted {many('accepted') + many('related')}</span>
            <span className="cell-key outvoted">× outvoted {many('outvoted')}</span>
            <span className="cell-key left-out">left out {many('left-out')}</span>
            <span className="cell-key failed">failed: asked, no answer {many('failed')}</span>
            <span title="It does not state it, or had no value: the two look the same in a reply.">
              · answered without it {many('silent')}
            </span>
          </span>
        }
      >
        <p className="matrix-tools">
          <label>
            <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> Single pools and
            venues too
          </label>
          <span className="q">
            Cells: distance from the consensus in %. Where the source’s terms forbid passing its value on, σ is the
            distance in spreads, and “kept” hides that too. Arrow keys move, Enter opens.
          </span>
        </p>
        <Matrix table={table} chosen={open} onChoose={setChosen} />
        <ListOfRows table={table} onChoose={setChosen} chosen={open} />
        <p className="foot">
          {failed.length === 0
            ? 'No source failed.'
            : `Failed: ${failed.map(({ name, outcome, detail }) => `${sourceName(name)} (${detail ?? outcomeWords(outcome)})`).join('; ')}.`}{' '}
          {notAskedWords(full.sources)}
        </p>
      </Panel>
      {open && <CellOpened facts={facts} chosen={open} />}
    </div>
  );
}

const isFailed = ({ outcome, asked, answered }: Source) =>
  asked > 0 && answered === 0 && !['ok', 'empty', 'not_found', 'disabled', 'unsupported'].includes(outcome);

function notAskedWords(sources: readonly Source[]): string {
  const idle = sources.filter(
    ({ outcome, asked }) => asked === 0 || outcome === 'disabled' || outcome === 'unsupported',
  );
  if (idle.length === 0) return 'Every source was requested.';
  return `Not requested (switched off, without a key, or not for this chain): ${idle.map(({ name }) => sourceName(name)).join(', ')}.`;
}

interface MatrixTable {
  readonly sources: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly quantity: Quantity;
    readonly group: number;
    readonly cells: readonly Cell[];
  }[];
}

function tableOf(full: ScoreResult, all: boolean): MatrixTable {
  const quantities = full.quantities
    .filter(({ quantity, scope }) => !NO_ROW.test(quantity) && (all || scope === 'asset'))
    .filter(({ voices }) => voices.length > 0)
    .toSorted(
      (a, b) =>
        groupOf(a.quantity) - groupOf(b.quantity) ||
        (a.scope === 'asset' ? 0 : 1) - (b.scope === 'asset' ? 0 : 1) ||
        b.voices.length - a.voices.length,
    );
  const heard = new Set(quantities.flatMap(({ voices }) => voices.map(({ source }) => source)));
  const tiers = ['chain', 'venue', 'aggregator', 'registry', 'self_reported'];
  const tierOf = (source: string) =>
    Math.min(
      ...quantities.flatMap(({ voices }) =>
        voices.filter((voice) => voice.source === source).map(({ tier }) => tiers.indexOf(tier)),
      ),
    );
  const failed = full.sources.filter((source) => isFailed(source) && !heard.has(source.name)).map(({ name }) => name);
  const sources = [...[...heard].toSorted((a, b) => tierOf(a) - tierOf(b) || a.localeCompare(b)), ...failed];
  return {
    sources,
    rows: quantities.map((quantity) => {
      const group = groupOf(quantity.quantity);
      const cells = sources.map((source) => cellOf(quantity, source, failed.includes(source)));
      return { key: keyOf(quantity), quantity, group, cells };
    }),
  };
}

function cellOf(quantity: Quantity, source: string, hasFailed: boolean): Cell {
  const voices = quantity.voices.filter((one) => one.source === source);
  const voice = voices.find(({ accepted }) => accepted) ?? voices[0] ?? null;
  if (voice === null && hasFailed) return { state: 'failed', text: 'failed', far: null, voice };
  if (voice === null) return { state: 'silent', text: '·', far: null, voice };
  const far = distanceOf(quantity, voice);
  return { state: stateOf(voice), text: textOf(voice, far), far, voice };
}

function stateOf({ accepted, reason }: Voice): State {
  if (accepted) return 'accepted';
  if (reason === 'same_family') return 'related';
  return reason === 'outlier' || reason === 'unit_mismatch' || reason === 'wrong_token_suspected'
    ? 'outvoted'
    : 'left-out';
}

/** Percent from the consensus; null if either is not a number. */
function distanceOf({ value }: Quantity, voice: Voice): number | null {
  if (typeof value !== 'number' || typeof voice.value !== 'number') return null;
  if (value === 0) return voice.value === 0 ? 0 : null;
  return (voice.value / value - 1) * 100;
}

function textOf(voice: Voice, far: number | null): string {
  const mark = stateOf(voice) === 'outvoted' ? '×' : '';
  if (far !== null) return `${mark}${farWords(far)}`;
  if (voice.withheld) return voice.z === null ? 'kept' : `${mark}${spreadWords(voice.z)}`;
  if (voice.accepted || voice.reason === 'same_family') return 'same';
  return `${mark}other`;
}

const spreadWords = (z: number) =>
  `${z >= 0.05 ? '+' : z <= -0.05 ? '−' : ''}${Math.abs(z).toFixed(1).replace('0.0', '0')}σ`;

function farWords(far: number): string {
  if (Math.abs(far) < 0.005) return '0';
  const digits = Math.abs(far) >= 100 ? 0 : Math.abs(far) >= 10 ? 1 : 2;
  return `${far > 0 ? '+' : '−'}${Math.abs(far).toFixed(digits)}`;
}

function firstWorthwhile({ rows, sources }: MatrixTable): Chosen | null {
  for (const wanted of ['outvoted', 'left-out', 'accepted'] as const)
    for (const { key, cells } of rows) {
      const at = cells.findIndex(({ state }) => state === wanted);
      if (at >= 0) return { key, source: sources[at] ?? '' };
    }
  return null;
}

function shade({ state, far }: Cell): string {
  if (state !== 'accepted' && state !== 'related') return state;
  const away = Math.abs(far ?? 0);
  return `${state} far${away < 0.05 ? 0 : away < 0.3 ? 1 : away < 1 ? 2 : 3}`;
}

/** One cell is in the tab order; arrow keys move among the cells with a value. */
function Matrix({
  table,
  chosen,
  onChoose,
}: {
  readonly table: MatrixTable;
  readonly chosen: Chosen | null;
  readonly onChoose: (chosen: Chosen) => void;
}) {
  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
    };
    const step = steps[event.key];
    const from = (event.target as HTMLElement).dataset.at?.split(' ').map(Number);
    if (step === undefined || from === undefined) return;
    event.preventDefault();
    let [row = 0, column = 0] = from;
    for (;;) {
      row += step[0];
      column += step[1];
      if (row < 0 || column < 0 || row >= table.rows.length || column >= table.sources.length) return;
      const next = event.currentTarget.querySelector<HTMLButtonElement>(`[data-at="${row} ${column}"]`);
      if (next !== null) {
        next.focus();
        return;
      }
    }
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="matrix-frame" aria-label="Matrix of quantities and sources" tabIndex={0}>
      <table className="matrix" onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col" className="r">
              Consensus
            </th>
            <th scope="col" className="r">
              Agree
            </th>
            <th scope="col" className="r">
              Conf.
            </th>
            {table.sources.map((source) => (
              <th key={source} scope="col" className="upright">
                <span>{sourceName(source)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ key, quantity, group, cells }, row) => (
            <tr key={key} className={group === table.rows[row - 1]?.group ? '' : 'first-of-group'}>
              <th scope="row">
                <span className="group">{group === table.rows[row - 1]?.group ? '' : GROUPS[group]?.[0]}</span>
                {quantityWords(quantity.quantity)}
                {quantity.scope !== 'asset' && <span className="q"> {scopeWords(quantity.scope)}</span>}
              </th>
              <td className="r">
                <ConsensusValue of={quantity} />
              </td>
              <td className="r">
                {quantity.voices.filter(({ accepted }) => accepted).length}/{quantity.voices.length}
              </td>
              <td className="r">{quantity.confidence.toFixed(2)}</td>
              {cells.map((cell, column) => {
                const source = table.sources[column] ?? '';
                const isOpen = chosen?.key === key && chosen.source === source;
                return (
                  <td key={source} className="c">
                    {cell.voice === null ? (
                      <span
                        className={`cell ${cell.state}`}
                        title={`${sourceName(source)} ${cell.state === 'failed' ? 'was requested and did not reply' : 'replied without it'}`}
                      >
                        {cell.text}
                      </span>
                    ) : (
                      <Button
                        className={`cell ${shade(cell)}`}
                        data-at={`${row} ${column}`}
                        tabIndex={isOpen ? 0 : -1}
                        aria-pressed={isOpen}
                        aria-label={`${quantityWords(quantity.quantity)}, ${sourceName(source)}: ${cell.text}, ${rejectionWords(cell.voice.reason)}`}
                        onClick={() => onChoose({ key, source })}
                      >
                        {cell.text}
                      </Button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The agreed value as text, or that the terms of its only source withhold it. */
function ConsensusValue({ of: { quantity, unit, value, voices } }: { readonly of: Quantity }) {
  if (value === null && voices.some(({ withheld }) => withheld))
    return (
      <span className="q" title="Stated by one source whose terms forbid passing it on. It was counted.">
        withheld
      </span>
    );
  const text = valueWords(value, unit, quantity);
  return <b title={typeof value === 'string' ? value : undefined}>{unit === 'address' ? shortAddress(text) : text}</b>;
}

/** The same on a phone: a list per quantity. */
function ListOfRows({
  table,
  chosen,
  onChoose,
}: {
  readonly table: MatrixTable;
  readonly chosen: Chosen | null;
  readonly onChoose: (chosen: Chosen) => void;
}) {
  return (
    <ul className="matrix-list">
      {table.rows.map(({ key, quantity, cells }) => (
        <li key={key}>
          <p className="bar-title">
            <b>
              {quantityWords(quantity.quantity)} {scopeWords(quantity.scope)}
            </b>{' '}
            <ConsensusValue of={quantity} />
          </p>
          <p className="sayers">
            {cells.map((cell, column) => {
              const source = table.sources[column] ?? '';
              if (cell.voice === null) return null;
              return (
                <Button
                  key={source}
                  className={`cell ${shade(cell)}`}
                  aria-pressed={chosen?.key === key && chosen.source === source}
                  onClick={() => onChoose({ key, source })}
                >
                  {sourceName(source)} {cell.text}
                </Button>
              );
            })}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** One observation: value, distance, reason, time, field, hash. */
function CellOpened({ facts, chosen }: { readonly facts: Facts; readonly chosen: Chosen }) {
  const quantity = facts.quantities.get(chosen.key);
  const voices = quantity?.voices.filter(({ source }) => source === chosen.source) ?? [];
  const voice = voices.find(({ accepted }) => accepted) ?? voices[0];
  if (quantity === undefined || voice === undefined) return null;
  const far = distanceOf(quantity, voice);
  const reply = facts.replies.get(voice.evidence);
  const others = quantity.voices.filter(({ value }) => typeof value === 'number');
  return (
    <aside className="panel cell-opened" aria-label="Cell opened" aria-live="polite">
      <p className="q">
        {sourceName(voice.source)} · {quantityWords(quantity.quantity)} {scopeWords(quantity.scope)}
      </p>
      <p className="cell-value">
        {voice.withheld ? 'withheld by its terms' : valueWords(voice.value, quantity.unit, quantity.quantity)}{' '}
        <span className={`tag ${stateOf(voice)}`}>{rejectionWords(voice.reason)}</span>
      </p>
      <p>
        {far === null ? '' : `${farWords(far)} % from the consensus. `}
        {voice.z === null ? '' : `${Math.abs(voice.z).toFixed(1)} spreads away. `}
        {statusWords(quantity.status)}: {quantity.independent_families} independent{' '}
        {quantity.independent_families === 1 ? 'origin' : 'origins'}.
      </p>
      {others.length > 1 && typeof quantity.value === 'number' && quantity.value !== 0 && (
        <ul className="others" aria-label="All who state it">
          {others.map((one) => (
            <li
              key={`${one.source} ${one.endpoint} ${one.evidence} ${one.meaning}`}
              className={one === voice ? 'here' : ''}
            >
              <span>{sourceName(one.source)}</span>
              <Strip quantity={quantity} voice={one} />
              <span className="r">{percentOf(distanceOf(quantity, one))}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <dt>True at</dt>
        <dd>{minute(voice.observed_at)}</dd>
        <dt>Read</dt>
        <dd>{reply === undefined ? 'the reply is no longer kept' : minute(reply.fetched_at)}</dd>
        <dt>What it is</dt>
        <dd>{voice.meaning || quantityWords(quantity.quantity)}</dd>
        <dt>Endpoint</dt>
        <dd>{voice.endpoint.replaceAll('_', ' ')}</dd>
        <dt>Weight</dt>
        <dd>{voice.weight.toFixed(2)}</dd>
        <dt>Address</dt>
        <dd>
          <code>{reply?.url ?? 'not kept'}</code>
        </dd>
        <dt>Evidence</dt>
        <dd>
          <code title={reply?.sha256 ?? undefined}>
            {reply?.sha256 == null ? 'no hash kept' : `${reply.sha256.slice(0, 4)}…${reply.sha256.slice(-4)}`}
          </code>
          {reply?.bytes == null ? '' : ` (${(reply.bytes / 1000).toFixed(1)} kB)`}
        </dd>
      </dl>
    </aside>
  );
}

const percentOf = (far: number | null) => (far === null ? 'no number' : percent(far, 2).replace(/^(?=\d)/, '+'));

/** Place of an observation on a strip that extends to the farthest one, at least ten percent. */
function Strip({ quantity, voice }: { readonly quantity: Quantity; readonly voice: Voice }) {
  const far = distanceOf(quantity, voice) ?? 0;
  const x = 50 + Math.max(-48, Math.min(48, (far / 10) * 48));
  const spread =
    typeof quantity.value === 'number' && quantity.low !== null
      ? Math.abs((quantity.low / quantity.value - 1) * 100)
      : 0;
  const half = Math.min(48, (spread / 10) * 48);
  return (
    <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" className="strip">
      <rect className="half" x={50 - half} y={0} width={half * 2} height={12} />
      <path d="M50 0v12" />
      <rect className={stateOf(voice)} x={x - 1.2} y={2} width={2.4} height={8} />
    </svg>
  );
}
