import { Parser } from 'htmlparser2';

/** A paragraph, a heading, a list item or a table row, in reading order. */
export interface Block {
  /** 1-6 for a heading, 0 for anything else. */
  readonly level: number;
  readonly text: string;
  readonly anchors: readonly { readonly href: string; readonly label: string }[];
  /** In a navigation bar words are labels and no statements; a footer belongs to no section. */
  readonly place: 'body' | 'navigation' | 'footer';
}

export interface BlockPage {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Text that the page carries and does not show. */
  readonly unseen: string;
}

const MOST_HTML = 1_500_000;
const MOST_BLOCKS = 2_000;
const MOST_TEXT = 120_000;
const MOST_UNSEEN = 20_000;
const LONGEST_BLOCK = 4_000;
const MOST_ANCHORS = 300;
const LONGEST_HREF = 2_048;
// No honest page is nested this deep (see the landing page's reader).
const DEEPEST = 512;
const NEVER_READ = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title', 'select', 'textarea']);
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub sup time u var wbr td th'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{4,}/i;

class TooDeep extends Error {}

/**
 * Reads a page as a row of text blocks, without building a tree: the time is linear in its size, and reading stops where it gets
 * absurd. What inline styles and attributes hide is kept apart; what a style sheet hides is not known here.
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
