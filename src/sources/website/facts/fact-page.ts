import { Parser } from 'htmlparser2';
import type { SiteFact, SiteFactKind } from '../../../domain/index.ts';
import { registrableDomain } from '../../links.ts';
import { text } from '../../read.ts';
import { DEEPEST, resolve, TooDeep, VOID } from '../page.ts';

/** One page as the fact readers see it. */
export interface FactPage {
  readonly url: string;
  readonly domain: string | null;
  /** Words of the page's URL, which show its subject. */
  readonly path: string;
  readonly title: string;
  /** Name of the project as passed by the caller. */
  readonly project: string;
  readonly sections: readonly Section[];
  /** Links of the whole page, including navigation bars. */
  readonly links: readonly FactLink[];
  readonly unseen: string;
}

/** A heading and the content below it until the next one. */
export interface Section {
  readonly heading: string;
  /** Words of the page's URL and of all headings above, which give readers the context. */
  readonly topic: string;
  readonly blocks: readonly FactBlock[];
}

export interface FactBlock {
  readonly text: string;
  readonly isHeading: boolean;
  readonly links: readonly FactLink[];
}

export interface FactLink {
  readonly url: string;
  readonly label: string;
  readonly isForeign: boolean;
}

const LONGEST_SENTENCE = 240;
const MOST_SENTENCES = 3_000;

/** Prepares a page for the fact readers: headings become topics, links become absolute, text of navigation bars is dropped. */
export function factPage(html: string, url: string, project: string): FactPage {
  const { title, blocks, unseen } = readBlocks(html);
  const domain = registrableDomain(url);
  const path = pathOf(url);
  const sections: { heading: string; topic: string; blocks: FactBlock[] }[] = [
    { heading: '', topic: `${path} ${title}`, blocks: [] },
  ];
  const open: { level: number; text: string }[] = [];
  const footer: FactBlock[] = [];
  const bar: FactBlock[] = [];
  for (const block of blocks) {
    if (block.place === 'navigation') {
      bar.push(factBlock(block, url, domain));
      continue;
    }
    if (block.place === 'footer') {
      footer.push(factBlock(block, url, domain));
      continue;
    }
    if (block.level > 0) {
      while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
      open.push({ level: block.level, text: block.text.slice(0, 120) });
      sections.push({
        heading: block.text.slice(0, 120),
        topic: `${path} ${open.map((row) => row.text).join(' / ')}`,
        blocks: [],
      });
    }
    sections.at(-1)?.blocks.push(factBlock(block, url, domain));
  }
  sections.push({ heading: '', topic: 'footer', blocks: footer });
  const links = [...sections.flatMap((section) => section.blocks), ...bar].flatMap((block) => block.links);
  return { url, domain, path, title, project, sections, links, unseen };
}

function factBlock(block: Block, base: string, domain: string | null): FactBlock {
  const links = block.anchors.flatMap(({ href, label }) => {
    const url = resolve(href, base);
    if (url === null) return [];
    // On a shared platform there is no own domain, so links to other hosts of the platform are foreign.
    const isForeign = domain === null ? new URL(url).host !== new URL(base).host : registrableDomain(url) !== domain;
    return [{ url: url.slice(0, 400), label: label.trim().slice(0, 120), isForeign }];
  });
  return { text: block.text, isHeading: block.level > 0, links };
}

function pathOf(link: string): string {
  const url = URL.parse(link);
  const words = url === null ? '' : `${url.hostname.split('.')[0] ?? ''} ${url.pathname}`;
  return words.replace(/[^\p{L}\d]+/gu, ' ').trim();
}

/** Every sentence of the page with its block. */
export function sentencesOf(
  page: FactPage,
): readonly { readonly text: string; readonly block: FactBlock; readonly topic: string }[] {
  return page.sections
    .flatMap(({ blocks, topic }) =>
      blocks.flatMap((block) => splitSentences(block.text).map((text) => ({ text, block, topic }))),
    )
    .slice(0, MOST_SENTENCES);
}

/** Placeholder for the space after an abbreviation while sentences are split. */
const HELD = '\u2060';
/** A full stop after these does not end a sentence. */
const ABBREVIATED = /(?<=\b(?:Ltd|Inc|Pte|Dr|Corp|No|Co|St|vs|Mr|Mrs|Ms|Prof)\.)\s+/g;

function splitSentences(words: string): readonly string[] {
  return words
    .replace(ABBREVIATED, HELD)
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{Lo}\d"“(])|(?<=[。！？])/u)
    .map((row) => row.replaceAll(HELD, ' ').trim())
    .filter((row) => row.length > 2);
}

/** A fact of this page, with cleaned and shortened texts. Null when nothing is left of the sentence. */
export function factOf(
  page: FactPage,
  kind: SiteFactKind,
  sentence: string,
  change: Partial<Pick<SiteFact, 'name' | 'value' | 'detail' | 'link'>> = {},
): SiteFact | null {
  const clean = text(sentence, LONGEST_SENTENCE);
  if (clean === null) return null;
  const { value = null } = change;
  return {
    kind,
    name: text(change.name, 120),
    value: typeof value === 'string' ? text(value, 120) : value,
    detail: text(change.detail, 120),
    link: change.link ?? null,
    sentence: clean,
    url: page.url.slice(0, 400),
  };
}

/** True when a sentence is about the project itself, which it names or calls "we"; pages also mention others. */
export function isOwnSubject(page: FactPage, sentence: string): boolean {
  return (
    /\b(?:we|our|us)\b/i.test(sentence) || (page.project.length > 2 && plain(sentence).includes(plain(page.project)))
  );
}

/** Letters and digits only, in lower case, for comparing names. */
export function plain(words: string): string {
  return words.toLowerCase().replace(/[^\p{L}\d]+/gu, '');
}

/** True for a sentence about the future. Plans are not facts. */
export function isPlan(sentence: string): boolean {
  return /\b(?:will|soon|plan(?:s|ned|ning)?|upcoming|not yet|expected|intends?|hopes?|aims?|targets?|roadmap|scheduled|pending|in talks)\b/i.test(
    sentence,
  );
}

/** A paragraph, a heading, a list item or a table row, in reading order. */
export interface Block {
  /** 1-6 for a heading, 0 for anything else. */
  readonly level: number;
  readonly text: string;
  readonly anchors: readonly { readonly href: string; readonly label: string }[];
  /** Words in a navigation bar are labels, not statements; a footer belongs to no section. */
  readonly place: 'body' | 'navigation' | 'footer';
}

export interface BlockPage {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Text in the page that is not displayed. */
  readonly unseen: string;
}

const MOST_HTML = 1_500_000;
const MOST_BLOCKS = 2_000;
const MOST_TEXT = 120_000;
const MOST_UNSEEN = 20_000;
const LONGEST_BLOCK = 4_000;
const MOST_ANCHORS = 300;
const LONGEST_HREF = 2_048;
const NEVER_READ = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title', 'select', 'textarea']);
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub sup time u var wbr td th'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{4,}/i;

/**
 * Reads a page as a sequence of text blocks without building a tree, so the time is linear in its size; reading stops at
 * implausible nesting. Text hidden by inline styles and attributes is kept separately; text hidden by a style sheet is not detected.
 */
export function readBlocks(html: string): BlockPage {
  const blocks: Block[] = [];
  const stack: { readonly name: string; readonly isHidden: boolean }[] = [];
  let [title, unseen, text] = ['', '', ''];
  let anchors: { href: string; label: string }[] = [];
  let [level, navigation, footer, skipped, hidden, length, seenAnchors] = [0, 0, 0, 0, 0, 0, 0];
  let isTitle = false;
  let anchor: { href: string; label: string } | null = null;

  const place = () => (navigation > 0 ? 'navigation' : footer > 0 ? 'footer' : 'body');
  function flush(nextLevel: number): void {
    const words = text.replace(/\s+/g, ' ').trim();
    if (words !== '' || anchors.length > 0) {
      if (blocks.length < MOST_BLOCKS && length < MOST_TEXT)
        blocks.push({ level, text: words.slice(0, LONGEST_BLOCK), anchors, place: place() });
      length += words.length;
    }
    text = '';
    anchors = [];
    level = nextLevel;
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      const isBlock = !INLINE.has(name);
      if (isBlock) flush(headingLevel(name));
      else if (CELLS.has(name)) text += ' | ';
      if (VOID.has(name)) return;
      if (stack.length > DEEPEST) throw new TooDeep();
      const isHidden = isHiding(attributes);
      stack.push({ name, isHidden });
      if (isHidden) hidden += 1;
      if (NEVER_READ.has(name)) skipped += 1;
      if (name === 'nav') navigation += 1;
      if (name === 'footer') footer += 1;
      isTitle = name === 'title' && title === '';
      const { href } = attributes;
      if (name !== 'a' || href === undefined || href.length > LONGEST_HREF || hidden > 0) return;
      seenAnchors += 1;
      if (seenAnchors > MOST_ANCHORS) return;
      anchor = { href, label: '' };
      anchors.push(anchor);
    },
    ontext(data) {
      if (isTitle) title = (title + data).slice(0, 500);
      if (skipped > 0) return;
      if (hidden > 0) {
        if (unseen.length < MOST_UNSEEN) unseen += ` ${data}`;
        return;
      }
      if (text.length < LONGEST_BLOCK * 2) text += data;
      if (anchor !== null && anchor.label.length < 200) anchor.label += data;
    },
    onclosetag(name) {
      if (VOID.has(name)) return;
      const closed = stack.pop();
      if (closed?.isHidden) hidden -= 1;
      if (NEVER_READ.has(name)) skipped = Math.max(0, skipped - 1);
      if (name === 'title') isTitle = false;
      if (name === 'a') anchor = null;
      if (!INLINE.has(name)) flush(0);
      if (name === 'nav') navigation = Math.max(0, navigation - 1);
      if (name === 'footer') footer = Math.max(0, footer - 1);
    },
  });
  try {
    parser.end(html.slice(0, MOST_HTML));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  flush(0);
  return {
    title: title.replace(/\s+/g, ' ').trim(),
    blocks,
    unseen: unseen.replace(/\s+/g, ' ').slice(0, MOST_UNSEEN),
  };
}

function headingLevel(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}

function isHiding(attributes: Readonly<Record<string, string>>): boolean {
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    (attributes.style !== undefined && HIDING.test(attributes.style.slice(0, 1_000)))
  );
}

const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  trillion: 1e12,
};

/** `1,250.5` to 1250.5, times its `scale` ("million"); 0 if it is not a number. */
export function numberIn(digits: string, scale = ''): number {
  const value = Number(digits.replace(/[, ]/g, '').replace(/\.$/, ''));
  return Number.isFinite(value) ? value * (SCALE[scale.toLowerCase()] ?? 1) : 0;
}
