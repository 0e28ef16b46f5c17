import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type OpenApi, type Operation, operationsOf, silentPlaces, unknownMembers } from './support/openapi.ts';
import { differences, type Example, exampleOf } from './support/openapi-examples.ts';
import { recordUses } from './support/openapi-scenario.ts';
import { useEverything } from './support/openapi-uses.ts';
import { type TestService, testService } from './support/service.ts';

const ROOT = join(import.meta.dirname, '..');
const EXAMPLES = join(ROOT, 'src/api/plugins/openapi-examples.json');
let world: TestService;
let document: OpenApi;
before(async () => {
  world = await testService();
  document = (await (await world.call('/openapi.json', { key: null })).json()) as OpenApi;
});
after(() => world.close());

test('every operation, parameter, reply and member has a description, and every body an example', () => {
  const silent = silentPlaces(document);
  assert.equal(silent.length, 0, `${silent.length} places are silent:\n${silent.slice(0, 40).join('\n')}`);
});

test('the document is OpenAPI 3.1, and its operations have names of their own and tags that are explained', async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  assert.ok(valid, JSON.stringify(errors ?? []).slice(0, 2_000));
  const operations = [document.paths, document.webhooks]
    .flatMap((paths) => operationsOf({ paths }))
    .map(({ operation }) => operation);
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id ?? '', /^[a-z][A-Za-z0-9]+$/);
  const explained = document.tags.map((tag) => tag.name);
  for (const { tags = [] } of operations)
    assert.deepEqual(
      tags.filter((tag) => !explained.includes(tag)),
      [],
    );
});

test('examples equal the service’s replies, and fit its schemas', { timeout: 600_000 }, async () => {
  // A loaded machine may cost an answer, and with it a band, an alert, an event: then it is tried once more.
  const made = await recorded().catch(() => recorded());
  if (process.env.UPDATE_DOCS) await write(made);
  const kept = JSON.parse(await readFile(EXAMPLES, 'utf8')) as Readonly<Record<string, Example>>;
  // For the same reason what differs must differ twice.
  const first = changesOf(kept, made);
  const changed = first.length === 0 ? [] : changesOf(kept, await recorded());
  assert.deepEqual(changed.slice(0, 20), [], 'UPDATE_DOCS=1 node --test test/openapi.test.ts writes them anew');
});

test('every example fits its schema, and states that it is of the sandbox', async () => {
  const validator = new Validator();
  await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
  const whole = validator.resolveRefs() as unknown as OpenApi;
  for (const { name, operation } of [whole.paths, whole.webhooks].flatMap((paths) => operationsOf({ paths })))
    for (const { schema, value, isReply } of shownOf(operation)) {
      const check = Compile(schema as TSchema);
      assert.ok(check.Check(value), `${name}: ${JSON.stringify([...check.Errors(value)].slice(0, 3))}`);
      if (isReply && schema.properties?.data_mode)
        assert.equal((value as { data_mode?: unknown }).data_mode, 'sandbox', name);
    }
});

test('no reply has a member that the document does not know', async () => {
  const { schemas } = document.components;
  const shown = [document.paths, document.webhooks]
    .flatMap((paths) => operationsOf({ paths }))
    .flatMap(({ name, operation }) => shownOf(operation).map((one) => ({ ...one, name })));
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };
  for (const format of ['minimal', 'standard', 'full']) {
    const reply = await world.call('/v1/score', { json: { ...json, output_format: format } });
    const schema = schemas[`${format.charAt(0).toUpperCase()}${format.slice(1)}Score`] ?? {};
    shown.push({ name: `a ${format} score`, schema, value: await reply.json(), isReply: true });
  }
  const digest = await (await world.call('/v1/rms/TIDE?view=digest')).json();
  shown.push({ name: 'a digest', schema: schemas.RatingDigest ?? {}, value: digest, isReply: true });
  const unknown = shown.flatMap(({ name, schema, value }) =>
    unknownMembers(schema, value, schemas).map((place) => `${name}: ${place}`),
  );
  assert.deepEqual(unknown, []);
});

async function recorded(): Promise<Record<string, Example>> {
  const exchanges = await recordUses(useEverything);
  return Object.fromEntries(
    Object.entries(exchanges)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, exchange]) => [id, exampleOf(exchange)]),
  );
}

async function write(examples: Readonly<Record<string, Example>>): Promise<void> {
  await writeFile(EXAMPLES, JSON.stringify(examples));
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', EXAMPLES]);
}

function changesOf(kept: Readonly<Record<string, Example>>, made: Readonly<Record<string, Example>>): string[] {
  const ids = [...new Set([...Object.keys(kept), ...Object.keys(made)])];
  return ids.flatMap((id) =>
    BY_MEMBERS.test(id) ? membersMissing(id, kept[id], made[id]) : differences(id, kept[id], made[id]),
  );
}

/**
 * Snapshots, and what is made of them: a rating leaves one and the indexer reads it anew. Which of the two is shown depends on the
 * machine, so their members are compared, and not their values. So are those of the changelog, which has new text with every change.
 */
const BY_MEMBERS = /Market|Holders|Pools|Liquidity|(Chain|Solana)(Export|Manifest)|Clusters|Forensics|getChangelog/;

function membersMissing(id: string, kept: Example | undefined, made: Example | undefined): string[] {
  const [before, after] = [membersOf(kept), membersOf(made)];
  return [
    ...[...before].filter((member) => !knows(after, member)).map((member) => `${id}${member} is no more`),
    ...[...after].filter((member) => !knows(before, member)).map((member) => `${id}${member} is new`),
  ].filter((line) => !/\[\]|\.provenance\./.test(line));
}

/** A member that is null in one reply may be an object in the other. */
function knows(members: ReadonlySet<string>, member: string): boolean {
  return (
    members.has(member) || [...members].some((one) => one.startsWith(`${member}.`) || member.startsWith(`${one}.`))
  );
}

/** Paths of all members; items of a list share one. */
function membersOf(value: unknown, path = ''): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set([path]);
  return new Set(
    Object.entries(value).flatMap(([name, part]) => [
      ...membersOf(part, Array.isArray(value) ? `${path}[]` : `${path}.${name}`),
    ]),
  );
}

function shownOf({ requestBody, responses }: Operation) {
  const bodies = [
    ...Object.values(requestBody?.content ?? {}).map((media) => ({ media, isReply: false })),
    ...Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).map((media) => ({ media, isReply: true })),
    ),
  ];
  return bodies.flatMap(({ media: { schema = {}, examples = {} }, isReply }) =>
    Object.values(examples).map(({ value }) => ({ schema, value, isReply })),
  );
}
