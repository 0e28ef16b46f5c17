import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readCsv } from '../data/read-csv.ts';
import { AssayProblem, service } from '../data/service.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface Line {
  readonly number: number;
  readonly asset: string;
  readonly note: string | null;
  readonly change: number | null;
}
interface Outcome extends Line {
  /** Null: it was added. */
  readonly refusal: string | null;
}

const MOST = 1_000;

/** Adds assets from a CSV file: `asset`, and optionally `min_score_change` and `note`; without a head, the first column. */
export function ImportWatchlist() {
  const file = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const [lines, setLines] = useState<readonly Line[] | null>(null);
  const [done, setDone] = useState<readonly Outcome[]>([]);
  const [running, setRunning] = useState(false);
  const run = async (wanted: readonly Line[]) => {
    setRunning(true);
    for (const line of wanted) {
      const refusal = await service()
        .call('PUT /v1/rms/whitelist/{asset}', {
          path: { asset: line.asset },
          body: {
            ...(line.note === null ? {} : { note: line.note }),
            ...(line.change === null ? {} : { thresholds: { min_score_change: line.change } }),
          },
        })
        .then(() => null)
        .catch((error: unknown) => (error instanceof AssayProblem ? error.problem.detail : String(error)));
      setDone((before) => [...before, { ...line, refusal }]);
    }
    setRunning(false);
    await queries.invalidateQueries({ queryKey: ['GET /v1/rms/whitelist'] });
  };
  const refused = done.filter(({ refusal }) => refusal !== null);
  return (
    <>
      <label className="button">
        Import CSV
        <input
          ref={file}
          className="vh"
          type="file"
          accept=".csv,text/csv,text/plain"
          onChange={async (event) => {
            const [chosen] = event.target.files ?? [];
            if (!chosen) return;
            setDone([]);
            setLines(readLines(await chosen.text()));
            event.target.value = '';
          }}
        />
      </label>
      {lines && (
        <Dialog title="Import into the watchlist" onClose={() => setLines(null)}>
          {lines.length === 0 ? (
            <p>
              The file names no asset. Write one a line: a symbol, <code>chain:address</code> or CAIP-19 id, and if you
              like a head <code>asset,min_score_change,note</code>.
            </p>
          ) : (
            <>
              <p role="status">
                {done.length === 0
                  ? `${lines.length} assets, the first ${lines[0]?.asset}. What is watched already gets the thresholds of the file.`
                  : `${done.length} of ${lines.length} done, ${refused.length} refused.`}
              </p>
              {refused.length > 0 && (
                <ul className="refusals">
                  {refused.map(({ number, asset, refusal }) => (
                    <li key={number}>
                      Line {number}, <b>{asset}</b>: {refusal}
                    </li>
                  ))}
                </ul>
              )}
              <p className="actions">
                {done.length === 0 && (
                  <Button primary disabled={running} onClick={() => run(lines)}>
                    Watch {lines.length}
                  </Button>
                )}
                <Button onClick={() => setLines(null)}>{done.length === lines.length ? 'Close' : 'Cancel'}</Button>
              </p>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

function readLines(text: string): readonly Line[] {
  const rows = readCsv(text);
  const head = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const hasHead = head.includes('asset');
  const place = (name: string, usual: number) => (hasHead ? head.indexOf(name) : usual);
  return rows.slice(hasHead ? 1 : 0, MOST + 1).flatMap(({ number, cells }) => {
    const asset = cells[place('asset', 0)] ?? '';
    const change = Number(cells[place('min_score_change', 1)] ?? '');
    if (asset === '') return [];
    return [{ number, asset, note: cells[place('note', 2)] || null, change: change > 0 ? change : null }];
  });
}
