import { type Context, isHardened, textOf } from '../context.ts';
import { roundsOf } from './backing.ts';
import { byName, type SiteRecord, type Statement } from './site-record.ts';

export interface Contradiction {
  readonly words: string;
  readonly support: readonly Statement[];
}

/** Statements that contradict each other or contradict other sources. */
export function contradictionsIn(context: Context, site: SiteRecord): readonly Contradiction[] {
  return [
    ...raises(context, site),
    ...age(context, site),
    ...sharedProfiles(site),
    ...allocation(context, site),
    ...supplies(context, site),
    ...machineText(site),
  ];
}

function raises(context: Context, site: SiteRecord): readonly Contradiction[] {
  const rounds = roundsOf(context, site);
  const [odd] = rounds.claimed.filter((row) => !row.isListed);
  // If the list does not have the project, nothing is contradicted.
  if (rounds.listed.length === 0 || odd === undefined) return [];
  return [
    {
      words: `the site states a round of ${Math.round(odd.amountUsd).toLocaleString('en-US')} USD that the list does not have`,
      support: [odd.statement],
    },
  ];
}

function age(context: Context, site: SiteRecord): readonly Contradiction[] {
  const registered = textOf(context, 'domain_registered_at');
  const [oldest] = [...site.of('founded')].sort((a, b) => Number(a.fact.value) - Number(b.fact.value));
  if (registered === null || oldest === undefined) return [];
  const year = new Date(registered.value).getUTCFullYear();
  const { foundedYearsBeforeDomain } = context.methodology.preTge.thresholds;
  if (year - Number(oldest.fact.value) <= foundedYearsBeforeDomain) return [];
  return [{ words: `the site dates itself to ${oldest.fact.value}, its domain to ${year}`, support: [oldest] }];
}

function sharedProfiles(site: SiteRecord): readonly Contradiction[] {
  const people = byName(site.of('person')).filter(({ fact }) => fact.link !== null);
  const groups = Object.values(Object.groupBy(people, ({ fact }) => fact.link?.toLowerCase() ?? ''));
  const shared = groups.find((rows) => (rows?.length ?? 0) > 1);
  if (shared === undefined) return [];
  return [{ words: `one profile stands for ${shared.map(({ fact }) => fact.name).join(' and ')}`, support: shared }];
}

function allocation(context: Context, site: SiteRecord): readonly Contradiction[] {
  const { allocationAbove, allocationTwice } = context.methodology.preTge.thresholds;
  // A total of about 200 % comes from a page that shows its shares twice, as a list and as a picture.
  const twice = isHardened(context) ? allocationAbove + allocationAbove : Number.POSITIVE_INFINITY;
  const isOdd = ({ distinct }: Allocation) =>
    distinct > allocationAbove && (distinct <= allocationTwice || distinct > twice);
  const found = allocationsOf(context, site).find(isOdd);
  if (found === undefined) return [];
  return [{ words: `the allocation adds up to ${Math.round(found.distinct * 100)} %`, support: found.statements }];
}

function supplies({ methodology }: Context, site: SiteRecord): readonly Contradiction[] {
  const rows = [...site.of('supply')].sort((a, b) => Number(a.fact.value) - Number(b.fact.value));
  const total = rows.filter(({ fact }) => /total|max|fixed/i.test(fact.sentence));
  const [least, most] = [total[0], total.at(-1)];
  if (least === undefined || most === undefined) return [];
  if (Number(most.fact.value) <= Number(least.fact.value) * methodology.preTge.thresholds.supplyRatio) return [];
  return [
    {
      words: `the supply is ${Number(least.fact.value).toLocaleString('en-US')} in one place and ${Number(most.fact.value).toLocaleString('en-US')} in another`,
      support: [least, most],
    },
  ];
}

function machineText(site: SiteRecord): readonly Contradiction[] {
  const rows = site.of('machine_text');
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      words: `a page addresses automated readers${first.fact.detail === 'hidden' ? ', hidden from people' : ''}`,
      support: rows,
    },
  ];
}

const INSIDERS: ReadonlySet<string> = new Set(['team', 'investors', 'advisors']);

export interface Allocation {
  /** Share of all groups, 0-1; above 1 when the page does not add up. */
  readonly total: number;
  /** The same without shares that the page repeats (since methodology 1.7.0). */
  readonly distinct: number;
  /** Team, investors and advisers together, as a share of the allocation. */
  readonly insiders: number;
  readonly statements: readonly Statement[];
}

/** The allocation that counts; null when no page names enough groups. */
export function allocationOf(context: Context, site: SiteRecord): Allocation | null {
  return allocationsOf(context, site)[0] ?? null;
}

/**
 * Allocations of the pages that name enough groups: that of the page with the most statements or, since methodology
 * 1.7.0, those of all pages, that with the largest share of insiders first.
 */
function allocationsOf(context: Context, site: SiteRecord): readonly Allocation[] {
  const { allocationGroups } = context.methodology.preTge.thresholds;
  const pages = Object.values(Object.groupBy(site.of('allocation'), (row) => row.key))
    .map((rows = []) => rows)
    .filter((rows) => new Set(rows.map(({ fact }) => fact.name)).size >= allocationGroups)
    .sort((a, b) => b.length - a.length);
  if (isHardened(context)) return pages.map(allocationIn).sort((a, b) => b.insiders - a.insiders);
  return pages.slice(0, 1).map((rows) => {
    const total = shareOf(rows);
    return { total, distinct: total, insiders: shareOf(rows.filter(isInsider)) / Math.max(1, total), statements: rows };
  });
}

/** The allocation of one page. Neither repeated shares nor a total above the whole make the share of insiders smaller. */
function allocationIn(rows: readonly Statement[]): Allocation {
  const distinct = [...new Map(rows.map((row) => [`${row.fact.name} ${row.fact.value}`, row])).values()];
  const total = shareOf(rows);
  const insiders = Math.max(shareOf(distinct.filter(isInsider)), shareOf(rows.filter(isInsider)) / Math.max(1, total));
  return { total, distinct: shareOf(distinct), insiders, statements: rows };
}

const shareOf = (rows: readonly Statement[]) => rows.reduce((sum, { fact }) => sum + Number(fact.value ?? 0), 0);
const isInsider = ({ fact }: Statement) => INSIDERS.has(fact.name ?? '');
