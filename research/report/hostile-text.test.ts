import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { escapeMarkdown } from '../../src/domain/text.ts';
import { madeRows, mappingOf, openFolder, outcomeOf, removeFolder } from '../fixtures/made-data.ts';
import { htmlOf, markdownOf } from './pages.ts';

const HOSTILE = '<script>alert(1)</script>|*x*';
before(openFolder);
after(removeFolder);

test('no outside text gets out of its place, in HTML or in Markdown; the page needs nothing from anywhere', async () => {
  const found = await outcomeOf(
    madeRows((cells, index) => cells.map((cell, at) => (at === 0 && index === 1 ? HOSTILE : cell))).replace(
      ',holders,',
      `,${HOSTILE},`,
    ),
    mappingOf({
      title: HOSTILE,
      about: `${HOSTILE}\n# not a heading\u202e`,
      features: { hd_count: { column: HOSTILE } },
    }),
  );
  assert.ok(found.ok);
  const html = htmlOf(found.value);
  assert.ok(!/<script|javascript:|\son\w+=|<link|<img|src=|url\(|@import/i.test(html));
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  assert.ok(html.includes("default-src 'none'"));
  assert.ok(!/NaN|Infinity|undefined/.test(html.replaceAll(/<style>[\s\S]*?<\/style>/g, '')));
  for (const tag of ['table', 'svg', 'details', 'section', 'g', 'text'])
    assert.equal(html.split(`</${tag}>`).length, html.split(new RegExp(`<${tag}[ >]`)).length, tag);
  const markdown = markdownOf(found.value);
  assert.ok(!markdown.includes('<script') && !/^# not a heading/m.test(markdown));
  for (const line of markdown.split('\n').filter((text) => text.startsWith('| band |')))
    assert.equal(line.split(/(?<!\\)\|/).length, 9);
});

test('Markdown keeps figures as they are and disarms what would start a list, a heading or a cell', () => {
  for (const [text, expected] of [
    ['0.891', '0.891'],
    ['-', '-'],
    ['- a', '\\- a'],
    ['1. one', '1\\. one'],
    ['# h', '\\# h'],
    ['a|b_c', 'a\\|b\\_c'],
    ['<b>', '&lt;b&gt;'],
  ] as const)
    assert.equal(escapeMarkdown(text), expected);
});
