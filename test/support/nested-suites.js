import { after, before, beforeEach, describe, test } from 'node:test';

/** What runs in which order, for `test/untraced.test.ts`. */
let isReady = false;
const say = (what) => console.log(`${what} ${isReady}`);

before(async () => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  isReady = true;
  say('before all');
});
after(() => say('after all'));

describe('first', () => {
  beforeEach(() => say('before each of the first'));
  after(() => say('after the first'));
  test('with a part', async (context) => {
    await Promise.resolve();
    await context.test('part', () => say('part'));
  });
  describe('inner', () => {
    before(() => say('before the inner'));
    test('innermost', () => say('innermost'));
  });
});

test('alone', () => say('alone'));

describe('last', () => {
  before(() => say('before the last'));
  test('one', () => say('one'));
});
