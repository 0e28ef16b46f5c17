import type { Context } from '../context.ts';
import type { SiteRecord, Statement } from './site-record.ts';

const INSIDERS: ReadonlySet<string> = new Set(['team', 'investors', 'advisors']);

export interface Allocation {
  /** Share of all groups, 0-1; above 1 when the page does not add up. */
  readonly total: number;
  readonly groups: number;
  /** Team, investors and advisers together, of what is allotted. */
  readonly insiders: number;
  readonly statements: readonly Statement[];
}

/** The allocation as the page states it that says most of it; null when no page names enough groups. */
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
