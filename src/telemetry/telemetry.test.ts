import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger } from './logger.ts';
import { createMetrics, serveMetrics } from './metrics.ts';

const BACKLOG = {
  waitingJobs: 3,
  runningJobs: 1,
  lostJobs: 0,
  oldestWaitingSeconds: 4,
  oldestDueSeconds: 5,
  webhooksOff: 0,
  webhooksFailing: 1,
  messagesLate: 2,
  freeBytes: 5,
};
const config = {
  logLevel: 'info',
  databaseUrl: 'postgres://assay:hunter2%20hunter2@db.example/assay',
  readUrls: ['postgres://reader:hunter2replica@db2.example/assay'],
  sources: { coingecko: { bases: {}, key: 'CG-"quoted"-key', enabled: null } },
};

function logged(run: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  run(createLogger(config, (line) => lines.push(line)));
  for (const line of lines) JSON.parse(line);
  return lines.join('');
}

describe('the log', () => {
  test('holds no key, wherever it got in', () => {
    const out = logged((logger) => {
      logger.info('key ak_live_abcDEF123456 was used');
      logger.info(
        { url: 'https://x.example/?api_key=aaaaaaaa1&b=2', note: 'ak_test_aaaaaaaa2' },
        'GET /?x=ak_live_aaaaaaaa3',
      );
      logger.info({
        headers: { Authorization: 'Bearer aaaaaaaa4', 'x-api-key': ['aaaaaaaa5'], cookie: 'a="aaaaaaaa6"' },
      });
      logger.info({ a: { b: { c: { apiKey: 'aaaaaaaa7', client_secret: 'aaaaaaaa8' } } } });
      logger.error(new Error('connect postgres://assay:aaaaaaaa9@10.0.0.1/assay failed, Basic aaaaaaaa10'));
      logger.info({ text: `hunter2 hunter2 hunter2%20hunter2 CG-"quoted"-key ${config.databaseUrl} hunter2replica` });
      logger.info({ databaseUrl: config.databaseUrl });
    });
    assert.doesNotMatch(out, /aaaaaaaa|abcDEF|hunter2|quoted/);
    assert.match(out, /b=2/);
    assert.match(out, /was used/);
  });

  test('is scrubbed in time that grows with the line only, whatever an outsider puts into it', () => {
    const startedAt = Date.now();
    for (const text of ['token', 'a.', '"key', '?key', 'a://', 'Bearer ', '&x_', 'ak_live'])
      logged((logger) => logger.info({ text: text.repeat(30_000) }));
    assert.ok(Date.now() - startedAt < 2_000);
  });

  test('leaves innocent lines alone and keeps its level', () => {
    const out = logged((logger) => {
      logger.info({ source: 'coingecko', url: 'https://x.example/v1/simple?ids=a', tokens: 3 }, 'asked');
      logger.debug('not shown');
    });
    const line = JSON.parse(out);
    assert.equal(line.url, 'https://x.example/v1/simple?ids=a');
    assert.equal(line.tokens, 3);
    assert.equal(line.msg, 'asked');
  });
});

describe('metrics', () => {
  test('are counted apart from any other registry and served on their own port', async () => {
    const metrics = createMetrics();
    createMetrics();
    metrics.request('/v1/score', 'POST', 200, 1.5);
    metrics.jobEnded('done', 2);
    metrics.watchBacklog(async () => BACKLOG);
    metrics.countRequest('coingecko', 'ok', 0.1);
    metrics.watchCircuits(() => [{ label: 'coingecko', circuit: 'open' }]);
    const server = await serveMetrics(0, metrics.registry, '127.0.0.1', async () => true);
    try {
      const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
      const text = await response.text();
      assert.match(text, /assay_http_request_seconds_count\{route="\/v1\/score",method="POST",status="200"\} 1/);
      assert.match(text, /assay_job_seconds_count\{state="done"\} 1/);
      assert.match(text, /assay_jobs\{state="queued"\} 3/);
      assert.match(text, /assay_source_asks_total\{source="coingecko",outcome="ok"\} 1/);
      assert.match(text, /assay_source_circuit\{source="coingecko"\} 2/);
      assert.equal((await fetch(`http://127.0.0.1:${server.port}/`)).status, 404);
      await assert.rejects(serveMetrics(server.port, metrics.registry, '127.0.0.1', async () => true));
    } finally {
      await server.close();
    }
  });
});

describe('the lag of the index', () => {
  const row = {
    chain: 'solana',
    kind: 'market',
    assets: 7,
    due: 2,
    running: 1,
    failing: 3,
    lateSecondsP50: 0.5,
    lateSecondsP99: 9,
  };

  test('is read when metrics are, and an unavailable store affects no other metric', async () => {
    const metrics = createMetrics();
    metrics.watchIndex(async () => [row]);
    const page = await metrics.registry.metrics();
    assert.match(page, /assay_index_assets\{chain="solana",kind="market",state="failing"\} 3/);
    assert.match(page, /assay_index_late_seconds\{chain="solana",kind="market",quantile="0.99"\} 9/);
    metrics.watchIndex(() => Promise.reject(new Error('away')));
    metrics.watchBacklog(() => Promise.reject(new Error('away')));
    metrics.jobEnded('done', 2);
    const without = await metrics.registry.metrics();
    assert.match(without, /assay_job_seconds_count\{state="done"\} 1/);
    assert.match(without, /assay_database_up 0/);
    assert.doesNotMatch(without, /assay_jobs\{/);
  });
});
