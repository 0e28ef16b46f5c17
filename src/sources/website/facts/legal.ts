import type { SiteFact } from '../../../domain/index.ts';
import { registrableDomain } from '../../read.ts';
import { AUDITORS, auditorOf, BOUNTY_PLATFORMS } from '../auditors.ts';
import { type FactPage, factOf, isPlan, sentencesOf } from './fact-page.ts';

const ENTITY =
  /(?<![\p{L}\d])((?:[\p{Lu}\d][\p{L}\d&'-]{0,30}\s+){1,5}(?:Ltd|Limited|LLC|Inc|GmbH|AG|S\.A|SA|Pte|B\.V|BV|Foundation|Stiftung|OÜ|AB|Corp|Oy|ApS|Kft|SAS|DAO LLC)(?![\p{L}\d])\.?(?: Ltd(?![\p{L}\d])\.?)?)/u;
const NUMBER =
  /\b(?:registration|register(?:ed)?|company|commercial register|CHE|UID)\s*(?:number|no\.?|code|id)?[\s:.-]{0,3}([A-Z]{0,4}[-\d.]{5,20}\d)\b/i;
const PLACES =
  'Switzerland|Liechtenstein|Singapore|Cayman Islands|British Virgin Islands|Delaware|Wyoming|Germany|Austria|France|Netherlands|Belgium|Luxembourg|Ireland|Spain|Portugal|Italy|Poland|Estonia|Lithuania|Latvia|Czech Republic|Malta|Cyprus|Gibraltar|United Kingdom|England and Wales|England|Scotland|Jersey|Guernsey|United States|Canada|Panama|Bermuda|Bahamas|Seychelles|Hong Kong|Japan|South Korea|Taiwan|Israel|United Arab Emirates|Dubai|Abu Dhabi|Australia|New Zealand|Brazil|India|Norway|Sweden|Denmark|Finland|Marshall Islands';
const JURISDICTION = new RegExp(
  `\\b(?:incorporated|registered|established|organi[sz]ed|domiciled|laws of|courts of|based|seat)\\b.{0,30}?\\b(${PLACES})\\b`,
  'i',
);
const AUDITED =
  /\baudit(?:ed|s)?\b.{0,60}\bby\b|\baudit report\b|\bsecurity review by\b|\b(?:has|have) been audited\b/i;
const FIRMS = [...new Set(Object.values(AUDITORS))];

/** Who stands behind the project in law, under which law, and who looked at its code. */
export function legalOn(page: FactPage): readonly (SiteFact | null)[] {
  return [...entities(page), ...audits(page), ...bounties(page)];
}

function entities(page: FactPage): readonly (SiteFact | null)[] {
  const isLegalPage = /terms|privacy|legal|imprint|impressum|disclosure/i.test(`${page.path} ${page.title}`);
  return sentencesOf(page).flatMap(({ text }) => {
    const entity = ENTITY.exec(text)?.[1];
    const place = JURISDICTION.exec(text)?.[1];
    // A firm named in passing is a partner; the project's own stands with its law, its number or the copyright.
    const isOwn =
      isLegalPage || place !== undefined || NUMBER.test(text) || /©|\(c\)|copyright|operated by/i.test(text);
    return [
      ...(entity !== undefined && isOwn
        ? [factOf(page, 'entity', text, { name: entity, detail: NUMBER.exec(text)?.[1] ?? null })]
        : []),
      ...(place !== undefined && (isLegalPage || entity !== undefined)
        ? [factOf(page, 'jurisdiction', text, { value: place })]
        : []),
    ];
  });
}

function audits(page: FactPage): readonly (SiteFact | null)[] {
  const linked = page.links.flatMap((link) => {
    const firm = auditorOf(link.url);
    const isReport = /\baudits?\b|\breports?\b|publications|security[- ]review/i.test(`${link.label} ${link.url}`);
    return firm !== null && isReport
      ? [{ firm, link: link.url, words: wordsAround(page, link.url) ?? link.label }]
      : [];
  });
  const named = sentencesOf(page).flatMap(({ text }) =>
    AUDITED.test(text) && !isPlan(text)
      ? firmsIn(text)
          .filter((firm) => !linked.some((row) => row.firm === firm))
          .map((firm) => ({ firm, link: null, words: text }))
      : [],
  );
  return [...linked, ...named].map(({ firm, link, words }) => factOf(page, 'audit', words, { name: firm, link }));
}

/** The block in which a link stands. */
function wordsAround(page: FactPage, url: string): string | null {
  const blocks = page.sections.flatMap((section) => section.blocks);
  return blocks.find((block) => block.links.some((link) => link.url === url))?.text ?? null;
}

/** Known firms that a sentence names; an unknown one is kept by its claim alone. */
function firmsIn(sentence: string): readonly string[] {
  const known = FIRMS.filter((firm) => sentence.toLowerCase().includes(firm.toLowerCase()));
  const claimed = /\bby\s+([\p{Lu}][\p{L}\d]*(?:\s+[\p{Lu}][\p{L}\d]*){0,2})/u.exec(sentence)?.[1];
  return known.length > 0 ? known : claimed === undefined ? [] : [claimed];
}

function bounties(page: FactPage): readonly (SiteFact | null)[] {
  return sentencesOf(page).flatMap(({ text, block }) => {
    if (!/\bbug[- ]?bount(?:y|ies)\b/i.test(text) || isPlan(text)) return [];
    const host = block.links.find((link) => Object.hasOwn(BOUNTY_PLATFORMS, registrableDomain(link.url) ?? ''));
    return [factOf(page, 'bounty', text, { value: host ? 'hosted' : 'own', link: host?.url ?? null })];
  });
}
