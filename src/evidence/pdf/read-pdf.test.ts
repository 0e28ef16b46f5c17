import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { blocksOf, PDF_LIMITS, readPdf } from './read-pdf.ts';

/** A paper that a package for tests brings along. */
const TYPESET = 'node_modules/@uniswap/v4-core/docs/whitepaper/whitepaper-v4.pdf';
const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const read = (text: string, limits = PDF_LIMITS) => readPdf(latin(text), AbortSignal.timeout(20_000), limits);
const wordsOf = (found: Awaited<ReturnType<typeof read>>) =>
  found.pages.map((page) => page.blocks.map((block) => block.text).join(' / '));

/** A file of these objects, the first of which is its catalogue. */
function fileOf(objects: readonly string[], trailer = ''): string {
  let text = '%PDF-1.5\n';
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const rows = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF`;
}
const stream = (content: string, entries = '') =>
  `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
const packed = (content: string, times = 1) => {
  let bytes = Buffer.from(content, 'latin1');
  for (let round = 0; round < times; round += 1) bytes = deflateSync(bytes, { level: 9 });
  return stream(bytes.toString('latin1'), `/Filter [${'/FlateDecode '.repeat(times)}]`);
};
const PAGE = '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const fileWith = (content: string, catalogue = '', trailer = '') =>
  fileOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      PAGE,
      FONT,
      content,
    ],
    trailer,
  );
const SAYS = 'BT /F1 12 Tf 60 700 Td (The total supply is fixed.) Tj ET';

test('text is read page by page, packed or not, with headings and paragraphs', async () => {
  assert.deepEqual(wordsOf(await read(fileWith(stream(SAYS)))), ['The total supply is fixed.']);
  assert.deepEqual(wordsOf(await read(fileWith(packed(SAYS)))), ['The total supply is fixed.']);
  const laid =
    'BT /F1 20 Tf 1 0 0 1 60 700 Tm (Plan) Tj /F1 10 Tf 1 0 0 1 60 660 Tm (One sentence that) Tj 1 0 0 1 60 648 Tm (goes on.) Tj 1 0 0 1 60 610 Tm (Another.) Tj ET';
  const [page] = (await read(fileWith(stream(laid)))).pages;
  assert.deepEqual(page?.blocks, [
    { text: 'Plan', isHeading: true, size: 20 },
    { text: 'One sentence that goes on.', isHeading: false, size: 10 },
    { text: 'Another.', isHeading: false, size: 10 },
  ]);
});

test('a typeset paper in two columns is read column by column', {
  skip: existsSync(TYPESET) ? false : 'no paper',
}, async () => {
  const found = await readPdf(readFileSync(TYPESET), AbortSignal.timeout(20_000));
  assert.deepEqual([found.unread, found.pageCount], [null, 4]);
  const blocks = found.pages.flatMap((page) => page.blocks);
  assert.ok(blocks.some((block) => block.isHeading && block.text === '1 INTRODUCTION'));
  const abstract = blocks.find((block) =>
    block.text.startsWith('Uniswap v4 is a non-custodial automated market maker'),
  );
  assert.match(
    abstract?.text ?? '',
    /implemented for the Ethereum Virtual Machine\. Uniswap v4 offers customizability/,
  );
});

test('scripts and actions are not run, and the surrounding text is read', async () => {
  const script =
    '/OpenAction << /S /JavaScript /JS (app.launchURL\\("https://evil.example"\\); while\\(true\\){}) >> /AA << /WC << /S /Launch /F (calc) >> >>';
  const found = await read(fileWith(stream(SAYS), script));
  assert.deepEqual([found.unread, wordsOf(found)], [null, ['The total supply is fixed.']]);
});

test('an encrypted file is not read, and the reason is reported', async () => {
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<00> <00>]`;
  assert.equal((await read(fileWith(stream(SAYS), '', lock))).unread, 'it is encrypted');
});

test('a bomb is stopped by what it unpacks, however it is folded, before it hurts', async () => {
  const blank = ' '.repeat(150_000_000);
  const bombs = [1, 2, 3].map((times) => fileWith(packed(blank, times)));
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss);
  }, 10);
  try {
    for (const bomb of bombs) assert.match((await read(bomb)).unread ?? '', /^it takes more than/);
  } finally {
    clearInterval(watch);
  }
  assert.ok(highest - before < 500 * 1024 * 1024, `${Math.round((highest - before) / 1024 ** 2)} MiB`);
});

test('files with cycles or false sizes end', async () => {
  const round = fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>',
  ]);
  const form = fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>',
    stream('/X Do /X Do'),
    stream('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 5 0 R >> >>'),
  ]);
  const table = `%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF`;
  const lying = fileWith(stream(SAYS)).replace('/Count 1', '/Count 9000000');
  const limits = { ...PDF_LIMITS, milliseconds: 2_000 };
  for (const [name, file] of Object.entries({ round, form, table })) {
    const found = await read(file, limits);
    assert.ok(found.unread !== null || wordsOf(found).join('') === '', name);
  }
  const found = await read(lying, limits);
  assert.ok(found.pages.length <= PDF_LIMITS.pages);
});

test('time, pages and characters are bounded', async () => {
  const kids = Array.from({ length: 90 }, (_, at) => `${at + 3} 0 R`).join(' ');
  const many = fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count 90 >>`,
    ...new Array<string>(90).fill(
      '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 93 0 R >> >> /Contents 94 0 R >>',
    ),
    FONT,
    stream(SAYS),
  ]);
  const found = await read(many);
  assert.deepEqual([found.pageCount, found.pages.length], [90, PDF_LIMITS.pages]);
  const short = await read(many, { ...PDF_LIMITS, characters: 30 });
  assert.equal(
    short.pages.reduce((sum, page) => sum + page.blocks.reduce((all, block) => all + block.text.length, 0), 0),
    30,
  );
  assert.match((await read(many, { ...PDF_LIMITS, milliseconds: 1 })).unread ?? '', /takes more than 1 ms/);
  assert.equal((await readPdf(latin(many), AbortSignal.abort())).unread, 'no time was left to read it');
});

test('papers do not delay the deadline of others, and every thread is freed', async () => {
  const paper = fileWith(stream(SAYS));
  let ended = 0;
  const slow = Array.from({ length: 3 }, async () => {
    const found = await read(fileWith(packed(' '.repeat(150_000_000), 3)));
    ended += 1;
    return found;
  });
  const deadline = new AbortController();
  const hurried = readPdf(latin(paper), deadline.signal);
  deadline.abort();
  assert.equal((await hurried).unread, 'no time was left to read it');
  assert.equal(ended, 0);
  for (const one of await Promise.all(slow)) assert.match(one.unread ?? '', /^it takes more than/);
  for (const one of await Promise.all([1, 2, 3, 4, 5].map(() => read(paper))))
    assert.deepEqual(wordsOf(one), ['The total supply is fixed.']);
});

test('any bytes give a result', async () => {
  assert.equal((await read('<html>not found</html>')).unread, 'it is not a PDF');
  const whole = fileWith(packed(SAYS));
  const damaged = [
    whole.slice(0, 300),
    whole.replaceAll('obj', 'abj'),
    `%PDF-${'\0'.repeat(2_000)}`,
    whole.replace('/Pages 2 0 R', '/Pages 5 0 R'),
  ];
  const found = await Promise.all(damaged.map((file) => read(file)));
  for (const one of found) assert.ok(one.unread !== null || Array.isArray(one.pages));
  assert.equal(found[2]?.unread, 'it is not a PDF, or it is damaged');
});

test('runs in any order give blocks without losing text', () => {
  const run = fc.record({
    text: fc.stringMatching(/^[a-z]{1,8}$/),
    x: fc.integer({ min: 0, max: 600 }),
    y: fc.integer({ min: 0, max: 800 }),
    width: fc.integer({ min: 0, max: 100 }),
    height: fc.integer({ min: 0, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
      const letters = (text: string) => text.replaceAll(/[^a-z]/g, '');
      assert.equal(
        letters(
          blocksOf(runs)
            .map((block) => block.text)
            .join(''),
        ),
        runs.map((row) => row.text).join(''),
      );
    }),
  );
});
