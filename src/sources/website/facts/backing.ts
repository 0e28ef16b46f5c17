import type { SiteFact } from '../../../domain/index.ts';
import { type FactPage, factOf, isOwnSubject, isPlan, sentencesOf } from './fact-page.ts';
import { numberIn } from './product.ts';

const RAISED = /\b(?:raised|closed|secured|completed|announc(?:ed|es|ing))\b/i;
const SUBJECTLESS = /^(?:raised|closed|secured|backed by|supported by|led by|investors?)\b/i;
const AMOUNT = /(?:\$|\bUSD\s?)\s?(\d[\d,.]{0,12})\s*(k|thousand|m|mn|million|b|bn|billion)?\b/i;
const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
const ROUND = /\b(pre-seed|seed|series [a-d]|strategic|angel|private)\b/i;
const LED = /\bled by\s+([^.;()]{2,160})/i;
const WITH = /\b(?:participation (?:from|of|by)|backed by|investors? include|supported by)\s+([^.;()]{2,200})/i;
const LARGEST_ROUND_USD = 1e10;

/** Rounds and investors that the page names. A link to another host is where the round can be looked up. */
export function backingOn(page: FactPage): readonly (SiteFact | null)[] {
  return sentencesOf(page).flatMap(({ text, block }) => {
    // A news page tells of other people's money too.
    if (isPlan(text) || !(isOwnSubject(page, text) || SUBJECTLESS.test(text))) return [];
    const link = block.links.find((row) => row.isForeign)?.url ?? null;
    const [digits, scale] = AMOUNT.exec(text)?.slice(1) ?? [];
    const amount = digits === undefined ? 0 : numberIn(digits) * (SCALE[(scale ?? '').toLowerCase()] ?? 1);
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

/** `Fern Capital, Pebble Ventures and Ada W.` to names; only capitalised ones are names. */
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
