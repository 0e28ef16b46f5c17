import type { SiteFact, SiteFactKind } from '../../../domain/index.ts';
import { registrableDomain, text } from '../../read.ts';
import { type Block, readBlocks } from './blocks.ts';

/** One page as the fact readers see it. */
export interface FactPage {
  readonly url: string;
  readonly domain: string | null;
  /** Words in the page's address, which tell what it is about. */
  readonly path: string;
  readonly title: string;
  /** Name of the project, as the caller gave it. */
  readonly project: string;
  readonly sections: readonly Section[];
  /** Of the whole page, navigation bars too. */
  readonly links: readonly FactLink[];
  readonly unseen: string;
}

/** A heading and what stands under it until the next one. */
export interface Section {
  readonly heading: string;
  /** Of the page and of every heading above, for readers that need to know where they are. */
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

/** Prepares a page for the fact readers: headings become topics, links absolute; words of navigation bars are left out. */
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
    const url = absolute(href, base);
    if (url === null) return [];
    // On a shared platform there is no domain of its own; another page of the platform is foreign all the same.
    const isForeign = domain === null ? new URL(url).host !== new URL(base).host : registrableDomain(url) !== domain;
    return [{ url: url.slice(0, 400), label: label.trim().slice(0, 120), isForeign }];
  });
  return { text: block.text, isHeading: block.level > 0, links };
}

function absolute(href: string, base: string): string | null {
  try {
    const url = new URL(href, base);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

function pathOf(url: string): string {
  try {
    const { hostname, pathname } = new URL(url);
    return `${hostname.split('.')[0] ?? ''} ${pathname}`.replace(/[^\p{L}\d]+/gu, ' ').trim();
  } catch {
    return '';
  }
}

/** Every sentence of the page with the block it stands in. */
export function sentencesOf(
  page: FactPage,
): readonly { readonly text: string; readonly block: FactBlock; readonly topic: string }[] {
  return page.sections
    .flatMap(({ blocks, topic }) =>
      blocks.flatMap((block) => splitSentences(block.text).map((text) => ({ text, block, topic }))),
    )
    .slice(0, MOST_SENTENCES);
}

/** Stands for a blank after an abbreviation while sentences are split. */
const HELD = '\u2060';
/** A point after these ends no sentence. */
const ABBREVIATED = /(?<=\b(?:Ltd|Inc|Pte|Dr|Corp|No|Co|St|vs|Mr|Mrs|Ms|Prof)\.)\s+/g;

function splitSentences(words: string): readonly string[] {
  return words
    .replace(ABBREVIATED, HELD)
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{Lo}\d"“(])|(?<=[。！？])/u)
    .map((row) => row.replaceAll(HELD, ' ').trim())
    .filter((row) => row.length > 2);
}

/** A fact of this page; texts are cleaned and cut. Null when nothing is left of the sentence. */
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

/** True when a sentence speaks of the project itself: by its name or as "we"; pages speak of others too. */
export function isOwnSubject(page: FactPage, sentence: string): boolean {
  return (
    /\b(?:we|our|us)\b/i.test(sentence) || (page.project.length > 2 && plain(sentence).includes(plain(page.project)))
  );
}

/** Letters and digits alone, lower-case: names are compared so. */
export function plain(words: string): string {
  return words.toLowerCase().replace(/[^\p{L}\d]+/gu, '');
}

/** Plans and wishes are no facts: a sentence about what will be is left out. */
export function isPlan(sentence: string): boolean {
  return /\b(?:will|soon|plan(?:s|ned|ning)?|upcoming|not yet|expected|intends?|hopes?|aims?|targets?|roadmap|scheduled|pending|in talks)\b/i.test(
    sentence,
  );
}
