import Type from 'typebox';
import { amount, fieldsOf, listIn, text } from './read.ts';
import { get } from './requests.ts';
import { type Endpoint, endpoint, type Params } from './source.ts';

/** Revenue by kind. One list for all protocols and chains replaces single requests. */
const KINDS = { all_revenue: 'dailyRevenue', all_holders_revenue: 'dailyHoldersRevenue' } as const;

interface Row {
  readonly slug: string;
  readonly protocolType: 'protocol' | 'chain';
  readonly defillamaId: string | null;
  readonly category: string | null;
  readonly total30d: number;
}

const keyOf = (slug: unknown, isChain: boolean) =>
  typeof slug === 'string' ? `${isChain ? 'chain' : 'protocol'}:${slug}` : null;

function rowIn(value: unknown): { readonly row: Row; readonly parent: string | null } | null {
  const { slug, protocolType, defillamaId, category, total30d, parentProtocol } = fieldsOf(value);
  const [name, month] = [text(slug, 120), amount(total30d)];
  if (name === null || month === null) return null;
  const isChain = protocolType === 'chain';
  return {
    row: {
      slug: name,
      protocolType: isChain ? 'chain' : 'protocol',
      defillamaId: text(defillamaId, 120),
      category: text(category, 60),
      total30d: month,
    },
    parent: isChain ? null : (text(parentProtocol, 120)?.replace(/^parent#/, '') ?? null),
  };
}

/** Each parent as the sum of its children, then each row. The first row of a slug counts, so a shared slug means the parent, as in `/summary`. */
export function overviewRows(reply: unknown): readonly Row[] {
  const found = listIn(fieldsOf(reply).protocols).flatMap((value) => rowIn(value) ?? []);
  const parents = new Map<string, Row>();
  for (const { row, parent } of found)
    if (parent !== null)
      parents.set(parent, {
        slug: parent,
        protocolType: 'protocol',
        defillamaId: null,
        category: null,
        total30d: (parents.get(parent)?.total30d ?? 0) + row.total30d,
      });
  return [...parents.values(), ...found.map(({ row }) => row)];
}

/** Lists of a month's revenue that replace `/summary/fees/{slug}`; missing entries are requested. */
export const revenueLists: readonly Endpoint[] = Object.entries(KINDS).map(([name, dataType]) =>
  endpoint({
    name,
    doc: `/overview/fees?dataType=${dataType} without charts: 30 days of every protocol and chain, shared by all jobs (api-docs.defillama.com; no recorded reply was found)`,
    maxBytes: 32 * 1024 * 1024,
    request: get('/overview/fees', { dataType, excludeTotalDataChart: true, excludeTotalDataChartBreakdown: true }),
    reply: Type.Object({ protocols: Type.Array(Type.Unknown(), { minItems: 1 }) }),
    list: {
      refreshSeconds: 3_600,
      rowsOf: overviewRows,
      keysOf: (row) => {
        const { slug, protocolType } = row as Row;
        return [keyOf(slug, protocolType === 'chain')].filter((key) => key !== null);
      },
      keyOf: (params: Params) => (params.dataType === dataType ? keyOf(params.slug, params.of === 'chain') : null),
      standsInFor: 'fees',
    },
  }),
);
