import { type FormEvent, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { points, UNKNOWN } from '../format.ts';
import { AssetLink } from '../parts/asset-link.tsx';
import { Band } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { WhitelistEntry } from '../types.ts';
import { useRead } from '../use-read.ts';

const BANDS = ['AAA', 'AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C', 'D', 'NR'];
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

/** What the account watches and when it is told. */
export function WatchlistPage() {
  const list = useRead<readonly WhitelistEntry[]>('/v1/rms/whitelist');
  const [editing, setEditing] = useState<WhitelistEntry | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function put(asset: string, entry: object): Promise<void> {
    const reply = await ask(`/v1/rms/whitelist/${encodeURIComponent(asset)}`, { method: 'PUT', json: entry });
    setProblem(reply.ok ? null : reply.problem);
    if (reply.ok) setEditing(null);
    list.again();
  }
  async function remove(asset: string): Promise<void> {
    const reply = await ask(`/v1/rms/whitelist/${encodeURIComponent(asset)}`, { method: 'DELETE' });
    setProblem(reply.ok ? null : reply.problem);
    list.again();
  }
  return (
    <>
      <h1>Watchlist</h1>
      <p>
        What is watched is rated again by itself; its movements become <a href={linkTo('alerts')}>alerts</a>.
      </p>
      <EntryForm key={editing?.asset ?? 'new'} entry={editing} onSave={put} onLeave={() => setEditing(null)} />
      {problem && <Refused problem={problem} />}
      <Read
        reading={list}
        what="the watchlist"
        empty={(entries) => entries.length === 0 && 'Nothing is watched yet. Add an asset above.'}
      >
        {(entries) => (
          <Table
            caption="Watched assets"
            rows={entries}
            keyOf={({ asset }) => asset}
            columns={[
              {
                title: 'Asset',
                of: ({ asset, symbol, name }) => <AssetLink id={asset} symbol={symbol} name={name} />,
              },
              { title: 'Band', of: ({ band }) => (band === null ? 'never rated' : <Band band={band} />) },
              { title: 'Score', number: true, of: ({ score }) => points(score) },
              {
                title: 'Open alerts',
                number: true,
                of: ({ open_alerts }) => (open_alerts > 0 ? <strong>▲ {open_alerts}</strong> : 0),
              },
              {
                title: 'Tells of',
                of: ({ thresholds: { min_score_change: change, flag_severities: flags, bands } }) =>
                  `${change} points; flags ${flags.join(', ') || 'none'}; bands ${bands?.join(', ') ?? 'any'}`,
              },
              { title: 'Note', of: ({ note }) => note ?? UNKNOWN },
              { title: 'Last alert', of: ({ last_alert }) => <Moment at={last_alert} /> },
              {
                title: 'Change',
                of: (entry) => (
                  <span className="actions">
                    <button
                      type="button"
                      className="small"
                      onClick={() => setEditing(entry)}
                      aria-label={`Edit ${entry.symbol ?? entry.asset}`}
                    >
                      Edit
                    </button>
                    <button
                      type="button"
                      className="small"
                      onClick={() => remove(entry.asset)}
                      aria-label={`Remove ${entry.symbol ?? entry.asset}`}
                    >
                      Remove
                    </button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Read>
    </>
  );
}

function EntryForm({
  entry,
  onSave,
  onLeave,
}: {
  readonly entry: WhitelistEntry | null;
  readonly onSave: (asset: string, wish: object) => Promise<void>;
  readonly onLeave: () => void;
}) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const bands = form.getAll('band').map(String);
    const note = String(form.get('note') ?? '').trim();
    void onSave(entry?.asset ?? String(form.get('asset')).trim(), {
      note: note === '' ? null : note,
      thresholds: {
        min_score_change: Number(form.get('change')),
        flag_severities: form.getAll('severity').map(String),
        bands: bands.length === 0 ? null : bands,
      },
    });
  }
  const chosen: readonly string[] = entry?.thresholds.flag_severities ?? ['critical', 'high'];
  return (
    <form className="card form" onSubmit={submit}>
      <h2>{entry ? 'Change an entry' : 'Watch an asset'}</h2>
      {entry ? (
        <p className="wrap">
          {[entry.symbol, entry.name].filter((text) => text !== null).join(', ')} <code>{entry.asset}</code>
        </p>
      ) : (
        <label>
          <span>Asset</span>
          <input name="asset" required maxLength={200} placeholder="Symbol, chain:address or CAIP-19 id" />
        </label>
      )}
      <label>
        <span>Tell when the score moves by, points</span>
        <input
          name="change"
          type="number"
          min={0.1}
          max={100}
          step={0.1}
          required
          defaultValue={entry?.thresholds.min_score_change ?? 5}
        />
      </label>
      <label>
        <span>Note (optional)</span>
        <input name="note" maxLength={500} defaultValue={entry?.note ?? ''} />
      </label>
      <fieldset className="radio">
        <legend>Tell of flags that are</legend>
        {SEVERITIES.map((severity) => (
          <label key={severity}>
            <input type="checkbox" name="severity" value={severity} defaultChecked={chosen.includes(severity)} />{' '}
            {severity}
          </label>
        ))}
      </fieldset>
      <fieldset className="radio">
        <legend>Tell of moves into or out of these bands (none ticked: any band; D and NR always)</legend>
        {BANDS.map((band) => (
          <label key={band}>
            <input
              type="checkbox"
              name="band"
              value={band}
              defaultChecked={(entry?.thresholds.bands ?? []).some((each) => each === band)}
            />{' '}
            {band}
          </label>
        ))}
      </fieldset>
      <span className="actions">
        <button type="submit" className="primary">
          {entry ? 'Save' : 'Watch'}
        </button>
        {entry && (
          <button type="button" onClick={onLeave}>
            Leave it
          </button>
        )}
      </span>
    </form>
  );
}
