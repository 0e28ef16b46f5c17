import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const CODE = globSync('{src,sandbox,test,bench,web/src,client/src,packaging}/**/*.{ts,tsx,json}', { cwd: ROOT }).filter(
  // Facts of the panel, and the changes of the methodology in the examples, name it by its version, 1.0.
  (file) =>
    !['test/references.test.ts', 'src/api/plugins/openapi-examples.json'].includes(file) &&
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

test('every decision that the code or a page cites by number is there', () => {
  const numbers = new Set(globSync('docs/decisions/*.md', { cwd: ROOT }).map((file) => Number(file.slice(15, 19))));
  const cited = [...CODE, ...PAGES].flatMap((file) =>
    [...read(file).matchAll(/\b[Dd]ecision (\d{1,4})\b/g)].map(([, number]) => ({ file, number: Number(number) })),
  );
  assert.deepEqual(
    cited.filter(({ number }) => !numbers.has(number)),
    [],
  );
});

test('every link of a page leads to a file and a heading that are there', () => {
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

test('every source file that a page names is there', () => {
  const gone = PAGES.filter((file) => file !== 'CHANGELOG.md').flatMap((file) =>
    [...read(file).matchAll(/`((?:src|sandbox|test|bench|web|client)\/[\w./-]+\.(?:tsx?|json|js))`/g)].flatMap(
      ([, path = '']) => (existsSync(join(ROOT, path)) ? [] : [`${file}: ${path}`]),
    ),
  );
  assert.deepEqual(gone, []);
});

test('no text leans on a page outside the repository', () => {
  const outside =
    /\b(?:sources-(?:chain|market)\b|(?<![\w-])(?:integrity|house)\.md|methodology-1\.0\.md)|(?<![\w/.-])(?:shared\/)?design\/[\w-]+\.md/;
  assert.deepEqual(
    [...CODE, ...PAGES].filter((file) => outside.test(read(file))),
    [],
  );
});
