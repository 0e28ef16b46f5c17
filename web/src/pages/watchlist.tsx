import { type FormEvent, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { minute, points, shortAddress, UNKNOWN } from '../format.ts';
import { Band } from '../parts/marks.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../route.ts';
import type { WhitelistEntry } from '../types.ts';
import { useRead } from '../use-read.ts';

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
                of: ({ asset }) => (
                  <a href={linkTo('asset', asset)} title={asset}>
                    {shortId(asset)}
                  </a>
                ),
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
              { title: 'Last alert', of: ({ last_alert }) => minute(last_alert) },
              {
                title: 'Change',
                of: (entry) => (
                  <span className="actions">
                    <button
                      type="button"
                      className="small"
                      onClick={() => setEditing(entry)}
                      aria-label={`Edit ${entry.asset}`}
                    >
                      Edit
                    </button>
                    <button
                      type="button"
                      className="small"
                      onClick={() => remove(entry.asset)}
                      aria-label={`Remove ${entry.asset}`}
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
    const note = String(form.get('note') ?? '').trim();
    void onSave(entry?.asset ?? String(form.get('asset')).trim(), {
      note: note === '' ? null : note,
      thresholds: {
        min_score_change: Number(form.get('change')),
        flag_severities: form.getAll('severity').map(String),
        ...(entry ? { bands: entry.thresholds.bands } : {}),
      },
    });
  }
  const chosen: readonly string[] = entry?.thresholds.flag_severities ?? ['critical', 'high'];
  return (
    <form className="card form" onSubmit={submit}>
      <h2>{entry ? 'Change an entry' : 'Watch an asset'}</h2>
      {entry ? (
        <p className="wrap">{entry.asset}</p>
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

/** Chain and address of a CAIP-19 id, short enough for a cell. */
function shortId(assetId: string): string {
  const [chain = '', token = ''] = assetId.split('/');
  const [kind = '', address = ''] = token.split(':');
  return address === '' ? assetId : `${shortAddress(chain)} ${kind} ${shortAddress(address)}`;
}
