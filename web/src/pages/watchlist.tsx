import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read, useChange } from '../data/service.ts';
import { BANDS, points, SEVERITIES } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Choices } from '../parts/choices.tsx';
import type { Given } from '../parts/form.tsx';
import { Field, Form } from '../parts/form.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { inBand } from '../parts/marks.tsx';
import { Missing, orMissing } from '../parts/missing.tsx';
import { moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { ScoreTrend } from '../parts/score-trend.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import type { WhitelistEntry } from '../types.ts';
import { ImportWatchlist } from './watchlist-import.tsx';

/** The account's watchlist and its alert settings. */
export function Page() {
  const list = useQuery(read('GET /v1/rms/whitelist'));
  const [editing, setEditing] = useState<WhitelistEntry | null>(null);
  const remove = useChange('DELETE /v1/rms/whitelist/{asset}', ['GET /v1/rms/whitelist']);
  const tell = useToast();
  const columns: readonly Column<WhitelistEntry>[] = [
    ...COLUMNS,
    columnBy('Change', (entry) => {
      const name = entry.symbol ?? entry.asset;
      return (
        <span className="actions">
          <Button aria-label={`Edit ${name}`} onClick={() => setEditing(entry)}>
            Edit
          </Button>
          <Button
            aria-label={`Remove ${name}`}
            onClick={() =>
              remove.mutate(
                { path: { asset: entry.asset } },
                { onSuccess: () => tell(`${name} is watched no longer.`) },
              )
            }
          >
            Remove
          </Button>
        </span>
      );
    }),
  ];
  return (
    <>
      <PageHead title="Watchlist" sub="What is watched is rated again automatically.">
        <ImportWatchlist />
        <LinkButton to="/alerts">Alerts</LinkButton>
      </PageHead>
      <div className="grid side-form">
        <div>
          {remove.error && <ProblemBox error={remove.error} />}
          <Panel title="Watched assets" meta={list.data?.length}>
            <Rows
              of={list}
              what="the watchlist"
              name="Watched assets"
              columns={columns}
              keyOf={({ asset }) => asset}
              none="Nothing is watched yet. Add an asset, or import a list."
            />
          </Panel>
        </div>
        <EntryForm key={editing?.asset ?? 'new'} entry={editing} onLeave={() => setEditing(null)} />
      </div>
    </>
  );
}

const NOT_YET = <Missing why="not_rated" words="It is rated with the next round." />;
const column = columnsOf<WhitelistEntry>();
const COLUMNS: readonly Column<WhitelistEntry>[] = [
  columnBy('Asset', ({ asset: id, symbol, name }) => <AssetName asset={{ id, symbol, name }} />, {
    value: ({ symbol, name, asset }) => symbol ?? name ?? asset,
  }),
  column('band', 'Band', (band) => (band === null ? NOT_YET : inBand(band)), { unsorted: true }),
  column('score', 'Score', (score) => (score === null ? NOT_YET : <b>{points(score)}</b>), { number: true }),
  columnBy('30 days', ({ asset }) => <ScoreTrend assetId={asset} />, { ...WIDE, id: 'trend' }),
  column('open_alerts', 'Open alerts', (open) => (open > 0 ? <b>▲ {open}</b> : 0), NUMBER),
  columnBy(
    'Tells of',
    ({ thresholds: { min_score_change: change, flag_severities: flags, bands } }) =>
      `${change} points; flags ${flags.join(', ') || 'none'}; bands ${bands?.join(', ') ?? 'any'}`,
    { ...WIDE, id: 'tells', csv: ({ thresholds }) => thresholds.min_score_change },
  ),
  column('note', 'Note', orMissing('none', 'No note was written.', asIs), { ...WIDE, unsorted: true }),
  column('last_alert', 'Last alert', orMissing('never', 'There was no alert since it is watched.', moment), WIDE),
];

function EntryForm({ entry, onLeave }: { readonly entry: WhitelistEntry | null; readonly onLeave: () => void }) {
  const put = useChange('PUT /v1/rms/whitelist/{asset}', ['GET /v1/rms/whitelist']);
  const tell = useToast();
  const flags: readonly string[] = entry?.thresholds.flag_severities ?? ['critical', 'high'];
  const bands: readonly string[] = entry?.thresholds.bands ?? [];
  const onSend = ({ text, ticked }: Given) => {
    const chosen = ticked('band', BANDS);
    const thresholds = {
      min_score_change: Number(text('change')),
      flag_severities: ticked('severity', SEVERITIES),
      bands: chosen.length === 0 ? null : chosen,
    };
    put.mutate(
      { path: { asset: entry?.asset ?? text('asset') }, body: { note: text('note') || null, thresholds } },
      {
        onSuccess: () => {
          tell(entry ? 'The entry was changed.' : 'It is watched from now on.');
          onLeave();
        },
      },
    );
  };
  return (
    <Panel title={entry ? `Change ${entry.symbol ?? entry.name ?? 'an entry'}` : 'Watch an asset'}>
      <Form
        change={put}
        submit={entry ? 'Save' : 'Watch'}
        onSend={onSend}
        beside={entry && <Button onClick={onLeave}>Cancel</Button>}
      >
        {!entry && (
          <Field
            label="Asset"
            name="asset"
            required
            maxLength={200}
            placeholder="Symbol, chain:address or CAIP-19 id"
          />
        )}
        <Field
          label="Tell when the score moves by, points"
          name="change"
          type="number"
          min={0.1}
          max={100}
          step={0.1}
          required
          defaultValue={entry?.thresholds.min_score_change ?? 5}
        />
        <Field label="Note (optional)" name="note" maxLength={500} defaultValue={entry?.note ?? ''} />
        <Choices
          legend="Tell of flags that are"
          name="severity"
          words={SEVERITIES}
          isOn={(severity) => flags.includes(severity)}
        />
        <Choices
          legend="Tell of moves into or out of"
          name="band"
          words={BANDS}
          isOn={(band) => bands.includes(band)}
        />
        <p className="qq">No band ticked: any band. D and NR always.</p>
      </Form>
    </Panel>
  );
}
