import { type Dossier, ratedAsset, type ScoreRecord } from '../contract/index.ts';
import {
  type Consensus,
  type ConsensusSet,
  consensusKey,
  type Feature,
  type Json,
  QUANTITIES,
  type QuantityId,
  type ScoreReport,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { type Criteria, dossierCriteria, type Framework } from './criteria.ts';

type Requirement = Dossier['frameworks'][number]['requirements'][number];
type Evidence = Requirement['evidence'][number];

const NOTICE =
  'Each requirement stands beside what the published rating knows of it, with date and sources, or an explicit gap. It is made of public evidence alone, states no compliance, and decides nothing.';

/**
 * The dossier of one published rating: the requirements of each framework with the evidence from the rating's record.
 * Pure: the same record gives the same dossier.
 */
export function dossierOf(
  record: ScoreRecord,
  report: ScoreReport,
  methodology: Pick<Methodology, 'flags' | 'features'>,
  criteria: Criteria = dossierCriteria(),
): Dossier {
  const isStablecoin = record.asset.category === 'stablecoin';
  return {
    asset: ratedAsset(record),
    band: record.band,
    score: record.score,
    trust_score: record.trust_score,
    methodology_version: record.methodology_version,
    job_id: record.job_id,
    as_of: record.as_of,
    notice: NOTICE,
    frameworks: criteria.frameworks
      .filter((framework) => framework.applies_to === 'all' || isStablecoin)
      .map((framework) => frameworkOf(framework, report, methodology)),
    data_mode: record.data_mode,
  };
}

function frameworkOf(framework: Framework, report: ScoreReport, methodology: Pick<Methodology, 'flags' | 'features'>) {
  const requirements = framework.requirements.map((row) => {
    const evidence = row.evidence.map((item) =>
      item.kind === 'quantity'
        ? quantityEvidence(item.name as QuantityId, report)
        : item.kind === 'feature'
          ? featureEvidence(item.name, report, methodology)
          : flagEvidence(item.name, report, methodology),
    );
    return {
      id: row.id,
      reference: row.reference,
      requirement: row.requirement,
      ...stateOf(evidence, row.left_to_reader !== null),
      left_to_reader: row.left_to_reader,
      evidence,
      checked_against: row.checked_against,
    };
  });
  const counted = (state: Requirement['state']) => requirements.filter((row) => row.state === state).length;
  const { id, title, kind, notice } = framework;
  return {
    id,
    title,
    kind,
    notice,
    counts: {
      evidence: counted('evidence'),
      partial: counted('partial'),
      gap: counted('gap'),
      reader: counted('reader'),
    },
    requirements,
  };
}

const HELD: ReadonlySet<Evidence['status']> = new Set(['stated', 'raised', 'withheld']);
const MISSING: ReadonlySet<Evidence['status']> = new Set(['not_known', 'none_shown']);

/** A flag that is not raised is not evidence, because its condition may not have been testable. */
function stateOf(evidence: readonly Evidence[], isLeft: boolean): Pick<Requirement, 'state' | 'gap'> {
  const missing = evidence.filter(({ status }) => MISSING.has(status));
  const gap = missing.length === 0 ? null : `Not known: ${missing.map(({ title }) => title).join('; ')}.`;
  if (evidence.length === 0) return { state: 'reader', gap: null };
  if (!evidence.some(({ status }) => HELD.has(status)))
    return { state: 'gap', gap: gap ?? 'No value is known, and a condition that is not raised proves nothing.' };
  // A requirement with a part that public evidence cannot answer is at most partly met.
  return { state: gap === null && !isLeft ? 'evidence' : 'partial', gap };
}

function quantityEvidence(name: QuantityId, { consensus, evidence }: ScoreReport): Evidence {
  const title = QUANTITIES[name].meaning;
  const row = consensus[consensusKey(name)];
  const known = row !== undefined && row.value !== null && row.status !== 'missing';
  if (!known) {
    const applies = row?.status !== 'not_applicable';
    const detail = applies ? 'no source states it' : 'it does not apply to this asset';
    return blank('quantity', name, title, applies ? 'not_known' : 'not_applicable', detail);
  }
  const dated = { as_of: row.observedAt, sources: sourcesOf([row]) };
  if (isWithheld(row, evidence.notRedistributable))
    return { ...blank('quantity', name, title, 'withheld', 'by the terms of its only source'), ...dated };
  const detail = row.status === 'disputed' ? 'sources disagree' : null;
  return { ...blank('quantity', name, title, 'stated', detail), value: valueText(row.value, row.unit), ...dated };
}

/** A value whose only observation must not be redistributed is not shown as an agreed value either. */
function isWithheld({ families, voices }: Consensus, withheld: readonly string[]): boolean {
  return families < 2 && voices.length > 0 && voices.every(({ source }) => withheld.includes(source));
}

function featureEvidence(
  id: string,
  { rating, consensus, evidence }: ScoreReport,
  { features }: Pick<Methodology, 'features'>,
): Evidence {
  const found: Feature | undefined = rating.factors.flatMap((one) => one.features).find((one) => one.id === id);
  if (found === undefined)
    return blank(
      'feature',
      id,
      features.find((one) => one.id === id)?.name ?? id,
      'not_applicable',
      'not read for this class of assets',
    );
  const basis = found.basis.flatMap((key) => consensus[key] ?? []);
  const dated = { as_of: oldest(basis), sources: sourcesOf(basis) };
  const about = (status: Evidence['status'], detail: string | null) => ({
    ...blank('feature', id, found.name, status, detail),
    ...dated,
  });
  if (found.status === 'not_applicable') return about('not_applicable', found.method || null);
  if (found.raw === null)
    return about(found.silent ? 'none_shown' : 'not_known', found.method || found.rationale || null);
  if (basis.length > 0 && basis.every((row) => isWithheld(row, evidence.notRedistributable)))
    return about('withheld', 'by the terms of its only source');
  return { ...about('stated', found.method || null), value: valueText(found.raw, found.unit) };
}

function flagEvidence(
  code: string,
  { published, rating, consensus }: ScoreReport,
  { flags }: Pick<Methodology, 'flags'>,
): Evidence {
  const rule = flags.find((one) => one.code === code);
  const title = rule?.title ?? code;
  const raised = published.flags.find((one) => one.code === code);
  if (raised === undefined) return blank('flag', code, title, 'not_raised', 'not met, or what it needs is not known');
  const basis = rating.flags.find((one) => one.code === code)?.evidence.flatMap((key) => consensus[key] ?? []) ?? [];
  return {
    ...blank('flag', code, title, 'raised', raised.detail),
    value: raised.severity,
    as_of: raised.since,
    sources: sourcesOf(basis),
  };
}

function blank(
  kind: Evidence['kind'],
  name: string,
  title: string,
  status: Evidence['status'],
  detail: string | null,
): Evidence {
  return { kind, name, title, status, value: null, detail, as_of: null, sources: [] };
}

function sourcesOf(rows: readonly ConsensusSet[string][]): string[] {
  const accepted = rows.flatMap(({ voices }) => voices.filter((one) => one.accepted).map(({ source }) => source));
  return [...new Set(accepted)].sort();
}

function oldest(rows: readonly Consensus[]): string | null {
  return rows.flatMap(({ observedAt }) => observedAt ?? []).toSorted()[0] ?? null;
}

const NUMBER = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
const MOST_LETTERS = 200;

/** A value with its unit, for readers. Outside text is shortened here, and escaped where it becomes markup. */
function valueText(value: Json, unit: string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return [...value.replaceAll('_', ' ')].slice(0, MOST_LETTERS).join('');
  if (typeof value === 'number') {
    if (unit.startsWith('fraction'))
      return `${NUMBER.format(value * 100)} %${unit.slice('fraction'.length).replaceAll('_', ' ')}`;
    return unit === 'usd' ? `${NUMBER.format(value)} USD` : `${NUMBER.format(value)} ${unit.replaceAll('_', ' ')}`;
  }
  if (Array.isArray(value)) {
    const texts = value.filter((one) => typeof one === 'string');
    const all = texts.length === value.length;
    return all && value.length > 0
      ? [...texts.join(', ')].slice(0, MOST_LETTERS).join('')
      : `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  }
  return 'stated';
}
