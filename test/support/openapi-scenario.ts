import { generateKeyPairSync, sign } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { sandboxPanel } from '../../sandbox/known-assets.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import { openExportTools } from '../../src/compose/exports.ts';
import { startService } from '../../src/compose/service.ts';
import { openStorage } from '../../src/compose/storage.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { databaseOf } from '../../src/store/fixtures/database.ts';
import { noObjectStore } from '../../src/store/moved.ts';
import { cosignatureLine, cosignedText, readCheckpoint, witnessKeyText } from '../../src/transparency/checkpoint.ts';
import { type Requirements, signPayment, startFacilitator } from './facilitator.ts';
import { type OpenApi, operationsOf } from './openapi.ts';

/** One operation as it was asked, and what came back. */
export interface Exchange {
  readonly request?: unknown;
  readonly status: number;
  readonly reply?: unknown;
}
export interface ScenarioRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: the reply only prepares another one, and is no example. */
  readonly keep?: boolean;
  /** What the last event that is read of a stream holds. */
  readonly until?: string;
}
// biome-ignore lint/suspicious/noExplicitAny: replies are looked into by the name of a member, as a caller would.
type Reply = any;

/** A service on the sandbox whose days pass when they are told to. */
export interface World {
  /** Uses an operation by its operationId. Throws on a problem. */
  ask(operationId: string, options?: ScenarioRequest): Promise<Reply>;
  /** Asks until the reply is as wished. */
  askUntil(operationId: string, options: ScenarioRequest, isThere: (reply: Reply) => boolean): Promise<Reply>;
  /** Moves the clock to so many days after the first. */
  day(days: number): void;
  /** Stops the service and starts it again. */
  restart(): Promise<void>;
  /** Corrects a rating, as the operator does on the command line. */
  restate(jobId: string, without: readonly string[], reason: string): Promise<void>;
  /** Pays for one read without a key, and returns the receipt. */
  buy(path: string): Promise<string>;
  /** Text of a checkpoint with the line of a witness below. */
  cosign(note: string): string;
  /** Publishes a TXT record in the zones of the world. */
  publish(name: string, text: string): void;
  /** An administrator's second key, as another reviewer has it. */
  secondKey(): Promise<string>;
  /** Address of an asset of the world on its chain. */
  addressOf(slug: string): string;
}

const START = Date.parse('2026-11-20T12:00:00.000Z');
const PATIENCE_MS = 90_000;
const TOKEN = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const PAYER = privateKeyToAccount(`0x${'5a'.repeat(32)}`);
const WITNESS_KEYS = generateKeyPairSync('ed25519');
const WITNESS = { name: 'witness.example/w1', x: String(WITNESS_KEYS.publicKey.export({ format: 'jwk' }).x) };

/** Runs `uses` on a world whose days are always the same, and returns what was asked and answered, by operationId. */
export async function recordUses(uses: (world: World) => Promise<void>): Promise<Readonly<Record<string, Exchange>>> {
  let host = START;
  const zone = new Map<string, string>();
  const sandbox = await startSandbox({
    seed: 1,
    port: 0,
    host: '127.0.0.1',
    now: () => host,
    rewrite: (request, reply) => {
      const text = request.source === 'doh' ? zone.get(request.query.get('name') ?? '') : undefined;
      return text === undefined
        ? reply
        : { ...reply, json: { Status: 0, Answer: [{ name: '', type: 16, TTL: 60, data: `"${text}"` }] } };
    },
  });
  const facilitator = await startFacilitator();
  facilitator.balances.set(PAYER.address.toLowerCase(), 1_000_000n);
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-examples-'));
  // As root the database server runs as another user, who has to walk there.
  await chmod(dataDir, 0o755);
  // Ratings are asked for here: one that the service begins by itself would run while days pass in no time.
  const database = await databaseOf(dataDir, 'service');
  const config = serviceOnSandbox(sandbox, {
    dataDir,
    databaseUrl: database.url,
    publicPages: true,
    monitorJobs: 0,
    logWitnesses: [witnessKeyText(WITNESS)],
    x402Facilitator: facilitator.url,
    x402PayTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    x402Network: 'eip155:84532',
    x402Token: TOKEN,
    x402TokenName: 'USDC',
  });
  const start = () =>
    startService({
      config,
      resolver: sandboxResolver(sandbox),
      now: () => host,
      panel: sandboxPanel(sandbox.world, ['tidewell']),
    });
  let service = await start();
  const key = service.adminKey ?? '';
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
  const places = new Map(operationsOf(document).map(({ name, operation }) => [operation.operationId, name]));
  const exchanges: Record<string, Exchange> = {};

  async function ask(id: string, options: ScenarioRequest = {}): Promise<Reply> {
    const [method = '', template = ''] = places.get(id)?.split(' ') ?? [];
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.path?.[name] ?? ''));
    const query = options.query ? `?${new URLSearchParams(options.query)}` : '';
    const response = await fetch(`${service.url}${path}${query}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = options.until === undefined ? await response.text() : await readUntil(response, options.until);
    if (!response.ok) throw new Error(`${id}: ${response.status} ${text.slice(0, 500)}`);
    const reply = type.endsWith('json') ? (JSON.parse(text) as Reply) : text;
    if (options.keep !== false)
      exchanges[id] = {
        ...(options.body === undefined ? {} : { request: options.body }),
        status: response.status,
        ...(text === '' ? {} : { reply }),
      };
    return reply;
  }

  try {
    await uses({
      ask,
      async askUntil(id, options, isThere) {
        for (const end = performance.now() + PATIENCE_MS; ; await setTimeout(100)) {
          const reply = await ask(id, options).catch((error: unknown) =>
            performance.now() < end ? null : raise(error),
          );
          if (reply !== null && isThere(reply)) return reply;
          if (performance.now() >= end)
            throw new Error(`${id} is not as wished: ${JSON.stringify(reply).slice(0, 500)}`);
        }
      },
      day(days) {
        host = START + days * DAY_MS;
      },
      async restart() {
        await service.close();
        service = await start();
      },
      async restate(jobId, without, reason) {
        const storage = await openStorage(config, 'visitor', () => undefined);
        const made = await openExportTools(config, storage.store, noObjectStore, () => host).restateRating({
          jobId,
          without,
          reason,
        });
        await storage.close();
        if (!made.ok) throw new Error(made.detail);
      },
      async buy(path) {
        const offer = (await (await fetch(service.url + path)).json()) as { accepts: [Requirements] };
        const bought = await fetch(service.url + path, {
          headers: { 'payment-signature': await signPayment(PAYER, offer.accepts[0]) },
        });
        if (!bought.ok) throw new Error(`${path}: ${bought.status} ${await bought.text()}`);
        return bought.headers.get('assay-receipt') ?? '';
      },
      cosign(note) {
        const text = readCheckpoint(note)?.text ?? '';
        const at = Math.floor(host / 1000);
        const signature = sign(null, Buffer.from(cosignedText(text, at)), WITNESS_KEYS.privateKey);
        return `${text}\n${cosignatureLine(WITNESS, at, signature)}`;
      },
      publish: (name, text) => void zone.set(name, text),
      async secondKey() {
        const made = await fetch(`${service.url}/v1/admin/keys`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'second reviewer', scopes: ['admin'], plan: 'INTERNAL' }),
        });
        return String(((await made.json()) as { secret?: unknown }).secret);
      },
      addressOf: (slug) => sandbox.world.assets.find((one) => one.slug === slug)?.address ?? '',
    });
    return exchanges;
  } finally {
    await service.close();
    await sandbox.close();
    await database.close();
    await facilitator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What a stream says up to the end of the event that holds `last`; throws when that does not come. */
async function readUntil(response: Response, last: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const timer = globalThis.setTimeout(() => void reader?.cancel(), PATIENCE_MS);
  try {
    for (;;) {
      const { value, done = true } = (await reader?.read()) ?? {};
      if (done) throw new Error(`the stream ended before ${JSON.stringify(last)}: ${text.slice(-500)}`);
      text += decoder.decode(value, { stream: true });
      const at = text.indexOf(last);
      const end = at < 0 ? -1 : text.indexOf('\n\n', at);
      if (end >= 0) return text.slice(0, end + 2);
    }
  } finally {
    clearTimeout(timer);
    void reader?.cancel();
  }
}

function raise(error: unknown): never {
  throw error;
}
