import type { SiteFact } from '../../../domain/index.ts';
import { type FactPage, factOf } from './fact-page.ts';

/** Function words: where these are rare, the page is not in English. */
const ENGLISH = new Set(
  'the of and to in is for that with on are as by from this we our it be not at or an will'.split(' '),
);
const LEAST_ENGLISH_SHARE = 0.08;
const DOCUMENTS = /\b(?:docs?|documentation|developers?|handbook|gitbook)\b/i;
const PAPER = /white ?paper|lite ?paper|yellow ?paper|tokenomics|token ?economics/i;
const PDF = /\.pdf(?:$|[?#])/i;

/** How much text the page shows, and which documents it leads to that are not read: on other hosts, or as PDF files. */
export function documentsOn(page: FactPage): readonly (SiteFact | null)[] {
  const text = page.sections.flatMap(({ blocks }) => blocks.map((block) => block.text)).join(' ');
  const words = wordsIn(text);
  const name = page.title || page.url;
  const elsewhere = page.links.find((link) => link.isForeign && DOCUMENTS.test(link.label));
  const paper = page.links.find(
    (link) => PAPER.test(`${link.label} ${link.url}`) && (link.isForeign || PDF.test(link.url)),
  );
  return [
    factOf(page, 'page', name, { value: words, detail: isEnglish(text) ? 'english' : 'other' }),
    ...(words > 0 && DOCUMENTS.test(`${page.path} ${page.title}`)
      ? [factOf(page, 'documentation', name, { value: words })]
      : []),
    ...(elsewhere ? [factOf(page, 'documentation', elsewhere.label, { link: elsewhere.url })] : []),
    ...(paper ? [factOf(page, 'unread_paper', paper.label || paper.url, { link: paper.url })] : []),
  ];
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => ENGLISH.has(word)).length >= words.length * LEAST_ENGLISH_SHARE;
}

/** Words of scripts without blanks are counted by their characters, two to a word. */
function wordsIn(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\d]+/gu)?.length ?? 0) + Math.round(dense / 2);
}
