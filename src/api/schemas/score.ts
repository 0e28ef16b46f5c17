import Type from 'typebox';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const band = Type.Union(
  ['AAA', 'AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C', 'D', 'NR'].map((name) => Type.Literal(name)),
  { description: 'Rating band; NR when the evidence is too thin, and then score is null.' },
);
const zone = Type.Union(
  ['DEEP_DISCOUNT', 'DISCOUNT', 'FAIR', 'PREMIUM', 'EXTREME_PREMIUM', 'INDETERMINATE'].map((name) =>
    Type.Literal(name),
  ),
);
const interval = nullable(Type.Tuple([Type.Number(), Type.Number()]));
const nullableString = nullable(Type.String());
const nullableNumber = nullable(Type.Number());
const described = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

/** Body of a scoring request (interface document, and `token_address` of the contract). */
export const ScoreBody = Type.Object(
  {
    type: Type.String({
      description: 'posttge or pretge, in any case; echoed as sent.',
      maxLength: 32,
      examples: ['posttge'],
    }),
    project: Type.String({ description: 'Project name.', minLength: 1, maxLength: 200, examples: ['Lumen Swap'] }),
    project_url: Type.String({
      description: 'Project web address, http or https, on a public host.',
      maxLength: 2048,
      examples: ['https://lumenswap.example/'],
    }),
    token_symbol: Type.Optional(Type.String({ description: 'Token ticker.', maxLength: 32 })),
    category: Type.Optional(Type.String({ description: 'Free-text project category.', maxLength: 100 })),
    blockchain: Type.Optional(
      Type.String({ description: 'Chain the project runs on: a name, a symbol or a CAIP-2 id.', maxLength: 64 }),
    ),
    token_address: Type.Optional(
      Type.String({ description: 'Mint or contract, when the caller knows it.', maxLength: 128 }),
    ),
    output_format: Type.Optional(Type.String({ description: 'minimal, standard (default) or full.', maxLength: 32 })),
  },
  { additionalProperties: true },
);

export const MinimalScore = Type.Object(
  {
    job_id: Type.String({ pattern: '^[a-z]+_[0-9]+_[a-z0-9]{8}$' }),
    type: Type.String(),
    project: Type.String(),
    rating: Type.Object({ band, score: nullableNumber }, { additionalProperties: false }),
    trust_score: Type.Object({ score: Type.Number({ minimum: 0, maximum: 100 }) }, { additionalProperties: false }),
    vfr: Type.Object({ value: nullableNumber, zone }, { additionalProperties: false }),
    execution_time_seconds: Type.Number({ minimum: 0 }),
  },
  { additionalProperties: false, title: 'MinimalScore' },
);

const Flag = Type.Object({
  code: Type.String(),
  severity: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  confidence: Type.Number(),
  since: nullableString,
  evidence: Type.Array(Type.String()),
});
const Cap = Type.Object({
  code: Type.String(),
  cap: Type.Number(),
  band,
  flag: nullableString,
  detail: Type.String(),
  binding: Type.Boolean(),
});
const Factor = Type.Object({
  code: Type.String(),
  name: Type.String(),
  score: Type.Number(),
  weight: Type.Number(),
  confidence: Type.Number(),
  points: Type.Number(),
});
const SourceRow = Type.Object({
  name: Type.String(),
  outcome: Type.String(),
  milliseconds: Type.Number(),
  items_used: Type.Integer(),
  asked: Type.Integer(),
  answered: Type.Integer(),
  detail: nullableString,
});
const Attribution = Type.Object({ source: Type.String(), text: Type.String(), url: Type.String() });

const standardFields = {
  job_id: Type.String(),
  type: Type.String(),
  project: Type.String(),
  data_mode: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
  as_of: Type.String({ format: 'date-time' }),
  age_seconds: Type.Number(),
  stage: Type.String(),
  asset: Type.Object({
    id: Type.String(),
    chain: nullableString,
    address: nullableString,
    symbol: nullableString,
    name: Type.String(),
    category: Type.String(),
    category_reason: Type.String(),
    website: nullableString,
    identification: Type.Object({
      match: Type.Number(),
      registrable_domain: nullableString,
      links: Type.Array(Type.Unknown()),
      contradictions: Type.Array(Type.Unknown()),
      notes: Type.Array(Type.String()),
    }),
  }),
  rating: Type.Object({
    band,
    score: nullableNumber,
    interval,
    outlook: nullableString,
    uncapped_score: nullableNumber,
    uncapped_band: nullable(band),
    evidence_cap: Type.Boolean(),
    provisional: Type.Boolean(),
    not_rated_reasons: Type.Array(Type.String()),
  }),
  trust_score: Type.Object({
    score: Type.Number(),
    tier: Type.String(),
    components: Type.Object({
      coverage: Type.Number(),
      agreement: Type.Number(),
      independence: Type.Number(),
      freshness: Type.Number(),
      identity: Type.Number(),
    }),
  }),
  vfr: Type.Object({
    value: nullableNumber,
    zone,
    interval,
    method: Type.String(),
    peers: Type.Integer(),
    reason: nullableString,
    z: described('ln of the value over its standard deviation: the zones are cut by it.'),
    fair_value_usd: described('What the value divides; null where a unit is compared (peg).'),
    circulating: described('The same fair value under price x circulating supply, unlocks to come left out.'),
    fully_diluted: described('The same fair value under price x all that will ever exist.'),
    notes: Type.Array(Type.String(), { description: 'Short histories, estimates: what to know of this value.' }),
  }),
  execution_time_seconds: Type.Number(),
  risk_flags: Type.Array(Flag),
  factors: Type.Array(Factor),
  caps_applied: Type.Array(Cap),
  sources: Type.Array(SourceRow),
  attributions: Type.Array(Attribution),
  methodology_version: Type.String(),
  warnings: Type.Array(Type.String()),
};

export const StandardScore = Type.Object(standardFields, { title: 'StandardScore' });

const Feature = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()]),
  unit: Type.String(),
  score: nullableNumber,
  weight: Type.Number(),
  confidence: Type.Number(),
  method: Type.String(),
  rationale: Type.String(),
  observations: Type.Array(Type.String()),
});
const Voice = Type.Object({
  source: Type.String(),
  endpoint: Type.String(),
  family: Type.String(),
  tier: Type.String(),
  value: Type.Unknown(),
  withheld: Type.Boolean(),
  meaning: Type.String(),
  observed_at: Type.String(),
  weight: Type.Number(),
  z: nullableNumber,
  unit_power: nullableNumber,
  accepted: Type.Boolean(),
  reason: nullableString,
  evidence: Type.String(),
});

export const FullScore = Type.Object(
  {
    ...standardFields,
    summary: Type.String(),
    limitations: Type.Array(Type.String()),
    prior: Type.Number(),
    factors: Type.Array(
      Type.Object({
        ...Factor.properties,
        raw_score: nullableNumber,
        shrink: Type.Number(),
        prior: Type.Number(),
        rationale: Type.String(),
        features: Type.Array(Feature),
      }),
    ),
    gaps: Type.Array(Type.Object({ feature: Type.String(), reason: Type.String() })),
    conflicts: Type.Array(Type.Unknown()),
    quantities: Type.Array(
      Type.Object({
        quantity: Type.String(),
        scope: Type.String(),
        unit: Type.String(),
        value: Type.Unknown(),
        low: nullableNumber,
        high: nullableNumber,
        confidence: Type.Number(),
        confidence_parts: Type.Unknown(),
        status: Type.String(),
        independent_families: Type.Integer(),
        effective_families: Type.Number(),
        dispersion: Type.Number(),
        observed_at: nullableString,
        failed_identities: Type.Array(Type.String()),
        voices: Type.Array(Voice),
        outvoted: Type.Array(Voice),
      }),
    ),
    vfr_fit: Type.Object({ sd: nullableNumber, r2: nullableNumber }),
    vfr_drivers: Type.Array(
      Type.Object({
        estimator: Type.String(),
        quantity: nullableString,
        value: nullableNumber,
        days: Type.Integer(),
        peers: Type.Integer(),
        fair_value_usd: Type.Number(),
        sd: Type.Number(),
        weight: Type.Number(),
      }),
    ),
    candidates_rejected: Type.Array(Type.Unknown()),
    evidence: Type.Array(
      Type.Object({
        id: Type.String(),
        source: Type.String(),
        endpoint: Type.String(),
        outcome: Type.String(),
        url: Type.String(),
        status: nullableNumber,
        fetched_at: Type.String(),
        milliseconds: Type.Number(),
        sha256: nullableString,
        bytes: nullableNumber,
        detail: nullableString,
      }),
    ),
    replay: Type.Object({ command: Type.String(), methodology_hash: Type.String() }),
  },
  { title: 'FullScore' },
);
