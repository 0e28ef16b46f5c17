import { Parser } from 'htmlparser2';

/** The few things that are taken from a page, in reading order. */
export interface HtmlParts {
  readonly title: string;
  /** `og:site_name` (Open Graph protocol, section 3); empty when the page states none. */
  readonly siteName: string;
  readonly anchors: readonly { readonly href: string; readonly label: string }[];
  /** Text outside scripts and styles, a blank between elements. */
  readonly words: string;
}

const MOST_HTML = 1_500_000;
const MOST_ANCHORS = 400;
const MOST_WORDS = 200_000;
const LONGEST_HREF = 2_048;
const LONGEST_LABEL = 200;
// No honest page is nested this deep; a tree of a hostile one costs minutes (300,000 open elements were measured).
const DEEPEST = 512;
const UNSEEN = new Set(['script', 'style', 'noscript', 'template']);
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

class TooDeep extends Error {}

/**
 * Reads a page as a stream of tags, without building a tree, so that the time is linear in its size. An address must not run
 * into the button beside it, so texts of different elements are kept apart. Reading stops where the nesting gets absurd.
 */
export function readHtml(html: string): HtmlParts {
  const anchors: { href: string; label: string }[] = [];
  const texts: string[] = [];
  let title = '';
  let siteName = '';
  let length = 0;
  let unseen = 0;
  let depth = 0;
  let inTitle = false;
  let anchor: { href: string; label: string } | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (!VOID.has(name)) depth += 1;
      if (depth > DEEPEST) throw new TooDeep();
      if (UNSEEN.has(name)) unseen += 1;
      inTitle = name === 'title' && title === '';
      if (name === 'meta' && siteName === '' && attributes.property?.toLowerCase() === 'og:site_name')
        siteName = (attributes.content ?? '').slice(0, 1_000);
      const { href } = attributes;
      if (name !== 'a' || href === undefined || href.length > LONGEST_HREF || anchors.length >= MOST_ANCHORS) return;
      anchor = { href, label: '' };
      anchors.push(anchor);
    },
    ontext(data) {
      if (unseen > 0) return;
      if (inTitle) {
        title = (title + data).slice(0, 1_000);
        return;
      }
      const words = data.replace(/\s+/g, ' ').trim();
      if (words === '' || length > MOST_WORDS) return;
      texts.push(words);
      length += words.length + 1;
      if (anchor !== null && anchor.label.length < LONGEST_LABEL)
        anchor.label = `${anchor.label} ${words}`.slice(0, LONGEST_LABEL);
    },
    onclosetag(name) {
      if (!VOID.has(name)) depth = Math.max(0, depth - 1);
      if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
      if (name === 'title') inTitle = false;
      if (name === 'a') anchor = null;
    },
  });
  try {
    parser.end(html.slice(0, MOST_HTML));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return { title, siteName, anchors, words: texts.join(' ').slice(0, MOST_WORDS) };
}
