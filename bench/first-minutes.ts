import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchBrowser, noBrowser, signIn, until } from '../test/support/browser.ts';

/**
 * The first ten minutes with the demo, by the clock: `npm run demo` in an empty folder, a browser at 1440 by 900, and the content of
 * the screen at minutes 1, 3, 5 and 10, or as soon after as there is content. `--shots DIR` saves a picture of each; `--write FILE` writes the page of documentation.
 * The dashboard must be built (`npm run build:web`).
 */
const { values } = parseArgs({ options: { shots: { type: 'string' }, write: { type: 'string' } } });
if (noBrowser) throw new Error(noBrowser);

interface Seen {
  readonly at: string;
  readonly did: string;
  readonly title: string;
  readonly panels: readonly string[];
  readonly figures: readonly string[];
}

const ROOT = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'assay-first-minutes-'));
await chmod(folder, 0o755);
const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;
const demo = spawn('npm', ['run', '--silent', 'demo', '--', '--data-dir', join(folder, 'data')], {
  cwd: ROOT,
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const printed: (readonly [seconds: number, line: string])[] = [];
const ready = new Promise<{ readonly base_url: string; readonly api_key: string }>((found, failed) => {
  demo.once('exit', (code) => failed(new Error(`the demo ended with ${code}`)));
  createInterface({ input: demo.stdout }).on('line', (line) => {
    if (line.startsWith('READY ')) found(JSON.parse(line.slice(6)));
    else if (line.trim() !== '') printed.push([elapsed(), line]);
  });
});

const browser = await launchBrowser();
try {
  const { base_url: url, api_key: key } = await ready;
  const times: (readonly [what: string, seconds: number])[] = [
    ['the first line of the demo', printed[0]?.[0] ?? Number.NaN],
    ['the first rating in the terminal', printed.find(([, line]) => line.includes('trust'))?.[0] ?? Number.NaN],
    ['address and key in the terminal', elapsed()],
  ];
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${url}/`);
  times.push(['the page that asks for the key', elapsed()]);
  await signIn(page, key);
  await drawn(page);
  times.push(['the overview, drawn', elapsed()]);
  const paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN");

  const seen: Seen[] = [];
  const look = async (minute: number, did: string) => {
    await sleep(Math.max(0, minute * 60_000 - (performance.now() - began)));
    await drawn(page);
    if (values.shots !== undefined) {
      await mkdir(values.shots, { recursive: true });
      await page.screenshot({ path: join(values.shots, `minute-${minute}.png`) });
    }
    seen.push({ at: clock(elapsed()), did, ...(await screenOf(page)) });
  };
  await look(1, 'signed in with the printed key');
  await page.goto(`${url}/#/assets?q=HIVC`);
  await page.getByRole('link', { name: /^HIVC/ }).first().click();
  await look(3, 'Assets, then Hivecoin');
  await page.goto(`${url}/#/score`);
  const typed = elapsed();
  await page.getByRole('textbox').first().fill('fennecswap.example');
  await page.getByRole('button', { name: 'Score it' }).click();
  await until(page, "document.querySelector('.opinion') !== null", 60_000);
  times.push(['a project typed into Score a project: until its rating is on the screen', elapsed() - typed]);
  await look(5, 'Score a project, fennecswap.example');
  await page.goto(`${url}/#/`);
  await look(10, 'back to the overview');
  const text = documentOf(times, Number(paint), seen);
  if (values.write === undefined) console.log(text);
  else await writeFile(values.write, text);
} finally {
  await browser.close();
  if (demo.pid !== undefined && demo.exitCode === null) {
    const ended = new Promise((resolve) => demo.once('close', resolve));
    process.kill(-demo.pid, 'SIGINT');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}

/** Minutes and seconds since the start. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
}

/** A line of the terminal; of a JSON log line only the message. */
function inShort(line: string): string {
  const message = /^\{"level":.*"msg":"([^"]*)"/.exec(line)?.[1];
  return (message === undefined ? line : `(log) ${message}`)
    .replace(/ak_live_\S+/, 'ak_live_...')
    .replaceAll(folder, '/tmp');
}

/** No part of the page is loading. */
async function drawn(page: Page): Promise<void> {
  await page.waitForTimeout(300);
  await until(
    page,
    "document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy=true]') === null",
    30_000,
  );
}

/** Head, panels and figures visible without scrolling. */
async function screenOf(page: Page): Promise<Pick<Seen, 'title' | 'panels' | 'figures'>> {
  const found: unknown = await page.evaluate(`(() => {
    const shown = (one) => one.getBoundingClientRect().top < innerHeight && one.getBoundingClientRect().height > 1;
    const texts = (rule) => [...document.querySelectorAll(rule)].filter(shown).map((one) => one.innerText.trim().replace(/\\s+/g, ' '));
    return { title: texts('h1')[0] ?? '', panels: texts('main h2'), figures: texts('.figures > *, .verdict-figures > div').slice(0, 7) };
  })()`);
  return found as Pick<Seen, 'title' | 'panels' | 'figures'>;
}

function documentOf(times: readonly (readonly [string, number])[], paint: number, seen: readonly Seen[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const cell = (text: string) => text.replaceAll('|', '/');
  return `# The first ten minutes

What stands on the screen of somebody who starts the demo and clicks through it, by the clock. \`node bench/first-minutes.ts --write docs/first-ten-minutes.md\` measures it and writes this page; \`--shots DIR\` keeps the pictures.
Measured ${date} at ${commit}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Chromium at 1440 by 900, load average ${loadavg()[1]?.toFixed(1)} over the last five minutes${(loadavg()[1] ?? 0) > availableParallelism() ? ' (more than the cores: others worked on the machine)' : ''}. The clock starts with \`npm run demo\` in an empty folder; [performance.md](performance.md) has what \`npm ci\` takes before it.

## Times

| until | seconds |
|---|---|
${times.map(([what, took]) => `| ${what} | ${took.toFixed(1)} |`).join('\n')}
| first contentful paint of the dashboard, from the request of the page | ${(paint / 1000).toFixed(2)} |

## In the terminal

\`\`\`text
${printed.map(([at, line]) => `${at.toFixed(0).padStart(4)} s  ${inShort(line)}`).join('\n')}
\`\`\`

## On the screen

| at | done before | page | within the window |
|---|---|---|---|
${seen.map(({ at, did, title, panels }) => `| ${at} | ${did} | ${cell(title)} | ${panels.map(cell).join('; ')} |`).join('\n')}

${seen
  .filter(({ figures }) => figures.length > 0)
  .map(({ at, figures }) => `Figures at ${at}: ${figures.map(cell).join('; ')}.`)
  .join('\n\n')}
`;
}
