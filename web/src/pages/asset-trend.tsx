import { useEffect, useState } from 'react';
import { ask } from '../api.ts';
import { Spark } from '../parts/line-chart.tsx';
import type { Page, RatingRecord } from '../types.ts';

/** A row that is only scrolled past is not asked about. */
const REST_MS = 250;
const AT_ONCE = 3;
const seen = new Map<string, readonly (number | null)[]>();
const waiting: (() => void)[] = [];
let running = 0;
/** A plan's limit that was met once ends the asking: the table matters more than its trends. */
let refused = false;

/** The scores of the last 30 days, one a day. */
export function Trend({ assetId }: { readonly assetId: string }) {
  const [values, setValues] = useState(seen.get(assetId) ?? null);
  useEffect(() => {
    if (seen.has(assetId)) return setValues(seen.get(assetId) ?? null);
    let gone = false;
    const timer = setTimeout(async () => {
      const read = await trendOf(assetId, () => gone);
      if (!gone && read) setValues(read);
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [assetId]);
  return values === null ? <span className="quiet">…</span> : <Spark values={values} />;
}

async function trendOf(assetId: string, isGone: () => boolean): Promise<readonly (number | null)[] | null> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  if (refused || isGone()) {
    waiting.shift()?.();
    return null;
  }
  running += 1;
  const reply = await ask<Page<RatingRecord>>(`/v1/rms/${encodeURIComponent(assetId)}/history?interval=1d&limit=31`);
  running -= 1;
  waiting.shift()?.();
  if (!reply.ok) {
    refused = reply.problem.status === 429;
    return null;
  }
  const values = reply.value.data.toSorted((a, b) => a.as_of.localeCompare(b.as_of)).map(({ score }) => score);
  seen.set(assetId, values);
  return values;
}
