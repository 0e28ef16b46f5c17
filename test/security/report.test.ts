import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from 'htmlparser2';
import type { CommitteeReport } from '../../src/report/document.ts';
import { htmlOf } from '../../src/report/html.ts';
import { markdownOf } from '../../src/report/markdown.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

/** A report in which every text that may come from outside is `said`. */
function reportOf(said: string): CommitteeReport {
  const figures = [{ label: said, value: said, note: said }];
  return {
    title: said,
    subject: said,
    address: said,
    dated: said,
    method: said,
    banners: [said],
    alerts: [said],
    band: 'B',
    verdict: said,
    scale: { bands: [{ band: 'B', from: 0 }], score: 50, interval: [40, 60], ceiling: 55 },
    figures,
    reasons: [{ supports: true, text: said, acts: said }],
    factors: [
      { code: 'F1', name: said, score: 50, weight: 10, points: 1, peers: { low: 30, median: 40, high: 60 } },
      { code: 'F2', name: said, score: 20, weight: 10, points: -1, peers: null },
    ],
    peers: said,
    history: {
      days: [
        { day: '2026-01-01', score: 40, priceUsd: 1 },
        { day: '2026-01-02', score: 50, priceUsd: 2 },
      ],
      note: said,
    },
    facts: figures,
    flags: {
      title: said,
      rows: [{ severity: 'high', title: said, evidence: said, since: said, effect: said }],
      note: said,
    },
    holders: {
      rows: [{ name: said, raw: 0.2, adjusted: null, left: said }],
      raw: 0.2,
      adjusted: 0.1,
      note: said,
    },
    depth: { points: [{ movePct: 2, sellUsd: 10, buyUsd: 10 }], rows: [[said, said]], note: said },
    change: { rows: [[said, said]], note: said },
    actions: { rows: [{ date: said, action: said, score: said, reason: said }], note: said },
    absences: { rows: [{ name: said, why: said, action: said }], note: said },
    closing: [said],
    footer: said,
    receipts: { title: said, sections: [{ title: said, note: said, columns: [said, said], rows: [[said, said]] }] },
  };
}

/** The elements with their attributes' names, in order: what a page is apart from its texts. */
function skeleton(html: string): string {
  const parts: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => parts.push(`${name}(${Object.keys(attributes).join(' ')})`),
    onclosetag: (name) => parts.push(`/${name}`),
    oncomment: () => parts.push('comment'),
  });
  parser.end(html);
  return parts.join('\n');
}

/** How many blocks of each kind a renderer sees: headings, rules of tables, rows by their number of cells, fences, rules. */
function blocks(markdown: string): readonly string[] {
  return markdown.split('\n').map((line) => {
    const bare = line.replaceAll(/\\./g, '');
    if (bare.startsWith('|')) return `row of ${bare.split('|').length}`;
    if (/^#{1,6} /.test(bare)) return `heading ${bare.indexOf(' ')}`;
    if (/^(```|~~~)/.test(bare)) return 'fence';
    if (/^ {0,3}([-_*] *){3,}$/.test(bare)) return 'rule';
    return /^[-+*>] /.test(bare) ? (bare[0] ?? '') : bare === '' ? '' : 'text';
  });
}

const plain = reportOf('words');

/** Nothing is left out for it, as it is for an empty text. */
const NAMED = Object.entries(HOSTILE_TEXTS).filter(([, said]) => said !== '');

for (const [name, said] of NAMED)
  test(`outside text (${name}) adds no element, attribute, table cell, link or block to the report`, () => {
    const report = reportOf(said);
    const html = htmlOf(report);
    assert.equal(skeleton(html), skeleton(htmlOf(plain)));
    assert.doesNotMatch(html, /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    const markdown = markdownOf(report);
    assert.deepEqual(blocks(markdown), blocks(markdownOf(plain)));
    // Neither a link, an image, a bare address that renderers make a link, nor markup.
    assert.doesNotMatch(markdown, /(?<!\\)\]\(|(?<!\\)!\[|(?<!\\)<[a-z/!]|https?:\/\/|(?<!\\)`/i);
  });
