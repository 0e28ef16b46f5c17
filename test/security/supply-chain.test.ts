import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { tally } from './tally.ts';

interface Manifest {
  readonly name?: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}
interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

/** Licences that let the service be run and passed on under Apache-2.0, with notice alone. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
  'PostgreSQL',
]);

/** Packages that say their licence in another way, each looked at by hand. */
const LOOKED_AT: Readonly<Record<string, string>> = {};

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const production = Object.entries(lock.packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);

function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

function isAllowed(licence: string): boolean {
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part.trim())));
}

describe('what the service is built of', () => {
  test('every package that it runs on has a licence that allows it', () => {
    const bad: string[] = [];
    let seen = 0;
    for (const [path, { optional }] of production) {
      const file = `${path}/package.json`;
      // Other machines' binaries are not installed here.
      if (!existsSync(file)) {
        assert.ok(optional, `${path} is not installed`);
        continue;
      }
      seen += 1;
      const licence = licenceOf(JSON.parse(readFileSync(file, 'utf8')) as Manifest);
      const name = path.replace(/^.*node_modules\//, '');
      if (!isAllowed(licence) && !(name in LOOKED_AT)) bad.push(`${name}: ${licence}`);
    }
    tally({ part: 'supply chain', claim: 'every production package has an allowed licence', tried: seen });
    assert.deepEqual(bad, []);
  });

  test('every package is locked to one version, and none comes from a URL of its own', () => {
    for (const [path, { version, resolved, link }] of Object.entries(lock.packages)) {
      if (path === '' || link) continue;
      assert.match(version ?? '', /^\d+\.\d+\.\d+/, path);
      assert.ok(resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'), `${path}: ${resolved}`);
    }
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<
      Record<string, Record<string, string>>
    >;
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      assert.match(range, /^\d/, `${name} ${range}`);
  });

  test('no package runs a script at installation but those that were allowed to', () => {
    const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly allowScripts: Record<string, boolean>;
    };
    const allowed = new Set(
      Object.entries(allowScripts)
        .filter(([, may]) => may)
        .map(([name]) => name),
    );
    const scripted = production
      .map(([path]) => [path, `${path}/package.json`] as const)
      .filter(([, file]) => existsSync(file))
      .filter(([, file]) => {
        const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
          readonly scripts?: Record<string, string>;
        };
        return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
      })
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    assert.deepEqual(
      scripted.filter((name) => !allowed.has(name)),
      [],
    );
  });

  test('the list of parts (CycloneDX) names every production package', () => {
    const { stdout, status } = spawnSync('npm', ['run', '--silent', 'sbom'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    assert.equal(status, 0);
    const { bomFormat, components } = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly purl?: string }[];
    };
    assert.equal(bomFormat, 'CycloneDX');
    const named = new Set(components.map(({ purl }) => decodeURIComponent(purl ?? '')));
    const missing = production
      .filter(([path]) => existsSync(`${path}/package.json`))
      .map(([path, { version }]) => `pkg:npm/${path.replace(/^.*node_modules\//, '')}@${version}`)
      .filter((purl) => !named.has(purl));
    assert.deepEqual(missing, []);
    tally({ part: 'supply chain', claim: 'the SBOM names every production package', tried: components.length });
  });
});
