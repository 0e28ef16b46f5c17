import type { Page } from 'playwright-core';
import { launchBrowser, noBrowser, openPage, settled, signIn } from '../test/support/browser.ts';
import { testService } from '../test/support/service.ts';

/**
 * The dashboard in Chromium with 10,000 rated assets: bytes and time of the first page, time until the list of assets is usable,
 * and latency after a click on a head of the table (sort), a letter in the search (filter) and a turn of the
 * wheel (scroll). The service is real; the pages of the list are generated here from one of its records, so that the figures are those
 * of the browser. `--rounds N`, default 5.
 */
const ROWS = 10_000;
const ROUNDS = Number(process.argv[process.argv.indexOf('--rounds') + 1]) || 5;
if (noBrowser) throw new Error(noBrowser);

const world = await testService();
const browser = await launchBrowser();
try {
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  await (await world.call('/v1/score', { json })).text();
  const { data } = (await (await world.call('/v1/rms?limit=1')).json()) as { data: Rated[] };
  const [template] = data;
  if (template === undefined) throw new Error('nothing was rated');
  const all = Array.from({ length: ROWS }, (_, index) => rowOf(template, index));
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(all));
  const names = Object.keys(rounds[0] ?? {});
  const median = names.map(
    (name) =>
      [
        name,
        quantile(
          rounds.map((row) => row[name] ?? Number.NaN),
          0.5,
        ),
      ] as const,
  );
  console.log(JSON.stringify({ rows: ROWS, rounds: ROUNDS, median: Object.fromEntries(median) }, null, 2));
} finally {
  await browser.close();
  await world.close();
}

interface Rated {
  readonly asset: { readonly id: string };
  readonly score: number | null;
}

function rowOf(template: Rated, index: number): Rated {
  const asset = {
    ...template.asset,
    id: `eip155:1/erc20:0x${index.toString(16).padStart(40, '0')}`,
    symbol: `A${index}`,
  };
  return { ...template, asset, score: ((index * 7919) % 1000) / 10 } as Rated;
}

/** One page of the list in the service's format. */
function listed(all: readonly Rated[], query: URLSearchParams): object {
  const search = (query.get('search') ?? '').toUpperCase();
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? 100);
  const found =
    search === '' ? all : all.filter(({ asset }) => (asset as { symbol?: string }).symbol?.startsWith(search));
  const sign = query.get('sort')?.startsWith('-') ? -1 : 1;
  const rows = found.toSorted((a, b) => sign * ((a.score ?? 0) - (b.score ?? 0))).slice(from, to);
  return { data: rows, next_cursor: to < found.length ? String(to) : null, data_mode: 'sandbox' };
}

async function measure(all: readonly Rated[]): Promise<Record<string, number>> {
  const { page } = await openPage(browser, world, 1440);
  await page.route('**/v1/rms?**', (route) =>
    route.fulfill({ json: listed(all, new URL(route.request().url()).searchParams) }),
  );
  await page.route('**/history?**', (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
  await signIn(page, world.key);
  await page.reload();
  await settled(page);
  const first = (await page.evaluate(`({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    drawn: performance.now(),
  })`)) as { paint: number; drawn: number };
  const startedAt = performance.now();
  await page.goto(`${world.service.url}/#/assets`);
  await page.locator('tr[data-index="20"]').waitFor();
  const list = performance.now() - startedAt;
  await page.evaluate(`
    window.waits = [];
    new PerformanceObserver((seen) => {
      for (const { interactionId, duration } of seen.getEntries()) if (interactionId) window.waits.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const sort = await waitsOf(page, async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      await page.getByRole('button', { name: turn % 2 ? 'Score' : 'Rated', exact: true }).click();
      await page.waitForTimeout(300);
    }
  });
  const filter = await waitsOf(page, async () => {
    await page.locator('#search').pressSequentially('A123', { delay: 120 });
    await page.waitForTimeout(600);
    await page.locator('#search').press('Control+a');
    await page.locator('#search').press('Backspace');
    await page.waitForTimeout(600);
  });
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const rows = document.querySelector('.rows.tall');
    const frames = [];
    let before = performance.now();
    const step = (now) => {
      frames.push(now - before);
      before = now;
      rows.scrollTop += 400;
      if (frames.length < 240) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`)) as number[];
  await page.context().close();
  return {
    first_paint_ms: first.paint,
    overview_drawn_ms: first.drawn,
    list_usable_ms: list,
    sort_p75_ms: sort,
    filter_p75_ms: filter,
    scroll_frame_p75_ms: quantile(frames, 0.75),
    scroll_frame_worst_ms: Math.max(...frames),
  };
}

/** Third quartile of the latency of interactions, from the input to the next frame; 16 if none took longer. */
async function waitsOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate('window.waits.length = 0');
  await act();
  return quantile([16, ...((await page.evaluate('window.waits')) as number[])], 0.75);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}
