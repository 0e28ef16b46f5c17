import type { SiteFact } from '../../../domain/index.ts';
import { type FactPage, factOf, isOwnSubject, isPlan, numberIn, type Section, sentencesOf } from './fact-page.ts';

const TOPIC = /token|allocation|distribution|supply|vesting|white ?paper|lite ?paper/i;
const SUPPLY = /\bsupply\b[^.\d]{0,60}(\d[\d,. ]{0,24}\d|\d)\s*(million|billion|trillion|m|bn|b)?\b/i;
/** `a fixed 42,000,000 supply`, `1bn tokens in total`. */
const SUPPLY_AFTER =
  /(?:fixed|total|max(?:imum)?|capped at)\s+(\d[\d,. ]{2,24}\d|\d+)\s*(million|billion|trillion|m|bn|b)?\b.{0,20}\b(?:supply|tokens)\b/i;
const LABEL_OF_SUPPLY = /^(?:the )?(?:total |max(?:imum)? |fixed |token )*supply:?$/i;
const BARE_NUMBER = /^\d[\d,. ]*\s*(?:million|billion|trillion|m|bn|b)?(?:\s+\$?[\p{L}\d]{1,12})?$/iu;
const BARE_SHARE = /^\d{1,3}(?:\.\d{1,3})?\s*%$/;
/** Groups of initial holders by their usual names; the first match counts. */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['advisors', /advis[eo]rs?/i],
  ['investors', /investors?|backers?|private (?:sale|round)|pre-?seed|\bseed\b|strategic|series [a-d]|\bvcs?\b/i],
  ['team', /\bteam\b|founders?|core contributors?|employees|insiders?|builders/i],
  [
    'community',
    /community|ecosystem|airdrop|users|rewards?|staking|incentives?|validators?|mining|bount(?:y|ies)|marketing|partners/i,
  ],
  ['treasury', /treasury|foundation|reserve|dao/i],
  [
    'public',
    /(?:public|main|token|crowd) ?(?:sale|round)|pre-?sale|launch ?pad|liquidity|market makers?|exchanges?|listing/i,
  ],
];
const SHARE = /(\d{1,3}(?:\.\d{1,3})?)\s*%/;
const VESTING =
  /\b(?:vest(?:s|ed|ing)?|cliff|lock(?:ed|up))\b.{0,80}\b(?:months?|years?|quarters?)\b|\b(?:months?|years?)\b.{0,40}\b(?:vest(?:ing)?|cliff)\b/i;
const UTILITY =
  /\btokens?\b.{0,80}\b(?:used (?:for|to)|pays?|stak(?:e|es|ed|ing)|govern(?:s|ance)?|vot(?:e|es|ing)|secur(?:e|es|ing)|fees?|gas|collateral)\b/i;
const DATE =
  /\b(?:TGE|token generation(?: event)?|token launch|genesis)\b.{0,80}?\b(\d{4}-\d{2}-\d{2}|Q[1-4][ -]20\d\d|(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+20\d\d)\b/i;

/** Supply, allocation, release, use and date of the token. Plans count, because everything about a token before its launch is a plan. */
export function tokenomicsOn(page: FactPage): readonly (SiteFact | null)[] {
  const stated = sentencesOf(page).flatMap(({ text, topic }) => {
    const dated = DATE.exec(text)?.[1];
    const date = dated === undefined ? [] : [factOf(page, 'tge_date', text, { value: dated })];
    if (!TOPIC.test(`${topic} ${page.title}`)) return date;
    return [
      ...date,
      ...supplyIn(page, text),
      ...allocationsIn(text).map((row) =>
        factOf(page, 'allocation', text, { name: row.group, value: row.share, detail: row.label }),
      ),
      ...(VESTING.test(text) ? [factOf(page, 'vesting', text)] : []),
      ...(UTILITY.test(text) ? [factOf(page, 'utility', text)] : []),
    ];
  });
  const carded = page.sections
    .filter((section) => TOPIC.test(`${section.topic} ${page.title}`))
    .flatMap((section) => [
      ...sideBySide(
        section,
        (text) => LABEL_OF_SUPPLY.test(text),
        (text) => BARE_NUMBER.test(text),
      ).flatMap((pair) => supplyIn(page, `${pair.label}: ${pair.number}`)),
      ...sideBySide(
        section,
        (text) => groupOf(text) !== undefined && !SHARE.test(text),
        (text) => BARE_SHARE.test(text),
      ).map((pair) =>
        factOf(page, 'allocation', `${pair.label}: ${pair.number}`, {
          name: groupOf(pair.label) ?? null,
          detail: labelIn(pair.label),
          value: Number(SHARE.exec(pair.number)?.[1] ?? 0) / 100,
        }),
      ),
    ]);
  return [...stated, ...carded];
}

function supplyIn(page: FactPage, sentence: string): readonly (SiteFact | null)[] {
  const match = SUPPLY.exec(sentence) ?? SUPPLY_AFTER.exec(sentence);
  const [digits, scale] = match?.slice(1) ?? [];
  const supply = digits === undefined ? 0 : numberIn(digits, scale);
  return supply >= 1_000 && supply <= 1e18 ? [factOf(page, 'supply', sentence, { value: supply })] : [];
}

/** Words of a part without its number, to distinguish two rows of one group. */
function labelIn(words: string): string {
  return words
    .replace(/[^\p{L} ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function groupOf(words: string): string | undefined {
  return GROUPS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Splits text such as `Team 15 %, investors 20 %` into parts with one share and one group each. */
function allocationsIn(
  sentence: string,
): readonly { readonly group: string; readonly label: string; readonly share: number }[] {
  if (!SHARE.test(sentence)) return [];
  return sentence
    .split(/[,;|](?!\d)|\band\b|(?<=%)\s*[.)]/i)
    .join('\n')
    .split('\n')
    .reduce<{ group: string; label: string; share: number }[]>((rows, part, index, parts) => {
      const share = Number(SHARE.exec(part)?.[1] ?? Number.NaN) / 100;
      // In a table row the label and the share are in adjacent cells.
      const words = /[\p{L}]{3}/u.test(part.replace(/%/g, '')) ? part : (parts[index - 1] ?? '');
      const group = groupOf(words);
      if (Number.isFinite(share) && share > 0 && share <= 1 && group !== undefined)
        rows.push({ group, label: labelIn(words), share });
      return rows;
    }, [])
    .slice(0, 12);
}

const LONGEST = 60;

/** A label and a number in separate blocks, as in cards and tables of `div`s. */
export interface Pair {
  readonly label: string;
  readonly number: string;
}

/**
 * Pairs of adjacent short blocks, of which one is a label and the other a number. The first pair sets the order of the two for the
 * whole section.
 */
export function sideBySide(
  section: Section,
  isLabel: (text: string) => boolean,
  isNumber: (text: string) => boolean,
): readonly Pair[] {
  const rows = section.blocks
    .filter((block) => block.text.length <= LONGEST)
    .map(({ text }) => ({ text, kind: isNumber(text) ? 'number' : isLabel(text) ? 'label' : 'other' }));
  const first = rows.find((row) => row.kind !== 'other')?.kind;
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    if (next === undefined || row.kind !== first || next.kind === 'other' || next.kind === row.kind) return [];
    return [first === 'label' ? { label: row.text, number: next.text } : { label: next.text, number: row.text }];
  });
}

const RAISED = /\b(?:raised|closed|secured|completed|announc(?:ed|es|ing))\b/i;
const SUBJECTLESS = /^(?:raised|closed|secured|backed by|supported by|led by|investors?)\b/i;
const AMOUNT = /(?:\$|\bUSD\s?)\s?(\d[\d,.]{0,12})\s*(k|thousand|m|mn|million|b|bn|billion)?\b/i;
const ROUND = /\b(pre-seed|seed|series [a-d]|strategic|angel|private)\b/i;
const LED = /\bled by\s+([^.;()]{2,160})/i;
const WITH = /\b(?:participation (?:from|of|by)|backed by|investors? include|supported by)\s+([^.;()]{2,200})/i;
const LARGEST_ROUND_USD = 1e10;

/** Rounds and investors that the page names. A link to another host is kept as the place where the round can be verified. */
export function backingOn(page: FactPage): readonly (SiteFact | null)[] {
  return sentencesOf(page).flatMap(({ text, block }) => {
    // News pages also report rounds of other projects.
    if (isPlan(text) || !(isOwnSubject(page, text) || SUBJECTLESS.test(text))) return [];
    const link = block.links.find((row) => row.isForeign)?.url ?? null;
    const [digits, scale] = AMOUNT.exec(text)?.slice(1) ?? [];
    const amount = digits === undefined ? 0 : numberIn(digits, scale);
    const isRound =
      RAISED.test(text) &&
      amount >= 1_000 &&
      amount <= LARGEST_ROUND_USD &&
      !/\b(?:volume|users|fees|tvl|locked|bounty)\b/i.test(text);
    const round = ROUND.exec(text)?.[1]?.toLowerCase() ?? null;
    return [
      ...(isRound ? [factOf(page, 'raise', text, { name: round, value: amount, link })] : []),
      ...namesIn(LED.exec(text)?.[1]).map((name) => factOf(page, 'investor', text, { name, detail: 'lead', link })),
      ...namesIn(WITH.exec(text)?.[1]).map((name) => factOf(page, 'investor', text, { name, detail: 'other', link })),
    ];
  });
}

/** Splits a list such as `Fern Capital, Pebble Ventures and Ada W.`; only capitalised parts are names. */
function namesIn(list: string | undefined): readonly string[] {
  return (
    (list ?? '')
      .split(/\bwith\b/i)[0]
      ?.split(/,|\band\b|&/)
      .map((name) => name.trim().replace(/^(?:investors? such as|the)\s+/i, ''))
      .filter((name) => /^[\p{Lu}\d][\p{L}\d .'-]{1,40}$/u.test(name))
      .slice(0, 10) ?? []
  );
}
