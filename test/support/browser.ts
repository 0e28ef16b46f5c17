import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axeCore from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { TestService } from './service.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Without a browser the pages are not tested: said in words here, a failure in CI. */
export const noBrowser =
  CHROMIUM === undefined ? 'no Chromium is installed (apt-get install chromium): the pages are not tested' : false;
/** Where screenshots are kept as artefacts; none are taken without it. */
const shots = process.env.ASSAY_SCREENSHOTS;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: ARGUMENTS });
}

/** A page of its own, and everything it complains about. */
export async function openPage(
  browser: Browser,
  { service }: TestService,
  width: number,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // What is not there is a 404 by design, shown in words.
    if (
      message.type() === 'error' &&
      !/snapshot|liquidity\/pools|forensics|clusters|NOSUCH|_none/.test(message.location().url)
    )
      complaints.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) complaints.push(`asked outside: ${request.url()}`);
  });
  await page.goto(`${service.url}/`);
  return { page, complaints };
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.locator('#key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' });
}

export async function keepShot(page: Page, name: string, fullPage = true): Promise<void> {
  if (shots === undefined) return;
  await mkdir(shots, { recursive: true });
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage });
}

/** The page that the address names is drawn, and everything it reads has come. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const drawn =
    "document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy=true]') === null";
  await until(page, drawn, 20_000);
  await until(page, "![...document.querySelectorAll('td .trend')].some((cell) => cell.textContent === '')");
}

/** Asked by evaluation: the page's own policy forbids what waitForFunction does. */
export async function until(page: Page, expression: string, longestMs = 10_000): Promise<void> {
  const end = performance.now() + longestMs;
  while ((await page.evaluate(expression)) !== true) {
    assert.ok(performance.now() < end, `${page.url()}: waited too long for ${expression}`);
    await page.waitForTimeout(20);
  }
}

/** Every rule is tried; what is left out is the list of what holds, and a unique selector for each element, which nobody reads. */
const OPTIONS = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'], selectors: false });

/** What axe-core has to say about the page. */
export async function axe(page: Page): Promise<readonly string[]> {
  // By the debugger's way in: the page's own policy lets no script in.
  if (!(await page.evaluate("'axe' in window"))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axeCore.source });
    await session.detach();
  }
  const found = await page.evaluate(
    `axe.run(document, ${OPTIONS}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
  return found as readonly string[];
}
