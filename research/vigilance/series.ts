import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PegPrice } from '../../src/monitoring/index.ts';

/** One coin over some time, with its known outcome. */
export interface Episode {
  readonly id: string;
  readonly coin: string;
  /** `break`: it lost its peg in this time; `quiet`: it did not. */
  readonly kind: 'break' | 'quiet';
  /** Parameters are selected on the `chosen` part and reported on the `reported` one. */
  readonly part: 'chosen' | 'reported';
  readonly form: 'candles' | 'klines' | 'cmc' | 'csv';
  /** Path below the caller's folder; klines: a folder of days, cmc: a prefix of file names. */
  readonly path: string;
  /** True if the file has coins per unit of the peg; otherwise it has units of the peg per coin. */
  readonly inverted?: boolean;
  /** RFC 3339, if only a part of the file is used. */
  readonly from?: string;
  readonly to?: string;
}

export interface Series extends Episode {
  /** Oldest first. */
  readonly prices: readonly PegPrice[];
}

/** Reads an episode; null if the caller's folder does not have it. */
export async function readSeries(folder: string, episode: Episode): Promise<Series | null> {
  try {
    const read = await READERS[episode.form](join(folder, episode.path));
    const [from, to] = [Date.parse(episode.from ?? ''), Date.parse(episode.to ?? '')];
    const prices = read
      .filter(({ at, price }) => {
        const time = Date.parse(at);
        return price > 0 && !(time < from) && !(time > to);
      })
      .map(({ at, price }) => ({ at, price: episode.inverted ? 1 / price : price }))
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    return prices.length === 0 ? null : { ...episode, prices };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const READERS: Readonly<Record<Episode['form'], (path: string) => Promise<readonly PegPrice[]>>> = {
  /** bertrandbuild/stablesafe: close of 15-minute candles. */
  async candles(path) {
    const { data } = JSON.parse(await readFile(path, 'utf8')) as {
      readonly data: readonly { dt: string; c: number }[];
    };
    return data.map((row) => ({ at: new Date(row.dt).toISOString(), price: row.c }));
  },
  /** Binance's one-minute klines, one file per day: the close of every fifth. */
  async klines(path) {
    const prices: PegPrice[] = [];
    for (const name of (await readdir(path)).filter((one) => one.endsWith('.csv')).sort())
      for (const line of (await readFile(join(path, name), 'utf8')).split('\n')) {
        const [opened, , , , close] = line.split(',').map(Number);
        if (opened !== undefined && close !== undefined && opened % 300_000 === 0)
          prices.push({ at: new Date(opened + 60_000).toISOString(), price: close });
      }
    return prices;
  },
  /** CoinMarketCap's daily history, as its site exports it: the close of each day. */
  async cmc(path) {
    const [folder, start] = [join(path, '..'), path.slice(path.lastIndexOf('/') + 1)];
    const prices: PegPrice[] = [];
    for (const name of (await readdir(folder)).filter((one) => one.startsWith(start)))
      for (const line of (await readFile(join(folder, name), 'utf8')).split('\n').slice(1)) {
        const cells = line.replaceAll('"', '').split(';');
        const at = Date.parse(cells[1] ?? '');
        if (Number.isFinite(at)) prices.push({ at: new Date(at).toISOString(), price: Number(cells[8]) });
      }
    return prices;
  },
  /** Two columns, `at` and `price`. */
  async csv(path) {
    return (await readFile(path, 'utf8'))
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [at = '', price] = line.trim().split(',');
        return Number.isFinite(Date.parse(at)) ? [{ at: new Date(at).toISOString(), price: Number(price) }] : [];
      });
  },
};
