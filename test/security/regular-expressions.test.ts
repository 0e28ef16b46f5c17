import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outside } from '../../src/mcp/outside-text.ts';
import { num } from '../../src/sources/read.ts';
import { readFacts } from '../../src/sources/website/facts/read-facts.ts';
import { readPage } from '../../src/sources/website/page.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { ownTime } from '../../src/upstream/fixtures/own-time.ts';
import { builtPatterns, sourcePatterns } from './source-patterns.ts';
import { FULL, tally } from './tally.ts';

/**
 * Expressions whose work can grow faster than their input, and why that does no harm: what they are given is short. Judged
 * by hand; a new one fails the test until it is mended or stands here with its bound.
 */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/api/routes/pages.ts': 'reads our own documents, at start',
  'src/sources/rdap.ts': 'at most 400 characters',
  'src/chains/codecs/abi.ts': 'exactly 64 characters',
  'src/chains/codecs/accounts.ts': 'names and symbols of at most some hundred characters',
  'src/sources/github.ts': 'a response header, of which the client takes 16 kB',
  'src/sources/token-records.ts': 'names of at most some hundred characters',
  'src/rating/pre-tge/site-record.ts': 'addresses of at most 400 characters',
  'src/sources/website/facts/product.ts': 'sentences and blocks of at most 4,000 characters, blanks run together',
  'src/sources/website/facts/people.ts': 'sentences and blocks of at most 4,000 characters, blanks run together',
  'src/sources/website/facts/tokenomics.ts': 'blocks of at most 4,000 characters, blanks run together',
  'src/sources/website/page.ts': 'each repetition has its own bound, so that the work is a constant times the length',
  'src/telemetry/logger.ts': 'quotes inside a value are escaped there, which ends every repetition',
  'src/api/hot/content-coding.ts': 'the first 500 characters of a header',
  'src/snapshots/evm/blockscout.ts': 'an address from the settings',
  'src/cli/mcp.ts': 'an address from the command line',
  'src/config/settings.ts': 'an address from the settings',
  'src/evidence/request-once.ts': 'an address from the settings',
  'research/propose-mapping.ts': 'the first 200 characters of a header',
  'src/upstream/guard.ts': 'a label of a host, at most 63 characters',
};

const PUMPS = [
  '\t',
  ' ',
  '\n',
  '0',
  'a',
  'A',
  '-',
  '/',
  '"',
  ',',
  '.',
  '\\',
  '<',
  '&page=0',
  '<entry>',
  '0.',
  'a ',
  ' a',
  '\u0000',
  '=',
  ';',
  ':',
  'é',
];
const PREFIXES = ['', '0', 'A'];

/** Milliseconds one look takes, the best of three. */
function lookMs(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i += 1) {
    pattern.lastIndex = 0;
    const begun = performance.now();
    pattern.test(text);
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}

describe('the regular expressions of the service', () => {
  test('take time in proportion to their input, or have limited input', () => {
    const patterns = sourcePatterns();
    const bad: string[] = [];
    let tried = 0;
    for (const { file, source, flags } of patterns) {
      if (file in BOUNDED) continue;
      const pattern = new RegExp(source, flags);
      for (const pump of PUMPS)
        for (const prefix of PREFIXES) {
          tried += 1;
          const text = (size: number) => `${prefix}${pump.repeat(Math.ceil(size / pump.length))}\u0001`;
          const short = lookMs(pattern, text(2_000));
          if (short < 0.7) continue;
          const long = lookMs(pattern, text(8_000));
          // Four times the length: four times the time, or sixteen and more.
          if (long / short > 9) bad.push(`${file}: /${source.slice(0, 80)}/${flags}`);
        }
    }
    tally({
      part: 'regular expressions',
      claim: 'none grows faster than what it is given',
      tried,
      counts: { expressions: patterns.length },
    });
    assert.ok(patterns.length > 300, `only ${patterns.length} were found`);
    assert.deepEqual([...new Set(bad)], []);
  });

  test('are built from text in the few places that are known', () => {
    assert.deepEqual([...builtPatterns()].sort(), [
      'research/data-sets.ts',
      'src/sources/ties.ts',
      'src/sources/website/facts/people.ts',
    ]);
  });

  test('pass a checker’s analysis', {
    skip: FULL ? false : 'minutes long: npm run test:security',
  }, async () => {
    process.env.RECHECK_BACKEND = 'native';
    const { check } = await import('recheck');
    const unique = new Map(sourcePatterns().map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
    const bad: string[] = [];
    const counts: Record<string, number> = {};
    for (const [name, { file, source, flags }] of unique) {
      const verdict = await check(source, flags, { timeout: 4_000 });
      counts[verdict.status] = (counts[verdict.status] ?? 0) + 1;
      if (verdict.status !== 'vulnerable') continue;
      if (verdict.complexity.type === 'exponential' || !(file in BOUNDED))
        bad.push(`${file}: ${name}: ${verdict.complexity.summary}`);
    }
    tally({
      part: 'regular expressions',
      claim: 'recheck finds none exponential and none unbounded',
      tried: unique.size,
      counts,
    });
    assert.deepEqual(bad, []);
  });
});

/** What the checker and people made against expressions of this kind. */
const ATTACKS: readonly ((size: number) => string)[] = [
  (size) => 'LOCKUP\u0000'.repeat(size / 7),
  (size) => 'vest cliff lock '.repeat(size / 16),
  (size) => `b-${' '.repeat(size)}\u0000`,
  (size) => `A${' A'.repeat(size / 2)}`,
  (size) => 'TGE\t'.repeat(size / 4),
  (size) => `0${' '.repeat(size)},`,
  (size) => '0\t'.repeat(size / 2),
  (size) => `0x${'a'.repeat(size)}`,
  (size) => '-a'.repeat(size / 2),
  (size) => 'The Foundation Stiftung '.repeat(size / 24),
  (size) => '"token":["'.repeat(size / 10),
  (size) => 'bearer '.repeat(size / 7),
  (size) => 'http://a.a@'.repeat(size / 11),
  (size) => '0'.repeat(size),
  (size) => '<a href="x">'.repeat(size / 12),
  (size) => '<'.repeat(size),
  (size) => '<div>'.repeat(size / 5),
];

describe('what reads strangers’ texts', () => {
  const logger = createLogger({ logLevel: 'info', databaseUrl: null, readUrls: [], sources: {} }, () => undefined);
  const url = 'https://tidewell.example/';
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    'a page’s facts': (text) => readFacts(`<p>${text}</p>`, url, 'Tidewell'),
    'a page’s links': (text) => readPage(`<p>${text}</p>`, url),
    'a number': num,
    'a text for a language model': (text) => outside(text),
    'a record of the log': (text) => logger.info({ text }, text),
  };
  for (const [name, read] of Object.entries(readers))
    test(`${name}: four times the text takes less than sixteen times the time`, () => {
      const bad: string[] = [];
      for (const [index, attack] of ATTACKS.entries()) {
        const bestOf = (times: number, size: number) => {
          const text = attack(size);
          let best = Number.POSITIVE_INFINITY;
          for (let i = 0; i < times; i += 1) {
            const taken = ownTime();
            read(text);
            best = Math.min(best, taken());
          }
          return best;
        };
        const isBad = () => long > 20 && long / short > 9;
        let [short, long] = [bestOf(2, 8_000), bestOf(2, 32_000)];
        // A collection of garbage or a busy machine may hit both of two tries, and hardly all of ten.
        if (isBad()) [short, long] = [bestOf(10, 8_000), bestOf(10, 32_000)];
        if (isBad()) bad.push(`attack ${index}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
      }
      tally({
        part: 'regular expressions',
        claim: `${name} is read in time that grows with its length`,
        tried: ATTACKS.length,
      });
      assert.deepEqual(bad, []);
    });
});
