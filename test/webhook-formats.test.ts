import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { ALERT_KINDS } from '../src/contract/alert.ts';
import { WEBHOOK_EXAMPLES } from '../src/contract/webhook-message.ts';
import { messagePage, mutedPage, mutePage } from '../src/pages/index.ts';
import { type ChatFormat, chatMessage, type PlainMessage } from '../src/webhooks/chat-message.ts';
import { axe, launchBrowser, noBrowser } from './support/browser.ts';
import { ACCOUNT, drain, PUBLIC_URL, type WebhookWorld, webhookWorld } from './support/webhook-world.ts';

let world: WebhookWorld;

before(async () => {
  world = await webhookWorld();
});
beforeEach(() => world.reset());
afterEach(() => world.stopWorkers());
after(() => world.close());

const closed = { additionalProperties: false };
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const mrkdwn = (most: number) =>
  Type.Object({ type: Type.Literal('mrkdwn'), text: text(most), verbatim: Type.Literal(true) }, closed);
const plainText = Type.Object(
  { type: Type.Literal('plain_text'), text: text(150), emoji: Type.Optional(Type.Boolean()) },
  closed,
);

/** As the services document what they take: Slack Block Kit (header, section, context), Discord's embeds, Telegram's sendMessage. */
const SHAPES = {
  slack: Type.Object(
    {
      text: text(40_000),
      blocks: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('header'), text: plainText }, closed),
          Type.Object({ type: Type.Literal('section'), text: mrkdwn(3_000) }, closed),
          Type.Object(
            { type: Type.Literal('context'), elements: Type.Array(mrkdwn(3_000), { minItems: 1, maxItems: 10 }) },
            closed,
          ),
        ]),
        { minItems: 1, maxItems: 50 },
      ),
    },
    closed,
  ),
  discord: Type.Object(
    {
      embeds: Type.Array(
        Type.Object(
          {
            title: text(256),
            description: Type.Optional(text(4_096)),
            color: Type.Integer({ minimum: 0, maximum: 0xffffff }),
            timestamp: Type.String({ format: 'date-time' }),
            fields: Type.Array(Type.Object({ name: text(256), value: text(1_024), inline: Type.Boolean() }, closed), {
              maxItems: 25,
            }),
          },
          closed,
        ),
        { minItems: 1, maxItems: 10 },
      ),
      allowed_mentions: Type.Object({ parse: Type.Array(Type.String(), { maxItems: 0 }) }, closed),
    },
    closed,
  ),
  telegram: Type.Object(
    {
      chat_id: Type.Union([Type.Integer(), text(40)]),
      text: text(4_096),
      parse_mode: Type.Literal('HTML'),
      link_preview_options: Type.Object({ is_disabled: Type.Literal(true) }, closed),
    },
    closed,
  ),
} as const;
const FORMATS = ['slack', 'discord', 'telegram'] as const;
const checkers = { slack: Compile(SHAPES.slack), discord: Compile(SHAPES.discord), telegram: Compile(SHAPES.telegram) };

function assertTaken(format: ChatFormat, body: string): void {
  const check = checkers[format];
  const value: unknown = JSON.parse(body);
  assert.ok(check.Check(value), `${format}: ${JSON.stringify([...check.Errors(value)].slice(0, 3))}\n${body}`);
  // All text of an embed counts together.
  if (format === 'discord') assert.ok(body.length <= 6_000 + 1_000, String(body.length));
}

const LINKS = { open: `${PUBLIC_URL}/#/asset/x`, mute: `${PUBLIC_URL}/public/mute/y?a=1&b=2` };
const chat = (format: ChatFormat) => ({ format, chat_id: format === 'telegram' ? '-1001234' : null });

test('every kind of message has the shape each service takes, with and without links', () => {
  for (const format of FORMATS)
    for (const message of Object.values(WEBHOOK_EXAMPLES) as PlainMessage[])
      for (const links of [LINKS, { open: null, mute: null }])
        assertTaken(format, chatMessage(format, message, links, chat(format).chat_id));
});

test('a message states the change, its severity, the trust, and the time', () => {
  const { band_transition, risk_flag_change } = WEBHOOK_EXAMPLES;
  for (const format of FORMATS) {
    const said = (message: PlainMessage) =>
      chatMessage(format, message, LINKS, chat(format).chat_id).replaceAll('\\\\', '');
    const { from, to } = band_transition.data.details ?? assert.fail();
    for (const part of [
      `Band ${from} to ${to} `,
      'Emberlight (EMBR)',
      '71 of 100',
      'high',
      '2026-11-26 12:00 UTC',
      LINKS.open,
    ])
      assert.ok(said(band_transition).replaceAll('2026\\-11\\-26', '2026-11-26').includes(part), `${format}: ${part}`);
    const [raised] = risk_flag_change.data.details?.raised ?? [];
    assert.ok(
      raised && said(risk_flag_change).includes(`${raised.title} (${raised.code}, ${raised.severity})`),
      format,
    );
  }
});

const HOSTILE = [
  '<!channel> <@U123> <https://evil.example|Assay support>',
  '@everyone <@&1> [free](https://evil.example) **x** `` ` `` ',
  '<b>x</b><a href="https://evil.example">y</a> &lt; t.me/evil @evil /start',
  '`@here` `https://evil.example`',
  '\u202Egnp.exe\u0000\n\n# title\r\n> quote',
  `${'<'.repeat(5_000)}`,
  '&'.repeat(5_000),
  '\ud800 half',
];

test('foreign names cause no mention, no link and no markup', () => {
  const { risk_flag_change } = WEBHOOK_EXAMPLES;
  for (const name of HOSTILE)
    for (const format of FORMATS) {
      const flags = Array.from(
        { length: 40 },
        () => ({ code: 'HONEYPOT', severity: 'critical', title: name }) as const,
      );
      const data = {
        ...risk_flag_change.data,
        name,
        symbol: name,
        asset_id: name,
        details: { raised: flags, cleared: [], changed: [] },
      } as typeof risk_flag_change.data;
      const body = chatMessage(format, { ...risk_flag_change, data }, LINKS, chat(format).chat_id);
      assertTaken(format, body);
      assert.doesNotMatch(body, /\u202E|\\u0000|\\r/);
      const bare = outsideOfCode(format, body);
      for (const trace of ['evil', 'everyone', '@', '<!', 'title', 'quote', 'half', '<<', '&&', '&amp;&amp;'])
        assert.equal(
          bare.includes(trace),
          false,
          `${format}: ${JSON.stringify(trace)} of ${JSON.stringify(name.slice(0, 60))} in ${bare}`,
        );
    }
});

/** All text of a message but what stands in code spans, and but the links that are ours. */
function outsideOfCode(format: ChatFormat, body: string): string {
  const texts: string[] = [];
  JSON.parse(body, (key, value: unknown) => {
    if (typeof value === 'string' && !['type', 'timestamp', 'parse_mode'].includes(key)) texts.push(value);
    return value;
  });
  const whole = texts.join('\n');
  const code = format === 'telegram' ? /<code>[^<]*<\/code>/g : /`[^`\n]*`/g;
  return whole
    .replace(code, '')
    .replaceAll(LINKS.open, '')
    .replaceAll(LINKS.mute, '')
    .replaceAll(LINKS.mute.replaceAll('&', '&amp;'), '');
}

test('a chat service gets its format and no signature; the url is never shown again', async () => {
  for (const format of FORMATS) {
    await world.reset();
    const path = `/secret-${format}/sendMessage`;
    const { id } = await world.hook(path, ALERT_KINDS, chat(format));
    await world.alert(1, 'score_change', 'Score down', {
      details: { from: 70, to: 60, change: -10, threshold: 5 },
      symbol: 'EVIL',
      name: HOSTILE[0],
      trust: 64,
    });
    assert.ok(await world.webhooks.test(ACCOUNT, id));
    await drain(world.worker());
    assert.equal(world.received.length, 2);
    for (const { body, headers, path: to } of world.received) {
      assertTaken(format, body);
      assert.equal(to, path);
      assert.equal(headers['webhook-signature'], undefined);
      assert.equal(headers['content-type'], 'application/json');
    }
    assert.ok(world.received.some(({ body }) => body.includes('Score down 10 points')));
    const page = { state: null, before: null, limit: 10 };
    const shown = [
      await world.webhooks.get(ACCOUNT, id),
      await world.webhooks.list(ACCOUNT),
      await world.webhooks.deliveries(ACCOUNT, id, page),
      await world.webhooks.change(ACCOUNT, id, { description: 'x' }),
    ];
    assert.doesNotMatch(JSON.stringify(shown), /secret-/);
    assert.equal((await world.webhooks.get(ACCOUNT, id))?.url, `${world.base}/***`);

    const bared = await world.webhooks.change(ACCOUNT, id, { format: 'assay', chat_id: null });
    assert.doesNotMatch(JSON.stringify([bared, await world.webhooks.get(ACCOUNT, id)]), /secret-/, format);
    assert.equal(bared.ok, false);
    const moved = await world.webhooks.change(ACCOUNT, id, {
      format: 'assay',
      chat_id: null,
      url: `${world.base}/own`,
    });
    assert.equal(moved.ok && moved.value.url, `${world.base}/own`);
  }
});

test('a wait requested by a service is kept: by header, by retry_after, by parameters.retry_after', async () => {
  const refusals = {
    slack: { headers: { 'retry-after': '700' }, body: 'rate_limited' },
    discord: { headers: {}, body: JSON.stringify({ message: 'limited', retry_after: 710.4, global: false }) },
    telegram: { headers: {}, body: JSON.stringify({ ok: false, error_code: 429, parameters: { retry_after: 720 } }) },
  };
  const waits = { slack: 700, discord: 711, telegram: 720 };
  for (const format of FORMATS) {
    await world.reset();
    await world.hook('/', ALERT_KINDS, chat(format));
    await world.alert(1, 'score_change', 'Score down', { symbol: null, name: null });
    const { headers, body } = refusals[format];
    world.answer = (response) =>
      void response.writeHead(429, { 'content-type': 'application/json', ...headers }).end(body);
    await drain(world.worker());
    assert.deepEqual(await world.secondsUntilDue(), [waits[format]], format);
    await world.stopWorkers();
  }
});

test('a link in a message mutes its asset or its kind for that webhook alone, and no forged or old one does', async () => {
  const { id } = await world.hook('/slack', ALERT_KINDS, chat('slack'));
  await world.hook('/other');
  const named = { symbol: 'EVIL', name: 'Evil' };
  await world.alert(1, 'score_change', 'Score down', named);
  await drain(world.worker());
  const message = world.received.find(({ path }) => path === '/slack');
  const token = /public\/mute\/([0-9a-f]{32}\.[\w-]{43})/.exec(message?.body ?? '')?.[1] ?? assert.fail(message?.body);
  assert.deepEqual(await world.webhooks.offered(token), {
    assetId: 'eip155:1/erc20:0x1',
    kind: 'score_change',
    name: 'Evil',
  });
  const flipped = token.at(-2) === 'A' ? 'B' : 'A';
  for (const forged of [
    `${token.slice(0, -2)}${flipped}${token.at(-1)}`,
    `${'0'.repeat(32)}${token.slice(32)}`,
    'x',
    '',
  ])
    assert.equal(await world.webhooks.muteByLink(forged, 'asset', 7), null);

  const muted = await world.webhooks.muteByLink(token, 'both', 7);
  assert.ok(muted !== null && muted !== 'full');
  assert.deepEqual([muted.asset_id, muted.kind], ['eip155:1/erc20:0x1', 'score_change']);
  assert.equal(Math.round((Date.parse(muted.until) - Date.now()) / 86_400_000), 7);
  const heard = async (kind: string) => {
    world.received = [];
    await world.alert(1, kind, 'Moved', named);
    await drain(world.worker());
    return world.received.map(({ path }) => path).sort();
  };
  assert.deepEqual(await heard('score_change'), ['/other']);
  assert.deepEqual(await heard('band_transition'), ['/other', '/slack']);
  assert.ok(await world.webhooks.muteByLink(token, 'asset', 1));
  assert.deepEqual(await heard('band_transition'), ['/other']);
  const mutes = (await world.webhooks.mutes(ACCOUNT, id)) ?? [];
  assert.equal(mutes.length, 2);
  for (const mute of mutes) assert.ok(await world.webhooks.unmute(ACCOUNT, id, mute.id));
  assert.deepEqual(await heard('score_change'), ['/other', '/slack']);

  assert.equal(await world.webhooks.mutes('acc_other', id), null);
  assert.equal((await world.webhooks.mute('acc_other', id, { assetId: null, kind: 'correction' }, 1)).ok, false);
  const { db } = world.database.store;
  await db.updateTable('webhook_messages').set({ created_at: '2020-01-01T00:00:00Z' }).execute();
  assert.equal(await world.webhooks.offered(token), null);
});

test('the pages behind the link fit a phone, without findings of axe, light and dark', {
  skip: noBrowser,
}, async () => {
  const evil = '<script>alert(1)</script> "Evil" \u202e'.repeat(3);
  const pages = {
    offer: mutePage({ assetId: `eip155:1/erc20:0x${'1'.repeat(40)}`, kind: 'score_change', name: evil }),
    muted: mutedPage('2026-12-01T12:00:00.000Z'),
    message: messagePage('This link mutes nothing', 'Links in messages are valid for 30 days.'),
  };
  const browser = await launchBrowser();
  try {
    for (const [name, html] of Object.entries(pages))
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [1440, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        page.on('dialog', () => assert.fail('a name became a script'));
        await page.setContent(html);
        const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
        assert.ok(beyond <= 0, `${name} scrolls sideways by ${beyond} px at ${width}`);
        assert.deepEqual(await axe(page), [], `${name} at ${width} ${colorScheme}`);
        await context.close();
      }
  } finally {
    await browser.close();
  }
});
