import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readCsv } from '../data/read-csv.ts';
import { AssayProblem, service } from '../data/service.ts';
import { many, sentence } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface Line {
  readonly number: number;
  readonly asset: string;
  readonly note: string | null;
  readonly change: number | null;
  /** Why it is not sent; null: it is. */
  readonly fault: string | null;
}
interface Outcome extends Line {
  /** Null: it was added. */
  readonly refusal: string | null;
}

const MOST = 1_000;

/** Adds assets from a CSV file: `asset`, and optionally `min_score_change` and `note`; without a head, the first column. */
export function ImportWatchlist() {
  const queries = useQueryClient();
  const [lines, setLines] = useState<readonly Line[] | null>(null);
  const [done, setDone] = useState<readonly Outcome[]>([]);
  const [running, setRunning] = useState(false);
  const stopped = useRef(false);
  const run = async (wanted: readonly Line[]) => {
    setRunning(true);
    stopped.current = false;
    for (const line of wanted) {
      if (stopped.current) break;
      const refusal = line.fault ?? (await refusalOf(line));
      setDone((before) => [...before, { ...line, refusal }]);
    }
    setRunning(false);
    await queries.invalidateQueries({ queryKey: ['GET /v1/rms/whitelist'] });
  };
  const close = () => {
    stopped.current = true;
    setLines(null);
  };
  const refused = done.filter(({ refusal }) => refusal !== null);
  return (
    <>
      <label className="button">
        Import CSV
        <input
          className="vh"
          type="file"
          accept=".csv,text/csv,text/plain"
          onChange={async (event) => {
            const [chosen] = event.target.files ?? [];
            if (!chosen) return;
            setDone([]);
            event.target.value = '';
            setLines(readLines(await chosen.text()));
          }}
        />
      </label>
      {lines && (
        <Dialog title="Import into the watchlist" onClose={close}>
          {lines.length === 0 ? (
            <p>
              The file names no asset. Write one a line: a symbol, <code>chain:address</code> or CAIP-19 id, and if you
              like a head <code>asset,min_score_change,note</code>.
            </p>
          ) : (
            <>
              <p role="status">
                {done.length === 0
                  ? `${many(lines.length, 'asset')}, the first ${shortened(lines[0]?.asset ?? '')}. What is watched already gets the thresholds of the file.`
                  : `${done.length} of ${lines.length} done: ${done.length - refused.length} watched, ${refused.length} refused.`}
              </p>
              {refused.length > 0 && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard
                <ul className="refusals" tabIndex={0} aria-label="Refused lines">
                  {refused.map(({ number, asset, refusal }) => (
                    <li key={number}>
                      Line {number}, <b>{shortened(asset)}</b>: {refusal}
                    </li>
                  ))}
                </ul>
              )}
              <p className="actions">
                {done.length === 0 && (
                  <Button primary disabled={running} onClick={() => run(lines)}>
                    Watch {lines.length === 1 ? 'it' : `all ${lines.length}`}
                  </Button>
                )}
                <Button onClick={close}>{done.length === 0 ? 'Cancel' : running ? 'Stop' : 'Close'}</Button>
              </p>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

/** Null: it is watched now. */
async function refusalOf({ asset, note, change }: Line): Promise<string | null> {
  try {
    await service().call('PUT /v1/rms/whitelist/{asset}', {
      path: { asset },
      body: {
        ...(note === null ? {} : { note }),
        ...(change === null ? {} : { thresholds: { min_score_change: change } }),
      },
    });
    return null;
  } catch (error) {
    if (!(error instanceof AssayProblem)) return error instanceof Error ? error.message : String(error);
    const { code, detail, errors = [] } = error.problem;
    if (code === 'asset_not_rated')
      return 'No rated asset has this name. Score it first, or write its chain and address.';
    return errors.length === 0 ? detail : errors.map((one) => sentence(one.detail)).join(' ');
  }
}

/** What spreadsheets call the column of the asset. */
const ASSET_HEADS = ['asset', 'symbol', 'ticker', 'token', 'address', 'id'];

/** The lines of a file that name an asset; one with a threshold that cannot be meant is kept with the fault. */
function readLines(text: string): readonly Line[] {
  const rows = readCsv(text);
  const head = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const named = ASSET_HEADS.find((name) => head.includes(name));
  const place = (name: string, usual: number) => (named === undefined ? usual : head.indexOf(name));
  return rows.slice(named === undefined ? 0 : 1).flatMap(({ number, cells }, index) => {
    const asset = cells[place(named ?? 'asset', 0)] ?? '';
    if (asset === '') return [];
    const given = cells[place('min_score_change', 1)] ?? '';
    const change = given === '' ? null : Number(given);
    const fault =
      index >= MOST
        ? `A file has ${MOST} assets at most.`
        : change !== null && !(change >= 0.1 && change <= 100)
          ? `min_score_change: expected a number from 0.1 to 100, such as 2.5; got ${shortened(given)}.`
          : null;
    return [{ number, asset, note: cells[place('note', 2)] || null, change, fault }];
  });
}

const SHOWN = 60;
const shortened = (text: string) => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
