import type { SiteFact } from '../../../domain/index.ts';
import { testnetAddress, testnetScope } from '../../explorers.ts';
import { type FactPage, factOf, isPlan, numberIn, plain, sentencesOf } from './fact-page.ts';

const MAINNET = /\bmain ?net\b.{0,40}\b(?:live|launched|beta)\b|\b(?:live|launched|beta)\b.{0,30}\bmain ?net\b/i;
const TESTNET =
  /\b(?:test ?net|devnet)\b.{0,60}\b(?:live|open|running|public|launched|join)\b|\b(?:live|open|public|join)\b.{0,40}\btest ?net\b/i;
const CLOSED = /\b(?:closed|private|invite[- ]only)\s+(?:alpha|beta|test ?net)\b|\bwait ?list\b/i;
const IN_OTHER_LANGUAGES: readonly (readonly [string, RegExp])[] = [
  ['mainnet_beta', /mainnet.{0,20}(?:läuft|en vivo|en ligne|запущен)|主网.{0,8}(?:上线|运行)|メインネット.{0,8}稼働/iu],
  [
    'public_testnet',
    /testnet.{0,20}(?:offen|läuft|abierta|abierto|ouvert|en ligne|открыт|запущен)|测试网.{0,8}(?:上线|开放)|テストネット.{0,8}(?:公開|稼働)/iu,
  ],
];
/** Labels and hosts of links to a product that can be tried. */
const WAY_IN = /\b(?:launch|open|enter|try) (?:the )?(?:app|test ?net|demo)\b|\b(?:explorer|faucet)\b/i;
const WAY_IN_HOST = /^https?:\/\/(?:app|testnet|explorer|faucet|play|beta)\./i;
const USERS =
  /(\d[\d,.]{0,12})\s*(k|m|thousand|million)?\+?\s+(?:(?:active|unique|daily|monthly|weekly|testnet|distinct)\s+){0,3}(?:users|wallets|addresses|testers|participants|players)\b/i;

/** State of the product, where it can be tried, and the number of users of the test network. */
export function productOn(page: FactPage): readonly (SiteFact | null)[] {
  const way = wayIn(page);
  const facts: (SiteFact | null)[] = [];
  for (const { text, block } of sentencesOf(page)) {
    const [users, multiple] = USERS.exec(text)?.slice(1) ?? [];
    if (users !== undefined && /test ?net|alpha|beta|game/i.test(text) && !isPlan(text))
      facts.push(
        factOf(page, 'testnet_users', text, {
          value: numberIn(users, multiple),
          link: block.links.find((link) => link.isForeign)?.url ?? null,
        }),
      );
    const state = stateIn(text);
    if (state !== null) facts.push(factOf(page, 'product', text, { value: state, link: way }));
  }
  return facts;
}

function stateIn(sentence: string): string | null {
  if (isPlan(sentence)) return CLOSED.test(sentence) ? 'closed' : null;
  if (CLOSED.test(sentence)) return 'closed';
  if (MAINNET.test(sentence)) return 'mainnet_beta';
  if (TESTNET.test(sentence)) return 'public_testnet';
  return IN_OTHER_LANGUAGES.find(([, pattern]) => pattern.test(sentence))?.[0] ?? null;
}

function wayIn(page: FactPage): string | null {
  const own = page.links.filter((link) => !link.isForeign);
  return (own.find((link) => WAY_IN_HOST.test(link.url)) ?? own.find((link) => WAY_IN.test(link.label)))?.url ?? null;
}

/** Maximum number of contracts of one page. */
const MOST_CONTRACTS = 4;

/** Contracts on public test networks that the page links, each with the text around the link. `value` is the scope of the contract's observations. */
export function testnetOn(page: FactPage): readonly (SiteFact | null)[] {
  const found = new Map<string, SiteFact | null>();
  for (const block of page.sections.flatMap((section) => section.blocks))
    for (const { url, label } of block.links) {
      const named = testnetAddress(url);
      if (named === null || found.size >= MOST_CONTRACTS) continue;
      const scope = testnetScope(named);
      if (!found.has(scope))
        found.set(scope, factOf(page, 'testnet_contract', block.text || label || url, { value: scope, link: url }));
    }
  return [...found.values()];
}

/** Function words; if these are rare, the page is not in English. */
const ENGLISH = new Set(
  'the of and to in is for that with on are as by from this we our it be not at or an will'.split(' '),
);
const LEAST_ENGLISH_SHARE = 0.08;
const DOCUMENTS = /\b(?:docs?|documentation|developers?|handbook|gitbook)\b/i;
const LINKED_PAPER = /white ?paper|lite ?paper|yellow ?paper|tokenomics|token ?economics/i;
const PDF = /\.pdf(?:$|[?#])/i;

/** Number of words on the page, and linked documents that are not read because they are on other hosts or PDF files. */
export function documentsOn(page: FactPage): readonly (SiteFact | null)[] {
  const text = page.sections.flatMap(({ blocks }) => blocks.map((block) => block.text)).join(' ');
  const words = wordsIn(text);
  const name = page.title || page.url;
  const elsewhere = page.links.find((link) => link.isForeign && DOCUMENTS.test(link.label));
  const paper = page.links.find(
    (link) => LINKED_PAPER.test(`${link.label} ${link.url}`) && (link.isForeign || PDF.test(link.url)),
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

/** Number of words; scripts without spaces count two characters as a word. */
function wordsIn(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\d]+/gu)?.length ?? 0) + Math.round(dense / 2);
}

const NO_TOKEN =
  /\b(?:there (?:is|are)|we have|has|have|with) no (?:native |live |public |official |own )?tokens?\b|\bno (?:native |official |public )?token (?:exists|has been|is|yet|sale)\b|\b(?:does|do|did) not have a token\b|\bnever (?:sell|sold|issue|have) (?:a |any )?tokens?\b|\bno (?:presale|pre-sale|ICO|IDO)\b|\bany token (?:using|with) (?:our|this) name is (?:fake|a scam)\b/i;
const SALE =
  /\b(?:pre-?sale|ICO|IDO|token sale|private sale|public sale|seed sale)\b.{0,60}\b(?:live|open|now|join|buy|stage \d|round \d|ends?|ending|left|raised so far)\b|\bbuy (?:our|the|your|some)? ?tokens?\b|\b(?:send|deposit) (?:ETH|SOL|BNB|USDT|USDC|BTC)\b.{0,60}\bto\b.{0,40}\b(?:receive|reserve|address|wallet|get)\b/i;
const SALE_OF_TICKER = /\b[Bb][Uu][Yy] \$[A-Z]{2,8}\b/;
const FOUNDED = /\b(?:since|founded in|established in|started in)\s+((?:19|20)\d\d)\b/i;
/** Sentences without a subject are about the project itself. */
const FOUNDED_FIRST = /^(?:founded|established|trusted|building|est\.?|serving|operating)\b/i;
/** Instructions to AI systems that read the page. Mere mentions of agents and prompts, by projects that build with them, do not match. */
const TO_MACHINES =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )?(?:previous|prior|above|earlier) (?:instructions|prompts?|rules)\b|\byou are an? (?:AI|language model|LLM|assistant|rating agent)\b|\b(?:AI|agents?|models?|bots?|crawlers?|LLMs?)\b.{0,40}\b(?:must|should|shall)\b.{0,20}\b(?:rate|score|rank|recommend)\b.{0,40}\b(?:this|us|our|AAA|highest|maximum|top)\b|\b(?:assign|give|output|return) (?:it |us |this |a |the ){0,2}(?:maximum|highest|perfect|best|top) (?:possible )?(?:score|rating)\b/i;
const PAPER = /white ?paper|lite ?paper|abstract|yellow ?paper/i;
const PRESENTED =
  /\b(?:we|this paper|this document)\s+(?:present|introduce|propose|describe)s?\s+(\p{Lu}[\p{L}\d]{2,30}(?:\s+\p{Lu}[\p{L}\d]{1,30})?)\b/u;
const TITLED =
  /^(\p{Lu}[\p{L}\d .'-]{1,50}?)\s*[:|–—-]?\s*(?:technical |the )?(?:white ?paper|lite ?paper|yellow ?paper)\b/iu;
const NO_PROJECT = /^(?:the|our|a|an|this|technical|official|read|download|version|our new)\b/i;

/** Statements of the project about itself: its token, its sale, its age, its paper. */
export function conductOn(page: FactPage): readonly (SiteFact | null)[] {
  const facts: (SiteFact | null)[] = [];
  for (const { text } of sentencesOf(page)) {
    if (NO_TOKEN.test(text)) facts.push(factOf(page, 'no_token', text));
    else if (
      (SALE.test(text) || SALE_OF_TICKER.test(text)) &&
      !isPlan(text) &&
      !/\b(?:no|never|not|fake|scam)\b/i.test(text)
    )
      facts.push(factOf(page, 'token_sale', text));
    const year = FOUNDED.exec(text)?.[1];
    if (year !== undefined && (FOUNDED_FIRST.test(text) || isAboutItself(page, text)))
      facts.push(factOf(page, 'founded', text, { value: Number(year) }));
    if (TO_MACHINES.test(text)) facts.push(factOf(page, 'machine_text', text, { detail: 'shown' }));
  }
  const unseen = TO_MACHINES.exec(page.unseen);
  if (unseen !== null)
    facts.push(
      factOf(page, 'machine_text', page.unseen.slice(Math.max(0, unseen.index - 40), unseen.index + 160), {
        detail: 'hidden',
      }),
    );
  return [...facts, ...otherProject(page)];
}

function isAboutItself(page: FactPage, text: string): boolean {
  return /\bwe\b/i.test(text) || (page.project.length > 2 && plain(text).includes(plain(page.project)));
}

/** A paper of another project: its title or introduction names another project, and the text never names this one. */
function otherProject(page: FactPage): readonly (SiteFact | null)[] {
  if (!PAPER.test(`${page.path} ${page.title}`)) return [];
  const own = plain(page.project);
  const rows = sentencesOf(page);
  if (own.length < 3 || rows.some(({ text, block }) => !block.isHeading && plain(text).includes(own))) return [];
  for (const { text } of rows) {
    const name = (PRESENTED.exec(text) ?? TITLED.exec(text))?.[1]?.trim();
    if (name !== undefined && !NO_PROJECT.test(name) && !plain(name).includes(own) && !own.includes(plain(name)))
      return [factOf(page, 'other_project', text, { name })];
  }
  return [];
}
