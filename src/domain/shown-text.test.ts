import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, escapeMarkdown, plainText } from './text.ts';

/** Texts made of what markup is made of, so that a run of it is likely. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\\`*_[](){}<>#|~!&"\'$@:/.-+=1 \t\n\r\u2028\u202e\u200fax'),
      fc.constantFrom('[x](javascript:alert(1))', '![a](//b)', '<script>', '&lt;', '&#60;', '```', '|---|', '\n\n# '),
      fc.constantFrom('https://evil.example', 'www.evil.example', 'a@evil.example', '1. ', '- ', '---', '===', '    '),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** What CommonMark shows of inline text without markup: escapes and entities are resolved. */
function shownBy(markdown: string): string {
  return markdown.replaceAll(/\\([!-/:-@[-`{-~])|&(amp|lt|gt);/g, (_all, letter: string | undefined, entity: string) =>
    letter === undefined ? ({ amp: '&', lt: '<', gt: '>' }[entity] ?? '') : letter,
  );
}

test('escaped Markdown renders as the original text, on one line, without markup', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const made = escapeMarkdown(text);
      assert.equal(shownBy(made), plainText(text).trimStart());
      // What is left when escaped letters are taken out can begin nothing.
      const active = made.replaceAll(/\\[!-/:-@[-`{-~]/g, '').replaceAll(/&(amp|lt|gt);/g, '');
      assert.doesNotMatch(active, /[\\`*_[\]{}<>#|~!&$@]|:\/\/|www\./i);
      assert.doesNotMatch(made, /[\n\r\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      // A list, a numbered list, a heading's underline, a rule, an indented block.
      assert.doesNotMatch(made, /^(\s|[-+=]\s|\d+[.)]\s|--|==)/);
    }),
    { numRuns: 2_000 },
  );
});

test('escaped HTML has no tag, no attribute delimiter and only our entities', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const made = escapeHtml(text);
      assert.doesNotMatch(made, /[<>"']/);
      assert.doesNotMatch(made, /&(?!(amp|lt|gt|quot|#39);)/);
      assert.doesNotMatch(made, /[\u202a-\u202e\u2066-\u2069\n]/);
    }),
    { numRuns: 2_000 },
  );
});
