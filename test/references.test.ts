import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const FOLDERS = [
  'src',
  'sandbox',
  'test',
  'bench',
  'web',
  'client',
  'packaging',
  'research',
  'registers',
  'integrations',
  'bin',
];
const CODE = globSync(`{${FOLDERS.join(',')},methodology}/**/*.{ts,tsx,js,json,py,rs,sol,css,yaml}`, {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**', '**/target/**', '**/*.egg-info/**'],
}).filter(
  // The data of the methodology and of registers, facts of the panel, and the changes of the methodology in the examples, name it by its version, 1.0.
  (file) =>
    !['test/references.test.ts', 'src/api/plugins/openapi-examples.json'].includes(file) &&
    !/^(?:methodology|registers)\/.*\.json$/.test(file) &&
    !file.startsWith('test/panel/facts/') &&
    !file.startsWith('test/assertions/facts/'),
);
const PAGES = globSync(['*.md', 'docs/**/*.md', 'client/*.md'], { cwd: ROOT });

/** Numbers of the headings of docs/methodology.md: `2`, `2.1`. */
const SECTIONS = new Set(
  [...read('docs/methodology.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, id]) => id),
);

/** Sections of the methodology that a text cites: `methodology 2.1`, `methodology 4.4 and 11`. Versions (0.5.1) are none. */
function sectionsCited(text: string): readonly string[] {
  const cited = text.matchAll(/methodology (\d+(?:\.\d+)?(?:(?:,| and) \d+(?:\.\d+)?)*)(?![.\d]*\.?\d)/g);
  return [...cited].flatMap(([, list = '']) => list.split(/,? and |, /));
}

/** Anchors that GitHub makes of the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('sections are read from a citation, versions are not', () => {
  assert.deepEqual(sectionsCited('what it is (methodology 2.1): noisy-or'), ['2.1']);
  assert.deepEqual(sectionsCited('counts (methodology 4.4 and 11); (methodology 3.1 and 7.2)'), [
    '4.4',
    '11',
    '3.1',
    '7.2',
  ]);
  assert.deepEqual(sectionsCited('since methodology 0.5.1, before methodology 0.4.0.'), []);
});

test('every section of the methodology that the code cites is in docs/methodology.md', () => {
  const cited = CODE.flatMap((file) => sectionsCited(read(file)).map((section) => ({ file, section })));
  assert.ok(cited.length > 50, `only ${cited.length} citations were found`);
  assert.deepEqual(
    cited.filter(({ section }) => !SECTIONS.has(section)),
    [],
  );
});

test('every page that the code names is in the repository', () => {
  const named = CODE.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([page]) => ({ file, page })),
  );
  assert.ok(named.length > 30, `only ${named.length} pages were found`);
  assert.deepEqual(
    named.filter(({ page }) => !existsSync(join(ROOT, page))),
    [],
  );
});

test('every decision that the code or a page cites by number exists', () => {
  const numbers = new Set(globSync('docs/decisions/*.md', { cwd: ROOT }).map((file) => Number(file.slice(15, 19))));
  const cited = [...CODE, ...PAGES].flatMap((file) =>
    [...read(file).matchAll(/\b[Dd]ecision (\d{1,4})\b/g)].map(([, number]) => ({ file, number: Number(number) })),
  );
  assert.deepEqual(
    cited.filter(({ number }) => !numbers.has(number)),
    [],
  );
});

test('every link of a page leads to an existing file and heading', () => {
  const dead = PAGES.flatMap((file) => {
    const text = read(file);
    return [...text.matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, path = '', anchor]) => {
        const target = path === '' ? file : normalize(join(dirname(file), path));
        if (!existsSync(join(ROOT, target))) return [`${file}: ${path}`];
        const isMissing = anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor);
        return isMissing ? [`${file}: ${path}#${anchor}`] : [];
      },
    );
  });
  assert.deepEqual(dead, []);
});

test('every source file that a page names exists', () => {
  const gone = PAGES.filter((file) => file !== 'CHANGELOG.md').flatMap((file) =>
    [...read(file).matchAll(/`((?:src|sandbox|test|bench|web|client)\/[\w./-]+\.(?:tsx?|json|js))`/g)].flatMap(
      ([, path = '']) => (existsSync(join(ROOT, path)) ? [] : [`${file}: ${path}`]),
    ),
  );
  assert.deepEqual(gone, []);
});

/** Comments of a file in TypeScript, JavaScript, Solidity, Rust or CSS, joined; of other files none. */
function commentsOf(file: string): string {
  if (!/\.(?:tsx?|js|sol|rs|css)$/.test(file)) return '';
  return (read(file).match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? []).join('\n');
}

/** Paths in comments that are not files of this repository: built files, a user’s own, files of other repositories, and a placeholder. */
const FOREIGN_PATHS = ['web/dist', 'packaging/.env', 'src/ts/Chainlink', 'src/assets', 'methodology/NAME'];

test('every file and folder that a comment names is in the repository', () => {
  const paths = new RegExp(`(?<![\\w/.-])(?:${[...FOLDERS, 'docs', 'methodology'].join('|')})/[\\w./-]*\\w`, 'g');
  const named = CODE.flatMap((file) => (commentsOf(file).match(paths) ?? []).map((path) => ({ file, path })));
  assert.ok(named.length > 100, `only ${named.length} paths were found`);
  const isThere = (path: string) =>
    existsSync(join(ROOT, path)) ||
    globSync(`${path}{.ts,-*.md}`, { cwd: ROOT }).length > 0 ||
    FOREIGN_PATHS.includes(path);
  assert.deepEqual(
    named.filter(({ path }) => !isThere(path)),
    [],
  );
});

test('every npm script that a page or the code names is in package.json', () => {
  const scripts = new Set(Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts));
  const named = [...CODE, ...PAGES.filter((file) => file !== 'CHANGELOG.md')].flatMap((file) =>
    [...read(file).matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, script = '']) => ({ file, script })),
  );
  assert.ok(named.length > 30, `only ${named.length} scripts were found`);
  assert.deepEqual(
    named.filter(({ script }) => !scripts.has(script)),
    [],
  );
});

/** Names in backquotes that are defined elsewhere: in interfaces of sources, programs on chain, libraries of the dashboard. */
const FOREIGN_NAMES = new Set([
  'AdministrativeAccessControl',
  'ExtensionType',
  'PriceUpdateV2',
  'ScrollArea',
  'StakePool',
  'TokenInstruction',
  'VestingEscrow',
  'XXBTZUSD',
  'XDGUSD',
  'BCHEUR',
  '_balanceOf',
  'extraRpcs',
  'getMessageHash',
  'isSus',
  'rateLimits',
]);

test('every name in backquotes of a comment or a page is a name of the code', () => {
  const names = new Set<string>();
  for (const file of CODE)
    for (const [name] of read(file)
      .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '')
      .matchAll(/[A-Za-z_$][\w$]*/g))
      names.add(name);
  const quoted = [...CODE, ...PAGES.filter((file) => file !== 'CHANGELOG.md')].flatMap((file) =>
    [...(file.endsWith('.md') ? read(file) : commentsOf(file)).matchAll(/`([A-Za-z_$][\w$]*)(?:\(\))?`/g)].map(
      ([, name = '']) => ({ file, name }),
    ),
  );
  // Only names that are no words: `camelCase`, and `CAPITALS` of five letters or more in code.
  const isName = ({ file, name }: { file: string; name: string }) =>
    /[a-z][A-Z]/.test(name) || (!file.endsWith('.md') && /^[A-Z][A-Z_]{4,}$/.test(name));
  const found = quoted.filter(isName);
  assert.ok(found.length > 200, `only ${found.length} names were found`);
  assert.deepEqual(
    found.filter(({ name }) => !names.has(name) && !FOREIGN_NAMES.has(name)),
    [],
  );
});

test('no text refers to a page outside the repository', () => {
  const outside =
    /\b(?:sources-(?:chain|market)\b|(?<![\w-])(?:integrity|house)\.md|methodology-1\.0\.md)|(?<![\w/.-])(?:shared\/)?design\/[\w-]+\.md/;
  assert.deepEqual(
    [...CODE, ...PAGES].filter((file) => outside.test(read(file))),
    [],
  );
});
