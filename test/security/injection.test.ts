import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Parser } from 'htmlparser2';
import { assay } from '../support/command-line.ts';
import { type AttackedService, attackedService } from './attacked-service.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { type OpenApi, readOpenApi } from './open-api.ts';
import { seeded } from './seeded.ts';
import type { Spoil } from './spoiling-proxy.ts';
import { FULL, SEED, tally } from './tally.ts';

const ROUNDS = FULL ? 60 : 6;
const NAMED = Object.entries(HOSTILE_TEXTS);
const PROJECTS = ['Tidewell', 'Anchorline'];

let world: AttackedService;
let api: OpenApi;
before(async () => {
  world = await attackedService();
  api = readOpenApi((await (await world.get('/openapi.json')).json()) as Record<string, unknown>);
});
after(() => world.close());

/** Addresses, hashes and numbers hold a reply together: with those gone nothing of it would get any further. */
const HOLDS_TOGETHER = /^(0x[0-9a-f]+|[\d.,eE+-]+|[1-9A-HJ-NP-Za-km-z]{32,44}|\d{4}-\d\d-\d\d.*)$/;

/** Words for people get through identification; everything else is spoiled now and then. */
function spoiling(round: number): Spoil {
  const chance = seeded(SEED * 1_000 + round);
  const share = [0.02, 0.1, 0.5][round % 3] ?? 0.1;
  const [, ofTheRound = ''] = NAMED[round % NAMED.length] ?? [];
  return (text, { path }) => {
    const isProse =
      /descr|title|label|reason|detail|tagline|notice|image|logo|tags?\b|twitter|telegram|message|risk|version|venue|exchange|dex/i.test(
        path,
      );
    const isName = /name|symbol/i.test(path);
    if (isProse) return chance.once(0.7) ? ofTheRound : chance.pick(NAMED)[1];
    if (isName) return chance.once(share) ? `${text}${ofTheRound}` : text;
    if (HOLDS_TOGETHER.test(text)) return chance.once(share / 20) ? chance.pick(NAMED)[1] : text;
    return chance.once(share) ? chance.pick(NAMED)[1] : text;
  };
}

/** What a page may hold, when nothing in it may run or load. */
function harmInPage(html: string): string | null {
  let harm: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!SAFE_TAGS.has(name)) harm ??= `<${name}>`;
      for (const [attribute, value] of Object.entries(attributes))
        if (!SAFE_ATTRIBUTES.has(attribute) || /url\(|:\/\//i.test(value))
          harm ??= `${name} ${attribute}=${value.slice(0, 60)}`;
    },
  });
  parser.end(html);
  return harm;
}
const SAFE_TAGS = new Set(
  'html head meta title style body main article header p h1 h2 h3 div b section table thead tbody tr th td span ul li dl dt dd details summary svg text rect line path g'.split(
    ' ',
  ),
);
const SAFE_ATTRIBUTES = new Set(
  'lang charset name content class role scope aria-label tabindex viewbox width height x y x1 y1 x2 y2 d text-anchor'.split(
    ' ',
  ),
);

/** Control and format characters: what steers a terminal, turns text round or hides it. */
const UNSEEN = /(?!\n)\p{C}/u;
const LONE = /\p{Surrogate}/u;

function harmInMarkdown(markdown: string): string | null {
  if (/(?<!\\)<\/?[a-z]/i.test(markdown)) return 'raw markup';
  if (/(?<!\\)\]\(/.test(markdown)) return 'a link';
  return /^(# heading|```)/m.test(markdown) ? 'a block of its own' : null;
}

/** A row of a table with another number of cells than its head; null when there is none. */
function brokenTable(markdown: string): string | null {
  const cells = (row: string) => row.replaceAll(/\\./g, '').split('|').length;
  let head: number | null = null;
  for (const row of markdown.split('\n')) {
    if (!row.startsWith('|')) head = null;
    else if (head === null) head = cells(row);
    else if (cells(row) !== head) return row.slice(0, 200);
  }
  return null;
}

describe('what strangers write into every string of every source', () => {
  test('is data to every face: JSON as documented, pages that run nothing, terminals that are not steered', async () => {
    const ids = new Set<string>();
    const statuses: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      world.proxy.spoil = spoiling(round);
      world.proxy.pollute = round % 2 === 1;
      const [, said = ''] = NAMED[round % NAMED.length] ?? [];
      world.proxy.addedToPages = `<title>${said}</title><p>${said}</p><meta name="description" content="${said.replaceAll('"', '&quot;')}">`;
      const project = PROJECTS[round % PROJECTS.length] ?? '';
      const json = {
        type: 'posttge',
        project,
        project_url: `https://${project.toLowerCase()}.example/`,
        output_format: 'full',
      };
      const score = await world.post('/v1/score', json, { prefer: 'wait=20' });
      const text = await score.text();
      statuses[score.status] = (statuses[score.status] ?? 0) + 1;
      const operation = api.operations.find(({ path }) => path === '/v1/score');
      assert.ok(operation);
      const complaint = api.complaint(
        operation,
        score.status,
        score.headers.get('content-type') ?? '',
        Buffer.from(text),
      );
      assert.equal(complaint, null, `${round}: ${complaint} ${text.slice(0, 300)}`);
      const body = JSON.parse(text) as { readonly job_id?: string; readonly code?: string };
      assert.notEqual(body.code, 'internal_error', text.slice(0, 300));
      assert.doesNotMatch(text, LONE, 'a lone surrogate');
      assert.ok(text.length < 4_000_000, 'a reply stays small');
      if (score.status !== 200 || !body.job_id) continue;
      ids.add(body.job_id);
      await readAsPerson(body.job_id);
    }
    assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined, 'a prototype was written to');
    assert.ok(ids.size >= ROUNDS / 3, `only ${ids.size} of ${ROUNDS} were rated: nothing came through to look at`);
    tally({
      part: 'injection',
      claim: 'hostile texts in every string of every source stay data on every face',
      tried: world.proxy.spoiled(),
      counts: { texts: NAMED.length, rounds: ROUNDS, ...statuses },
    });
  });

  async function readAsPerson(jobId: string): Promise<void> {
    const path = `/v1/jobs/${jobId}?output_format=full`;
    await readReport(path);
    const evidence = await world.get(`/v1/jobs/${jobId}/evidence`);
    assert.equal(evidence.status, 200);
    await evidence.body?.cancel();
  }

  /** The report as a page, which its policy confines, and as Markdown, whose tables hold together. */
  async function readReport(path: string): Promise<void> {
    const page = await world.get(path, { accept: 'text/html' });
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'unsafe-inline';/);
    const html = await page.text();
    assert.match(html, /^<!doctype html>/);
    assert.equal(harmInPage(html), null);
    const markdown = await (await world.get(path, { accept: 'text/markdown' })).text();
    assert.equal(harmInMarkdown(markdown), null, markdown.slice(0, 400));
    assert.equal(brokenTable(markdown), null);
  }

  test('is data to readers of ratings, of lists and of chain data, in each format', async () => {
    const list = (await (await world.get('/v1/rms')).json()) as {
      readonly data: readonly { readonly asset_id?: string; readonly asset?: { readonly id: string } }[];
    };
    assert.ok(list.data.length > 0);
    for (const row of list.data) {
      const id = row.asset_id ?? row.asset?.id ?? '';
      await readReport(`/v1/rms/${encodeURIComponent(id)}/report`);
      for (const place of ['', '/breakdown', '/peers', '/counterfactual', '/history', '/actions']) {
        const operation = api.operations.find(
          ({ path, method }) => path === `/v1/rms/{asset}${place}` && method === 'GET',
        );
        assert.ok(operation);
        const got = await world.get(`/v1/rms/${encodeURIComponent(id)}${place}`, { 'accept-encoding': 'identity' });
        const body = Buffer.from(await got.arrayBuffer());
        assert.equal(
          api.complaint(operation, got.status, got.headers.get('content-type') ?? '', body),
          null,
          `${id} ${place}`,
        );
      }
    }
  });

  test('steers no terminal, forges no line of it', async () => {
    const variables = { ASSAY_DATA_DIR: world.config.dataDir };
    const commands = [
      ['rms', 'list'],
      ['rms', 'show', 'TIDE'],
      ...(FULL ? [['rms', 'history', 'TIDE'], ['sources']] : []),
    ];
    for (const args of commands) {
      const { out, err } = await assay(world.config, args, variables);
      assert.doesNotMatch(out + err, UNSEEN, args.join(' '));
    }
  });

  test('is marked as a stranger’s to a language model', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_rating', arguments: { asset: 'TIDE' } },
    };
    const got = await world.post('/mcp', call, { accept: 'application/json, text/event-stream' });
    const text = await got.text();
    assert.equal(got.status, 200, text.slice(0, 300));
    const unmarked = text.replaceAll(/\\?"untrusted\\?":\\?"(?:[^"\\]|\\(?!")|\\\\")*\\?"/g, '');
    for (const word of ['Ignore all previous', '<script', 'onerror=', 'window.pwned'])
      assert.ok(!unmarked.includes(word), `${word} is outside of untrusted: ${unmarked.slice(0, 400)}`);
  });
});
