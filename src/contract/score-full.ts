import Type from 'typebox';
import {
  type Consensus,
  type ConsensusObservation,
  describesReply,
  type Factor,
  type ScoreReport,
} from '../domain/index.ts';
import { factorFields, factorReasons, featureFields, featureView } from './factor.ts';
import { points, standardFields } from './score.ts';
import { type ReplyContext, standardFormat } from './score-view.ts';
import { round } from './view.ts';
import {
  count,
  fraction,
  Gap,
  list,
  methodologyHash,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  time,
} from './vocabulary.ts';

const Feature = Type.Object(
  {
    ...featureFields,
    observations: list('Keys of the `quantities` it rests on: `quantity`, or `quantity@scope`.'),
  },
  { title: 'ScoreFeature', description: 'One feature of a factor.' },
);
const Voice = Type.Object(
  {
    source: Type.String({ description: 'Source that stated it.' }),
    endpoint: Type.String({ description: 'Endpoint of the source that stated it.' }),
    family: Type.String({
      description: 'Lineage group, the origin of the number: of the sources of a group one observation counts.',
    }),
    tier: oneOf('How near the source is to the origin of the value; `chain` is nearest.', [
      'chain',
      'venue',
      'aggregator',
      'registry',
      'self_reported',
    ]),
    value: Type.Unknown({ description: 'Value that it stated, in the unit of the quantity; null when `withheld`.' }),
    withheld: Type.Boolean({ description: 'The source’s terms forbid passing its values on; it counts all the same.' }),
    meaning: Type.String({ description: 'What the number means at this source, in short.' }),
    observed_at: time('When it was true, by the source.'),
    weight: Type.Number({ description: 'Its vote: reliability x freshness x how surely it is this asset.' }),
    z: nullableNumber('Distance from the consensus in robust standard deviations; null for states and facts.'),
    unit_power: nullableNumber('Power of ten that it is off by, when that is why it does not count.'),
    accepted: Type.Boolean({ description: 'It counted.' }),
    reason: nullableText('Why it did not count, such as `outlier`, `unit_mismatch` or `too_old`; null when it did.'),
    evidence: Type.String({ description: 'Id of the archived reply, in `evidence`.' }),
  },
  {
    title: 'Voice',
    description: 'An observation: what one source states of a quantity, and whether consensus accepted it.',
  },
);
const Quantity = Type.Object(
  {
    quantity: Type.String({ description: 'What was measured.', examples: ['price_usd'] }),
    scope: Type.String({ description: 'What it is about: `asset`, or a pool, venue, holder or registry by name.' }),
    unit: Type.String({ description: 'Unit of the value.' }),
    value: Type.Unknown({
      description:
        'The value on which the sources agree; null when none states it, or when it would reveal what may not be redistributed.',
    }),
    low: nullableNumber('Low end of the interval, in the unit; null for states and facts.'),
    high: nullableNumber('High end of the interval, in the unit; null for states and facts.'),
    confidence: fraction('A weight, not the chance of being right (methodology, From sources to one value).'),
    confidence_parts: Type.Unknown({
      description: '`independence`, `agreement`, `freshness` and `identity`, each 0-1: what the confidence is made of.',
    }),
    status: oneOf('How it came about; `disputed`: the sources contradict each other.', [
      'agreed',
      'single_source',
      'disputed',
      'missing',
      'not_applicable',
    ]),
    independent_families: count('Different origins of the observations.'),
    effective_families: Type.Number({
      description: 'The same, less the correlation of lineage groups that draw on each other.',
    }),
    dispersion: Type.Number({
      description:
        'Spread of the accepted observations: 1.4826 x weighted MAD, of logarithms where the quantity is compared by ratio.',
    }),
    observed_at: nullableTime('When it was observed; null when no source states it.'),
    failed_identities: list('Checks against other quantities that it failed, by code.'),
    voices: Type.Array(Voice, { description: 'All observations of the quantity, accepted and rejected.' }),
    outvoted: Type.Array(Voice, {
      description: 'Those of them that were rejected because they contradict the others.',
    }),
  },
  { title: 'Quantity', description: 'One value from many observations.' },
);
const vfrFit = Type.Object(
  {
    sd: nullableNumber('Standard deviation of ln fair value; null without one.'),
    r2: nullableNumber('Share of the peers’ variance the regression explains on peers left out; null without one.'),
  },
  { description: 'How well the fair value fits.' },
);
const VfrDriver = Type.Object(
  {
    estimator: Type.String({ description: '`multiple` or `regression`.' }),
    quantity: nullableText('What a multiple divides by; null for the regression, which uses several.'),
    value: nullableNumber('The driver as it was used; null where it may not be passed on.'),
    days: count('Days of our own readings that the value is the median of.'),
    peers: count('Peers that have the driver.'),
    fair_value_usd: Type.Number({ description: 'Fair value by this estimate alone, US dollars.' }),
    sd: Type.Number({ description: 'Standard deviation of its logarithm.' }),
    weight: fraction('Its part of the fair value; all add up to 1.'),
  },
  { title: 'VfrDriver', description: 'One estimate of the fair value.' },
);
const ArchivedReply = Type.Object(
  {
    id: Type.String({ description: 'Unique within the job; observations name it as `evidence`.' }),
    source: Type.String({ description: 'Source of the reply.' }),
    endpoint: Type.String({ description: 'Endpoint of the source.' }),
    outcome: Type.String({ description: 'Outcome of the request, such as `ok`, `not_found` or `timeout`.' }),
    url: Type.String({ description: 'The requested address, without keys.' }),
    status: nullableNumber('HTTP status; null when there was no reply.'),
    fetched_at: time('When the reply came.'),
    milliseconds: Type.Number({ description: 'Time it took.' }),
    sha256: nullableText('SHA-256 of the reply’s decoded body, hex; null without one.'),
    bytes: nullableNumber('Length of the decoded body; null without one.'),
    detail: nullableText('What went wrong; null when nothing did.'),
  },
  { title: 'ArchivedReply', description: 'The receipt of one reply.' },
);

export const FullScore = Type.Object(
  {
    ...standardFields,
    summary: Type.String({ description: 'The rating in a few sentences.' }),
    limitations: list('What this rating cannot show.'),
    prior: Type.Number({ description: 'Score of an asset of which nothing is known: where the points start.' }),
    factors: Type.Array(
      Type.Object(
        {
          ...factorFields,
          points,
          ...factorReasons,
          features: Type.Array(Feature, { description: 'Features of the factor.' }),
        },
        { title: 'FullFactor', description: 'One subject of the rating, with all its features.' },
      ),
      { description: 'What the score is made of.' },
    ),
    gaps: Type.Array(Gap, { description: 'What is not known, and why.' }),
    conflicts: Type.Array(Type.Unknown(), {
      description:
        'Quantities that are disputed or have outvoted observations: `quantity`, `scope`, `status`, `outvoted`.',
    }),
    quantities: Type.Array(Quantity, { description: 'Every value with all its observations.' }),
    vfr_fit: vfrFit,
    vfr_drivers: Type.Array(VfrDriver, { description: 'The estimates that the fair value is the mean of.' }),
    candidates_rejected: Type.Array(Type.Unknown(), {
      description: 'Other tokens that were looked at: `asset`, and the `reason` why it is not the project’s.',
    }),
    evidence: Type.Array(ArchivedReply, { description: 'The receipt of every reply.' }),
    replay: Type.Object(
      {
        command: Type.String({ description: 'Recomputes this rating from its evidence, to the same bytes.' }),
        methodology_hash: methodologyHash,
      },
      { description: 'How to check it.' },
    ),
  },
  { title: 'FullScore', description: 'The reply to `output_format: full`: the rating with everything behind it.' },
);

/** The `full` reply: every feature, every quantity with every source's observation, and every archived reply. */
export function fullFormat(report: ScoreReport, view: ReplyContext): Reply<typeof FullScore> {
  const { evidence, consensus, rating } = report;
  const withheld = new Set(evidence.notRedistributable);
  const quantities = Object.values(consensus).map((row) => quantityView(row, withheld));
  const isWithheld = (quantity: string | null) =>
    quantities.some((row) => row.quantity === quantity && row.scope === 'asset' && row.value === null);
  return {
    ...standardFormat(report, view),
    summary: rating.summary,
    limitations: rating.limitations,
    prior: rating.prior,
    factors: rating.factors.map(factorView),
    gaps: rating.trust.gaps,
    conflicts: quantities
      .filter(
        ({ quantity, status, outvoted }) => !describesReply(quantity) && (status === 'disputed' || outvoted.length > 0),
      )
      .map((row) => ({ quantity: row.quantity, scope: row.scope, status: row.status, outvoted: row.outvoted })),
    quantities,
    vfr_fit: { sd: rating.vfr.sd, r2: rating.vfr.r2 },
    vfr_drivers: rating.vfr.drivers.map((driver) => ({
      estimator: driver.estimator,
      quantity: driver.quantity,
      value: isWithheld(driver.quantity) ? null : driver.value,
      days: driver.days,
      peers: driver.peers,
      fair_value_usd: driver.fairValueUsd,
      sd: driver.sd,
      weight: driver.weight,
    })),
    candidates_rejected: evidence.identification.rejected,
    evidence: evidence.responses.map((response) => ({
      id: response.id,
      source: response.source,
      endpoint: response.endpoint,
      outcome: response.outcome,
      url: response.url,
      status: response.status,
      fetched_at: response.fetchedAt,
      milliseconds: response.milliseconds,
      sha256: response.sha256,
      bytes: response.bytes,
      detail: response.detail,
    })),
    replay: { command: `assay replay ${view.jobId}`, methodology_hash: evidence.methodologyHash },
  };
}

function factorView(factor: Factor): Reply<typeof FullScore>['factors'][number] {
  return {
    code: factor.code,
    name: factor.name,
    score: round(factor.score, 1),
    raw_score: factor.rawScore === null ? null : round(factor.rawScore, 1),
    weight: factor.weight,
    confidence: round(factor.confidence, 2),
    shrink: round(factor.shrink, 3),
    prior: round(factor.prior, 1),
    points: factor.points,
    rationale: factor.rationale,
    features: factor.features.map((feature) => ({ ...featureView(feature), observations: feature.basis })),
  };
}

function quantityView(row: Consensus, withheld: ReadonlySet<string>): Reply<typeof Quantity> {
  const voices = row.voices.map((voice) => observationView(voice, withheld));
  // A value whose only observation must not be redistributed is not shown as a consensus either.
  const onlyWithheld = row.voices.length > 0 && row.voices.every((voice) => withheld.has(voice.source));
  const open = !onlyWithheld || row.families > 1;
  return {
    quantity: row.quantity,
    scope: row.scope,
    unit: row.unit,
    value: open ? row.value : null,
    low: open ? row.low : null,
    high: open ? row.high : null,
    confidence: round(row.confidence, 3),
    confidence_parts: row.parts,
    status: row.status,
    independent_families: row.families,
    effective_families: round(row.effectiveFamilies, 2),
    dispersion: row.dispersion,
    observed_at: row.observedAt,
    failed_identities: row.failedIdentities,
    voices,
    outvoted: voices.filter(
      (voice) =>
        voice.reason === 'outlier' || voice.reason === 'unit_mismatch' || voice.reason === 'wrong_token_suspected',
    ),
  };
}

function observationView(voice: ConsensusObservation, withheld: ReadonlySet<string>): Reply<typeof Voice> {
  const closed = withheld.has(voice.source);
  return {
    source: voice.source,
    endpoint: voice.endpoint,
    family: voice.family,
    tier: voice.tier,
    value: closed ? null : voice.value,
    withheld: closed,
    meaning: voice.meaning,
    observed_at: voice.observedAt,
    weight: round(voice.weight, 4),
    z: voice.z === null ? null : round(voice.z, 2),
    unit_power: voice.unitPower,
    accepted: voice.accepted,
    reason: voice.reason,
    evidence: voice.responseId,
  };
}
