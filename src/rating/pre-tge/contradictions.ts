import { type Context, textOf } from '../context.ts';
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
  const found = allocationOf(context, site);
  // A total of about 200 % comes from a page that shows its shares twice, as a list and as a picture.
  if (found === null || found.total <= allocationAbove || found.total > allocationTwice) return [];
  return [{ words: `the allocation adds up to ${Math.round(found.total * 100)} %`, support: found.statements }];
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
  readonly groups: number;
  /** Team, investors and advisers together, as a share of the allocation. */
  readonly insiders: number;
  readonly statements: readonly Statement[];
}

/** The allocation from the page with the most statements about it; null when no page names enough groups. */
export function allocationOf(context: Context, site: SiteRecord): Allocation | null {
  const { allocationGroups } = context.methodology.preTge.thresholds;
  const pages = Object.groupBy(site.of('allocation'), (row) => row.key);
  const [best] = Object.entries(pages)
    .map(([, rows = []]) => rows)
    .filter((rows) => new Set(rows.map(({ fact }) => fact.name)).size >= allocationGroups)
    .sort((a, b) => b.length - a.length);
  if (best === undefined) return null;
  const share = (rows: readonly Statement[]) => rows.reduce((sum, { fact }) => sum + Number(fact.value ?? 0), 0);
  return {
    total: share(best),
    groups: new Set(best.map(({ fact }) => fact.name)).size,
    insiders: share(best.filter(({ fact }) => INSIDERS.has(fact.name ?? ''))) / Math.max(1, share(best)),
    statements: best,
  };
}
