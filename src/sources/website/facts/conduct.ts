import type { SiteFact } from '../../../domain/index.ts';
import { type FactPage, factOf, isPlan, plain, sentencesOf } from './fact-page.ts';

const NO_TOKEN =
  /\b(?:there (?:is|are)|we have|has|have|with) no (?:native |live |public |official |own )?tokens?\b|\bno (?:native |official |public )?token (?:exists|has been|is|yet|sale)\b|\b(?:does|do|did) not have a token\b|\bnever (?:sell|sold|issue|have) (?:a |any )?tokens?\b|\bno (?:presale|pre-sale|ICO|IDO)\b|\bany token (?:using|with) (?:our|this) name is (?:fake|a scam)\b/i;
const SALE =
  /\b(?:pre-?sale|ICO|IDO|token sale|private sale|public sale|seed sale)\b.{0,60}\b(?:live|open|now|join|buy|stage \d|round \d|ends?|ending|left|raised so far)\b|\bbuy (?:our|the|your|some)? ?tokens?\b|\b(?:send|deposit) (?:ETH|SOL|BNB|USDT|USDC|BTC)\b.{0,60}\bto\b.{0,40}\b(?:receive|reserve|address|wallet|get)\b/i;
const SALE_OF_TICKER = /\b[Bb][Uu][Yy] \$[A-Z]{2,8}\b/;
const FOUNDED = /\b(?:since|founded in|established in|started in)\s+((?:19|20)\d\d)\b/i;
/** Without a subject: the project speaks of itself. */
const FOUNDED_FIRST = /^(?:founded|established|trusted|building|est\.?|serving|operating)\b/i;
/** Orders to a reader that is a machine. Projects that build with such machines write of agents and prompts too: that is no order. */
const TO_MACHINES =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )?(?:previous|prior|above|earlier) (?:instructions|prompts?|rules)\b|\byou are an? (?:AI|language model|LLM|assistant|rating agent)\b|\b(?:AI|agents?|models?|bots?|crawlers?|LLMs?)\b.{0,40}\b(?:must|should|shall)\b.{0,20}\b(?:rate|score|rank|recommend)\b.{0,40}\b(?:this|us|our|AAA|highest|maximum|top)\b|\b(?:assign|give|output|return) (?:it |us |this |a |the ){0,2}(?:maximum|highest|perfect|best|top) (?:possible )?(?:score|rating)\b/i;
const PAPER = /white ?paper|lite ?paper|abstract|yellow ?paper/i;
const PRESENTED =
  /\b(?:we|this paper|this document)\s+(?:present|introduce|propose|describe)s?\s+(\p{Lu}[\p{L}\d]{2,30}(?:\s+\p{Lu}[\p{L}\d]{1,30})?)\b/u;
const TITLED =
  /^(\p{Lu}[\p{L}\d .'-]{1,50}?)\s*[:|–—-]?\s*(?:technical |the )?(?:white ?paper|lite ?paper|yellow ?paper)\b/iu;
const NO_PROJECT = /^(?:the|our|a|an|this|technical|official|read|download|version|our new)\b/i;

/** How the project behaves in its own words: what it says of a token, what it sells, how old it claims to be, whose paper it shows. */
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
    if (year !== undefined && (FOUNDED_FIRST.test(text) || speaksOfItself(page, text)))
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

function speaksOfItself(page: FactPage, text: string): boolean {
  return /\bwe\b/i.test(text) || (page.project.length > 2 && plain(text).includes(plain(page.project)));
}

/** A paper that presents somebody else's project: its title or its first words name another one, and never this one. */
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
