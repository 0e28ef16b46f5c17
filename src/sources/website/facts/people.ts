import type { SiteFact } from '../../../domain/index.ts';
import { registrableDomain } from '../../links.ts';
import { AUDITORS, auditorOf, BOUNTY_PLATFORMS } from '../../ties.ts';
import { type FactBlock, type FactPage, factOf, isPlan, type Section, sentencesOf } from './fact-page.ts';

const TEAM =
  /\b(?:team|founders?|people|leadership|contributors|who we are|about us|advis[eo]rs?|equipo|équipe|squadra|über uns)\b|команда|团队|團隊|チーム|팀/iu;
const ADVISER = /advis[eo]r|berater|conseiller|asesor|顾问|顧問|アドバイザー|советник/iu;
const ROLE =
  /\b(?:co-?founders?|founders?|ceo|cto|coo|cfo|cso|chief|engineer(?:ing)?|developer|researcher|research|scientist|cryptographer|operations|design(?:er)?|marketing|growth|product|counsel|legal|advis[eo]rs?|lead|head of|director|president|partner|security|manager|officer|expert|analyst|strategist|gründer|fundador|fondateur)\b|创始人|創始人|основатель|開発|代表|工程师/iu;
/** Two to four capitalised words, or a name in a script without capitals. */
const NAME =
  /^(?:(?:\p{Lu}\.){0,3}\p{Lu}[\p{L}’'-]{0,24}\.?(?:\s+(?:de|van|von|der|den|da|di|bin|al|la|le|el))?(?:\s+\p{Lu}[\p{L}’'-]{0,24}\.?){1,3}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}·\s]{2,16})$/u;
const NO_NAME =
  /\b(?:the|our|team|token|protocol|network|labs?|foundation|capital|ventures|advis[eo]rs?|roadmap|audit|security|bug|bounty|community|partners?|investors?|allocation|supply|about|contact|terms|privacy|documentation|white ?paper|core|open|join|read|learn|how|why|what|all|new|chief|head|lead)\b/i;
const PSEUDONYM = /^@?(?:0x[a-z][a-z0-9]{2,15}|[a-z0-9-]{3,20}\.eth|[a-z][a-z0-9_]{2,19})$/;
const PROFILE =
  /^https?:\/\/(?:[a-z]{2,3}\.)?(?:linkedin\.com\/in\/|github\.com\/[A-Za-z0-9-]+\/?$|orcid\.org\/|scholar\.google\.[a-z.]+\/)/i;
const SOCIAL = /^https?:\/\/(?:www\.)?(?:x|twitter|t|linkedin|instagram|facebook)\.(?:com|me)\//i;
const PRIOR =
  /\b(?:previously|formerly|former|ex-|earlier|before that|worked (?:at|on)|co-?founded|built|maintain(?:s|er of)|author of|led .{1,30} at)\b/i;
const MOST_PEOPLE = 60;

/** People that the page names, with role, group, profile and prior work. Names in other scripts count only with a profile or a role. */
export function peopleOn(page: FactPage): readonly (SiteFact | null)[] {
  const facts: (SiteFact | null)[] = [];
  for (const section of page.sections) {
    if (!TEAM.test(section.topic)) continue;
    const card = cardOf(page, section);
    if (card !== null) facts.push(...card);
    else
      for (const [index, block] of section.blocks.entries())
        facts.push(...personIn(page, section, block), ...personAt(page, section, index));
    if (facts.length > MOST_PEOPLE) break;
  }
  return facts.slice(0, MOST_PEOPLE);
}

/** A section about one person, whose name is the heading. */
function cardOf(page: FactPage, section: Section): readonly (SiteFact | null)[] | null {
  const kind = kindOf(section.heading);
  if (kind === null || TEAM.test(section.heading)) return null;
  const rest = section.blocks.slice(1);
  const role =
    rest
      .find((block) => block.text.length < 200 && ROLE.test(block.text))
      ?.text.split(/[(.;]/)[0]
      ?.trim() ?? null;
  const links = section.blocks.flatMap((block) => block.links);
  if (role === null && !links.some((link) => PROFILE.test(link.url))) return null;
  return describe(page, section, { kind, name: section.heading, role, words: rest.map((row) => row.text), links });
}

/** A line about one person: `Ada Wrenfield, founder (LinkedIn)`. */
function personIn(page: FactPage, section: Section, block: FactBlock): readonly (SiteFact | null)[] {
  if (block.isHeading || block.text.length > 600) return [];
  const match = /^([^,–—|:(，、]{2,60}?)\s*(?:[,–—|:(，、]|\s-\s)\s*(.*)$/u.exec(block.text);
  const [name, rest] = [match?.[1]?.trim() ?? block.text, match?.[2] ?? ''];
  const kind = kindOf(name);
  const hasProfile = block.links.some((link) => PROFILE.test(link.url));
  if (kind === null || !(ROLE.test(rest.slice(0, 120)) || hasProfile)) return [];
  return describe(page, section, {
    kind,
    name,
    role: rest.split(/[(.;]/)[0]?.trim().slice(0, 80) ?? '',
    words: [rest],
    links: block.links,
  });
}

/** A block with a name, followed by a block with the role. */
function personAt(page: FactPage, section: Section, index: number): readonly (SiteFact | null)[] {
  const [block, below, third] = section.blocks.slice(index, index + 3);
  if (block === undefined || below === undefined || block.isHeading) return [];
  const kind = kindOf(block.text);
  if (kind === null || below.text.length > 80 || kindOf(below.text) !== null || !ROLE.test(below.text)) return [];
  const links = [block, below, ...(third !== undefined && third.text.length < 40 ? [third] : [])].flatMap(
    (row) => row.links,
  );
  return describe(page, section, { kind, name: block.text, role: below.text, words: [below.text], links });
}

function kindOf(name: string): 'person' | 'pseudonym' | null {
  if (name.length > 60) return null;
  if (PSEUDONYM.test(name)) return 'pseudonym';
  return NAME.test(name) && !NO_NAME.test(name) ? 'person' : null;
}

function describe(
  page: FactPage,
  section: Section,
  person: {
    readonly kind: 'person' | 'pseudonym';
    readonly name: string;
    readonly role: string | null;
    readonly words: readonly string[];
    readonly links: FactBlock['links'];
  },
): readonly (SiteFact | null)[] {
  const { kind, name, role } = person;
  const isAdviser = ADVISER.test(section.topic) || (role !== null && ADVISER.test(role));
  const sentence = `${name}: ${person.words.join(' ')}`;
  const profile = person.links.find((link) => link.isForeign && PROFILE.test(link.url))?.url ?? null;
  const prior = person.words.find((words) => PRIOR.test(words));
  const work = person.links.find((link) => link.isForeign && !SOCIAL.test(link.url) && link.url !== profile);
  return [
    factOf(page, kind, sentence, { name, value: role, detail: isAdviser ? 'advisor' : 'team', link: profile }),
    ...(prior === undefined
      ? []
      : [factOf(page, 'prior_work', prior, { name, detail: isAdviser ? 'advisor' : 'team', link: work?.url ?? null })]),
  ];
}

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

/** The legal entity of the project, its jurisdiction, and auditors of its code. */
export function legalOn(page: FactPage): readonly (SiteFact | null)[] {
  return [...entities(page), ...audits(page), ...bounties(page)];
}

function entities(page: FactPage): readonly (SiteFact | null)[] {
  const isLegalPage = /terms|privacy|legal|imprint|impressum|disclosure/i.test(`${page.path} ${page.title}`);
  return sentencesOf(page).flatMap(({ text }) => {
    const entity = ENTITY.exec(text)?.[1];
    const place = JURISDICTION.exec(text)?.[1];
    // The project's own entity is named with its jurisdiction, its number or the copyright; other firms are partners.
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

/** The text of the block that contains a link. */
function wordsAround(page: FactPage, url: string): string | null {
  const blocks = page.sections.flatMap((section) => section.blocks);
  return blocks.find((block) => block.links.some((link) => link.url === url))?.text ?? null;
}

/** Known firms that a sentence names; otherwise the unknown firm that it claims. */
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
