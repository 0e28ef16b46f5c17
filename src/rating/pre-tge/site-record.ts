import type { Consensus } from '../../domain/index.ts';
import { type SiteFact, type SiteFactKind, siteFacts } from '../../domain/index.ts';
import { absent, type Context, type FeatureReading, keyOf, unknown } from '../context.ts';
import { isSiteRequested } from '../missing-values.ts';

/** A fact, with the key of the consensus of its page. */
export interface Statement {
  readonly fact: SiteFact;
  readonly key: string;
}

/** Everything the project's own pages state. */
export interface SiteRecord {
  readonly context: Context;
  readonly pages: number;
  /** True when enough was read that a missing statement is evidence. */
  readonly isRead: boolean;
  /**
   * Share of the site that was read and is in a supported language, 0-1. It scales the confidence in missing
   * statements.
   */
  readonly readShare: number;
  readonly freshness: number;
  /** Number of linked pages that returned no content, and whether the landing page is one of them. */
  readonly lost: number;
  readonly isLandingLost: boolean;
  /** 1 for a site without contradictions; less for one that contradicts itself or others. */
  readonly credibility: number;
  readonly of: (...kinds: readonly SiteFactKind[]) => readonly Statement[];
}

export type Level = 'claimed' | 'linked' | 'confirmed';

/** Collects the statements of all pages, in a stable order. */
export function siteRecord(context: Context): SiteRecord {
  const { siteWords, readShare } = context.methodology.preTge.thresholds;
  const pages: readonly Consensus[] = Object.entries(context.input.consensus)
    .filter(([, row]) => row.quantity === 'site_facts' && row.value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
  const read = new Set(pages.map((page) => page.scope));
  const statements = pages
    .flatMap((page) => siteFacts(page.value).map((fact) => ({ fact, key: keyOf(page) })))
    .filter(({ fact }) => fact.kind !== 'unread_paper' || !read.has(`page:${fact.link?.split('#')[0]}`));
  const texts = statements.filter(({ fact }) => fact.kind === 'page').map(({ fact }) => fact);
  const wordsOf = (rows: readonly SiteFact[]) => rows.reduce((sum, fact) => sum + Number(fact.value ?? 0), 0);
  const words = wordsOf(texts);
  const english = words === 0 ? 0 : wordsOf(texts.filter((fact) => fact.detail === 'english')) / words;
  const blank = texts.filter((fact) => fact.value === 0).length;
  const withheld = context.input.lostPages ?? [];
  const lost = withheld.length + blank;
  return {
    context,
    pages: pages.length,
    isRead: words >= siteWords && english >= readShare,
    readShare: (english * pages.length) / Math.max(1, pages.length + lost),
    freshness: pages.reduce((least, page) => Math.min(least, page.parts.freshness), 1),
    lost,
    isLandingLost: withheld.some((url) => URL.canParse(url) && new URL(url).pathname === '/') || isLandingBlank(texts),
    credibility: 1,
    of: (...kinds) => statements.filter(({ fact }) => kinds.includes(fact.kind)),
  };
}

function isLandingBlank(texts: readonly SiteFact[]): boolean {
  return texts.some(({ url, value }) => value === 0 && URL.canParse(url) && new URL(url).pathname === '/');
}

/** A feature of this model. `credit`: fraction of its points above those of a missing value that is granted, 0-1. */
export interface PreTgeInput extends FeatureReading {
  readonly credit?: number;
  /** True for a claim of the site alone: confirmation was searched for and not found. */
  readonly isBare?: boolean;
}

/**
 * A feature from the site's statements, with the confidence of `level`. A bare claim, or a statement of a site that
 * contradicts itself, earns little more than a missing statement, so that claims alone gain nothing.
 */
export function stated(
  site: SiteRecord,
  id: string,
  raw: number | string,
  level: Level,
  support: readonly Statement[],
  method: string,
): PreTgeInput {
  const { evidence, thresholds } = site.context.methodology.preTge;
  const { confidence, independence } = evidence[level];
  return {
    id,
    status: 'observed',
    raw,
    confidence: confidence * site.credibility,
    parts: { independence, agreement: site.credibility, freshness: site.freshness },
    basis: [...new Set(support.map((row) => row.key))].sort(),
    method,
    isBare: level === 'claimed',
    credit: site.credibility * (level === 'claimed' ? thresholds.bareClaimShare : 1),
  };
}

/** A feature that no page states: absent where the site was read, unknown where it was not. */
export function unstated(site: SiteRecord, id: string, raw: number | string | null, method: string): FeatureReading {
  if (!site.isRead) return unread(site.context, id);
  const words = site.lost === 0 ? method : `${method}; ${site.lost} pages could not be read`;
  const { confidence } = site.context.methodology.preTge.evidence.searched;
  return absent(id, raw, confidence * site.readShare, words);
}

/** A feature that could not be read: the site was not requested, withheld its pages, or is filled in by scripts. */
export function unread(context: Context, id: string): FeatureReading {
  const words = !isSiteRequested(context)
    ? 'the website was not asked'
    : (context.input.lostPages ?? []).length > 0
      ? 'the website could not be read'
      : 'the website shows too little text that can be read here';
  return {
    ...unknown(context, id, []),
    method: words,
  };
}

/** True for a team page without text: scripts fill it in, so it may name people that were not read. */
export function isTeamPageBlank({ methodology }: Context, site: SiteRecord): boolean {
  return site
    .of('page')
    .some(
      ({ fact }) =>
        /\/[^/]*(?:team|about|people|founders)[^/]*\/?$/i.test(fact.url) &&
        Number(fact.value ?? 0) < methodology.preTge.thresholds.pageWords,
    );
}

/** Keeps one statement per name, preferring one with a link. */
export function byName(statements: readonly Statement[]): readonly Statement[] {
  const found = new Map<string, Statement>();
  for (const row of statements) {
    const name = (row.fact.name ?? '').toLowerCase();
    const known = found.get(name);
    if (known === undefined || (known.fact.link === null && row.fact.link !== null)) found.set(name, row);
  }
  return [...found.values()];
}
