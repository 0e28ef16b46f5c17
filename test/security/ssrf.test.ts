import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { get, reply, startHost, testResolver, testUpstream } from '../../src/upstream/fixtures/test-host.ts';
import { judgeProjectUrl } from '../../src/upstream/guard.ts';
import { createWebhookJudge } from '../../src/webhooks/delivery.ts';
import { type AttackedService, attackedService } from './attacked-service.ts';
import { setTrap, type Trap, watchConnections } from './connection-log.ts';
import { LED_INSIDE, ssrfCorpus } from './ssrf-corpus.ts';
import { FULL, tally } from './tally.ts';

let trap: Trap;
let corpus: readonly string[];
let world: AttackedService;
let log: ReturnType<typeof watchConnections>;
/** Where the service may go: the sources, and nobody else. */
let allowed: ReadonlySet<string>;

before(async () => {
  trap = await setTrap();
  corpus = ssrfCorpus(trap.port);
  world = await attackedService(LED_INSIDE);
  log = watchConnections();
  allowed = new Set(world.doors);
});
after(async () => {
  log.stop();
  await world.close();
  trap.close();
});

const nobodyCame = () => {
  assert.equal(trap.calls(), 0, 'the door inside was reached');
  assert.deepEqual([...new Set(log.attempts.filter((attempt) => !allowed.has(attempt)))], []);
};

describe('an address that a stranger chose', () => {
  test('has more than 200 forms, and the forbidden port counts its connections', async () => {
    assert.ok(corpus.length > 200, String(corpus.length));
    const [door, seen] = [await setTrap(), watchConnections()];
    await fetch(`http://127.0.0.1:${door.port}/`).catch(() => undefined);
    seen.stop();
    door.close();
    assert.deepEqual([door.calls(), seen.attempts], [1, [`127.0.0.1:${door.port}`]]);
    allowed = new Set([...allowed, `127.0.0.1:${door.port}`]);
  });

  test('as a project’s website or a webhook is refused by its text, or reaches nothing when a name hides it', async () => {
    const live = createWebhookJudge({ dataMode: 'live', loopback: true });
    const hidden = (url: string) => /^https?:\/\/[\w.-]+\.example(:\d+)?\//.test(url);
    for (const url of corpus) {
      if (!hidden(url)) assert.notEqual(judgeProjectUrl(url), null, url);
      if (!hidden(url)) assert.equal(live(url).ok, false, url);
    }
    const tried = FULL ? corpus : corpus.filter((_url, index) => index % 4 === 0);
    for (const url of tried) {
      const scored = await world.post(
        '/v1/score',
        { type: 'posttge', project: 'Tidewell', project_url: url },
        { prefer: 'wait=1' },
      );
      await scored.body?.cancel();
      assert.ok(hidden(url) ? scored.status >= 400 : scored.status === 400, `${scored.status} ${url}`);
      const hooked = await world.post('/v1/webhooks', { url, kinds: ['score_change'] });
      await hooked.body?.cancel();
      assert.ok(hidden(url) || hooked.status === 400, `${hooked.status} ${url}`);
    }
    tally({
      part: 'SSRF',
      claim: 'project_url and webhooks lead nowhere inside',
      tried: tried.length * 2 + corpus.length * 2,
    });
    nobodyCame();
  });

  test('requested by the upstream client, or given to it as a redirect, reaches nothing', async () => {
    let target = '';
    const host = await startHost((_path, socket) => socket.write(reply(302, '', { location: target })));
    const resolver = testResolver({ 'site.example': host.port }, LED_INSIDE);
    const upstream = testUpstream({ resolver, allowedPorts: [80, 443, trap.port] });
    const deadlines = { connectMs: 300, headersMs: 300, bodyMs: 300, totalMs: 600 };
    try {
      for (const url of corpus) {
        const asked = await upstream.request(get(url, { trust: 'outside', deadlines }));
        assert.equal(asked.ok, false, url);
        // A header cannot hold these; a host could not send them either.
        if (/[^\x20-\xff]|^$/.test(url)) continue;
        for (const trust of ['outside', 'operator'] as const) {
          target = url;
          const from = trust === 'outside' ? 'http://site.example/' : host.url;
          const led = await upstream.request(get(from, { trust, deadlines }));
          assert.equal(led.ok, false, `redirect to ${url}`);
        }
      }
    } finally {
      await upstream.close();
      host.close();
    }
    tally({
      part: 'SSRF',
      claim: 'requests and redirects of either trust lead nowhere inside',
      tried: corpus.length * 3,
    });
    const own = new Set([...allowed, `127.0.0.1:${host.port}`]);
    assert.deepEqual(
      [...new Set(log.attempts.filter((attempt) => !own.has(attempt) && !attempt.startsWith('2d00')))],
      [],
    );
    allowed = own;
    assert.equal(trap.calls(), 0);
  });

  test('in replies of sources (sites, repositories, papers, social links) or on a project’s own page reaches nothing', async () => {
    const rounds = FULL ? 24 : 3;
    const looksLikeUrl = /^(https?:)?\/\/|^[\w-]+(\.[\w-]+)*\.(example|com|io|org)\b/;
    let next = 0;
    for (let round = 0; round < rounds; round += 1) {
      world.proxy.spoil = (text) =>
        looksLikeUrl.test(text) && !text.includes('rdap') ? (corpus[next++ % corpus.length] ?? '') : text;
      const links = corpus.slice((round * 40) % corpus.length).slice(0, 40);
      const escaped = links.map((url) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
      world.proxy.addedToPages = `${escaped.map((url) => `<a href="${url}">GitHub docs whitepaper audit report.pdf Twitter</a><link rel="canonical" href="${url}"><img src="${url}"><iframe src="${url}"></iframe>`).join('\n')}<base href="${escaped[0]}"><meta http-equiv="refresh" content="0;url=${escaped[1]}">`;
      const type = round % 3 === 2 ? 'pretge' : 'posttge';
      const got = await world.post(
        '/v1/score',
        {
          type,
          project: 'Tidewell',
          project_url: 'https://tidewell.example/',
          blockchain: round % 2 ? 'solana' : undefined,
        },
        { prefer: 'wait=15' },
      );
      await got.body?.cancel();
      assert.ok(got.status < 500 || got.status === 503, String(got.status));
    }
    world.proxy.spoil = null;
    world.proxy.addedToPages = '';
    assert.ok(next > 0, 'something was spoiled');
    tally({ part: 'SSRF', claim: 'addresses in replies and pages lead nowhere inside', tried: next + rounds * 200 });
    nobodyCame();
  });

  test('as the reply of every source (a redirect) reaches nothing', async () => {
    const targets = corpus.filter((url) => /^[\x21-\x7e]+$/.test(url));
    let next = 0;
    world.proxy.redirect = () => targets[next++ % targets.length] ?? null;
    const got = await world.post(
      '/v1/score',
      { type: 'posttge', project: 'Anchorline', project_url: 'https://anchorline.example/' },
      { prefer: 'wait=10' },
    );
    await got.body?.cancel();
    world.proxy.redirect = null;
    assert.ok(next >= 3, `only ${next} redirects`);
    assert.ok([422, 503].includes(got.status), String(got.status));
    tally({ part: 'SSRF', claim: 'redirects of sources lead nowhere inside', tried: next });
    nobodyCame();
  });
});
