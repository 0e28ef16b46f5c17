import {
  type ConsensusSet,
  consensusKey,
  type Factor,
  type QuantityId,
  type ScoreReport,
  withSourceTitles,
} from '../domain/index.ts';
import { bandOf, type Methodology } from '../methodology/index.ts';
import {
  countsBeside,
  depthOf,
  kindOf,
  largestOwners,
  poolsDepth,
  poolsIn,
  readPools,
  treatmentOf,
} from '../metrics/index.ts';
import type { DepthPart, Figure, FlagRow, Holders, Shown } from './document.ts';
import { abbreviated, cut, day, rawText, sentence, short } from './format.ts';

type Fact = { readonly label: string; readonly value: string | null; readonly quantity: string };

const numberAt = (set: ConsensusSet, quantity: QuantityId): number | null => {
  const value = set[consensusKey(quantity, 'asset')]?.value;
  return typeof value === 'number' ? value : null;
};

/** Key figures; for a missing one, the reason. */
export function factsOf({ consensus, rating, published, evidence }: ScoreReport): readonly Figure[] {
  const number = (quantity: QuantityId) => numberAt(consensus, quantity);
  const withheld = new Set(evidence.notRedistributable);
  const usd = (label: string, quantity: QuantityId): Fact => {
    const value = number(quantity);
    return { label, quantity, value: value === null ? null : `${short(value)} USD` };
  };
  const feature = (label: string, ...ids: readonly string[]): Fact => {
    const found = rating.factors.flatMap(({ features }) => features).find(({ id }) => ids.includes(id));
    return { label, quantity: ids[0] ?? '', value: found === undefined ? null : rawText(found) };
  };
  const date = (label: string, quantity: QuantityId): Fact => {
    const value = consensus[consensusKey(quantity, 'asset')]?.value;
    return { label, quantity, value: typeof value === 'string' ? day(value) : null };
  };
  const [circulating, most] = [number('circulating_supply'), number('max_supply')];
  const token: readonly Fact[] = [
    usd('Price', 'price_usd'),
    usd('Market capitalisation', 'market_cap_usd'),
    {
      label: 'Circulating of maximum',
      quantity: 'circulating_supply',
      value:
        circulating === null ? null : `${short(circulating)} of ${most === null ? 'no stated maximum' : short(most)}`,
    },
    usd('Volume, 24 h', 'volume_24h_usd'),
    feature('Depth at 2 %, as rated', 'mq_depth2'),
    usd('Liquidity in pools', 'liquidity_dex_usd'),
    usd('Value locked', 'tvl_usd'),
    usd('Fees, 30 days', 'fees_30d_usd'),
    { label: 'Holders', quantity: 'holder_count', value: asCount(number('holder_count')) },
    feature('Ten largest, adjusted', 'hd_top10'),
    feature('Unlocks, 12 months', 'sd_unlock'),
    date('First trade', 'first_trade_at'),
  ];
  const project: readonly Fact[] = [
    feature('Money raised', 'bk_raise'),
    feature('Lead investors', 'bk_leads'),
    feature('Team named', 'td_named'),
    feature('Product', 'pc_product'),
    feature('Developers, 90 days', 'pc_devs'),
    feature('Last commit', 'pc_recency'),
    feature('Audits', 'ls_audit'),
    feature('Legal entity', 'ls_entity'),
    feature('Token plan disclosed', 'tk_checklist'),
    feature('Insider allocation', 'tk_insiders'),
    date('Domain since', 'domain_registered_at'),
    feature('Testnet users', 'ct_users'),
  ];
  return (published.stage === 'pre_tge' ? project : token).map(({ label, value, quantity }) => {
    const row = consensus[quantity];
    // A value whose only observation may not be redistributed raw is not shown as an agreed value either.
    const isWithheld =
      row !== undefined &&
      row.families < 2 &&
      row.voices.length > 0 &&
      row.voices.every(({ source }) => withheld.has(source));
    return isWithheld && value !== null
      ? { label, value: 'withheld', note: 'by the terms of its only source' }
      : { label, value: value ?? 'not known', note: value === null ? whyNone(row, quantity, rating.factors) : '' };
  });
}

const asCount = (value: number | null) => (value === null ? null : short(value));

function whyNone(row: ConsensusSet[string] | undefined, id: string, factors: readonly Factor[]): string {
  const found = factors.flatMap(({ features }) => features).find((feature) => feature.id === id);
  if (found?.status === 'not_applicable') return 'does not apply';
  if (found?.silent) return 'the project shows none';
  if (found?.method.includes('failed')) return 'a source failed';
  if (row?.status === 'disputed') return 'sources disagree';
  return found === undefined && /^[a-z]{2}_/.test(id) ? 'not read for this class' : 'no source states it';
}

const MOST_FLAGS = 6;

/**
 * The lowest ceiling that a published rating still has although its condition has ended; null without one, and for a
 * result that is not published.
 */
export function fadingCap(
  { report, isPublished }: Shown,
  { caps }: Methodology,
  flag: string | null = null,
): { readonly code: string; readonly cap: number } | null {
  if (!isPublished) return null;
  const fading = report.state.fadingCaps.filter(
    ({ code }) => flag === null || caps.find((row) => row.code === code)?.flag === flag,
  );
  return fading.toSorted((a, b) => a.cap - b.cap)[0] ?? null;
}

/** Raised flags, severe ones first, with their effect on the score. */
export function flagRows(shown: Shown, methodology: Methodology, sourceTitles: ReadonlyMap<string, string>) {
  const { published, rating, evidence } = shown.report;
  const flags = shown.isPublished ? published.flags : rating.flags;
  const rows = flags.map(({ code, severity, title, detail, since }): FlagRow => {
    const cap = rating.caps.filter(({ flag }) => flag === code).toSorted((a, b) => a.cap - b.cap)[0];
    const fading = cap === undefined ? fadingCap(shown, methodology, code) : null;
    return {
      severity,
      title,
      evidence: cut(sentence(withSourceTitles(detail, sourceTitles).replaceAll('_', ' ')), 105),
      since: since === null || since === evidence.asOf ? 'this rating' : day(since),
      effect:
        cap !== undefined
          ? `score at most ${cap.cap} (${cap.band})${cap.binding ? ', decides' : ''}`
          : fading !== null
            ? `score at most ${fading.cap} (${bandOf(fading.cap, methodology)}) until it fades${fading.cap === shown.score ? ', decides' : ''}`
            : 'no ceiling',
    };
  });
  const severe = flags.filter(({ severity }) => severity === 'critical' || severity === 'high').length;
  const conditions = methodology.flags.length;
  const more = rows.length - MOST_FLAGS;
  return {
    title: `Flags: ${severe === 0 ? 'none severe' : `${severe} severe`}, ${flags.length - severe} other`,
    rows: rows.slice(0, MOST_FLAGS),
    note: `${more > 0 ? `${more} more in the appendix. ` : ''}${conditions} conditions were tested; one whose evidence is missing is not raised.`,
  };
}

const MOST_HOLDERS = 5;

/** Largest owners in the raw and in the adjusted view. */
export function holdersPart({ consensus, rating, published }: ScoreReport, { holders: rules }: Methodology): Holders {
  const owners = largestOwners(consensus, rules);
  const top10 = rating.factors.flatMap(({ features }) => features).find(({ id }) => id === 'hd_top10');
  const adjusted = typeof top10?.raw === 'number' ? top10.raw : null;
  if (owners.length === 0) {
    const note =
      published.stage === 'pre_tge'
        ? 'There is no token yet, so there are no holders.'
        : published.asset.address === null || published.asset.address === 'native'
          ? 'A coin without a contract has no list of holders that a source could state.'
          : 'No source gave a list of the largest holders. Concentration counts as unknown; rate again, or add the key of an explorer.';
    return { rows: [], raw: null, adjusted, note };
  }
  const largest = owners.slice(0, MOST_HOLDERS);
  const rest = owners.slice(MOST_HOLDERS, 20);
  const rows = largest.map(({ owner, kind, raw, adjusted: share }) => {
    const treatment = treatmentOf(kindOf(kind), rules);
    return {
      name: kind === null ? abbreviated(owner, 4) : `${kindLabel(kind)} ${abbreviated(owner, 4)}`,
      raw,
      adjusted: treatment === 'holder' ? share : null,
      left: treatment === 'holder' ? '' : 'left out',
    };
  });
  const restAdjusted = rest.filter(({ adjusted: share }) => share !== null);
  return {
    rows: [
      ...rows,
      ...(rest.length === 0
        ? []
        : [
            {
              name: `next ${rest.length}`,
              raw: rest.reduce((sum, { raw }) => sum + raw, 0),
              adjusted:
                restAdjusted.length === 0 ? null : restAdjusted.reduce((sum, row) => sum + (row.adjusted ?? 0), 0),
              left: restAdjusted.length === 0 ? 'left out' : '',
            },
          ]),
    ],
    raw: owners.slice(0, 10).reduce((sum, { raw }) => sum + raw, 0),
    adjusted,
    note: 'Adjusted: without pools, exchanges, bridges, burned and locked tokens. Medians over the lists decide.',
  };
}

function kindLabel(kind: string): string {
  const words = kind
    .replace(/_(proven|tag)$/, '')
    .replace(/^amm$/, 'pool')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Amounts that move the price, over the pools of the evidence, with order books at 2 %. */
export function depthPart({ consensus, evidence, published }: ScoreReport, methodology: Methodology): DepthPart {
  const rules = methodology.metrics.depth;
  const { asset } = evidence.identification;
  const read = readPools(consensus, asset);
  const told = poolsIn(consensus)
    .filter(({ scope, liquidity }) => !read.has(scope) && countsBeside(read.size, liquidity.consensus.families))
    .map((pool) => pool.reported);
  const whole = depthOf(consensus, rules, read);
  const points = poolsDepth(
    [...read.values()].map(({ pool }) => pool),
    told,
  ).map(({ move_pct: movePct, down_usd: sellUsd, up_usd: buyUsd }) => ({ movePct, sellUsd, buyUsd }));
  const usd = (value: number) => `${short(value)} USD`;
  if (whole === null)
    return {
      points: [],
      rows: [],
      note:
        published.stage === 'pre_tge'
          ? 'There is no token yet, so there is no market depth.'
          : 'No pool and no order book was found whose depth could be computed. It counts as unknown; rate again, or add the key of a market data source.',
    };
  const known = points.filter(({ sellUsd, buyUsd }) => sellUsd !== null && buyUsd !== null);
  return {
    points: known,
    rows: [
      ['Sale that moves the price by 2 %', usd(whole.downUsd)],
      ['Purchase that moves it by 2 %', usd(whole.upUsd)],
    ],
    note: cut(`${sentence(whole.method)}${known.length > 0 ? ' The curve shows pools alone.' : ''}`, 160),
  };
}
