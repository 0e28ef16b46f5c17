import Type from 'typebox';
import { CATEGORIES, CLASSES, SNAPSHOT_KINDS } from '../domain/index.ts';
import { serviceLevelFields } from './usage.ts';
import {
  Band,
  count,
  DataMode,
  enumerated,
  noCursor,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  time,
} from './vocabulary.ts';

export const Live = Type.Object(
  {
    status: Type.Literal('ok', { description: 'The service is up.' }),
    version: Type.String({ description: 'Version of the running service.' }),
    data_mode: DataMode,
  },
  { description: 'The process is alive.' },
);
export const Ready = Type.Object(
  {
    status: Type.Literal('ready', { description: 'The service accepts work.' }),
    checks: Type.Record(Type.String(), Type.Boolean(), { description: 'The checks that were made; all true.' }),
    data_mode: DataMode,
  },
  { description: 'The service can take work.' },
);

const freshness = Type.Object({
  chain: Type.String({ description: 'Name of the chain.' }),
  kind: Type.String({ description: '`market`, `holders` or `pools`.' }),
  cadence: Type.String({ description: 'How often the readers of the assets need new snapshots.' }),
  age_seconds_p50: Type.Number({ description: 'Half of the assets were at most so old in half of the minutes.' }),
  age_seconds_p99: Type.Number({ description: '99 % of the assets were at most so old in 99 % of the minutes.' }),
});

/** The service's measurements of itself. */
export const ServiceLevelView = Type.Object(
  {
    measured_since: nullableTime('First minute measured; null: none yet.'),
    windows: Type.Array(
      Type.Object({
        window: enumerated(['1h', '24h', '30d'], { description: 'How far back it reaches.' }),
        from: time('First minute of the window.'),
        to: time('End of the window.'),
        availability_pct: nullableNumber(
          'Percent, of ratings, chain data and exports. A minute without any process counts as down, another by the share of replies with status 5xx.',
        ),
        requests: count('Requests counted.'),
        failures: count('Replies with status 5xx.'),
        latency_ms: Type.Union(
          [
            Type.Null(),
            Type.Object({
              p50: Type.Number({ description: 'Median, milliseconds.' }),
              p95: Type.Number({ description: '95th percentile, milliseconds.' }),
              p99: Type.Number({ description: '99th percentile, milliseconds.' }),
            }),
          ],
          {
            description:
              'Of reads of ratings and chain data, within the service; at most 4.5 % too high. Null without any.',
          },
        ),
        freshness: Type.Array(freshness, { description: 'Age of the newest snapshots, by chain, kind and cadence.' }),
      }),
      { description: 'The last hour, day and 30 days.' },
    ),
    plans: Type.Array(
      Type.Object({
        plan: Type.String({ description: 'Name of the plan.' }),
        month: Type.String({ description: 'The present month, UTC.' }),
        targets: Type.Object(
          {
            availability_pct: Type.Number({ description: 'At least, percent of the month.' }),
            market_age_seconds: Type.Integer({ description: 'At most, of market data.' }),
            latency_p99_ms: Type.Number({ description: 'At most, 99th percentile of reads, milliseconds.' }),
          },
          { description: 'What the plan promises.' },
        ),
        met: Type.Boolean({ description: 'No promise is broken so far this month.' }),
        ...serviceLevelFields,
      }),
      { description: 'Plans that promise a service level, and the credit they would owe for the month so far.' },
    ),
  },
  { title: 'ServiceLevel', description: 'What the service measured of itself, and whether plans’ promises are kept.' },
);

/** One public source with the settings of this installation. */
export const SourceStatusView = Type.Object(
  {
    source: Type.String({ description: 'Name of the source.' }),
    title: Type.String({ description: 'Display name.' }),
    enabled: Type.Boolean({ description: 'It is on.' }),
    reason: nullableText('Why it is off; null when it is on.'),
    reachable: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'The last requests to it succeeded; null: none was sent, or it is off.',
    }),
    succeeded_at: nullableTime('When it last replied; null: not yet.'),
    failure: nullableText('Why its last requests failed; null when they did not, and while it is off.'),
    latency_ms: nullableNumber(
      'Median latency of its newest replies, milliseconds; null without any, and while it is off.',
    ),
    budget: Type.Union(
      [
        Type.Null(),
        Type.Object({
          left: count('Requests that it may be sent at once now.'),
          burst: count('The same, after a while without requests.'),
          per_minute: Type.Number({ description: 'Requests a minute, over all processes.' }),
        }),
      ],
      { description: 'What is left of its request budget; null where none is kept.' },
    ),
    hours: Type.Array(
      Type.Object({
        hour: time('Beginning of the hour.'),
        answered: count('Requests that succeeded.'),
        failed: count('Requests that failed.'),
      }),
      { description: 'The last 24 hours with requests to it, oldest first.' },
    ),
    accepted_share: nullableNumber(
      'Of what it stated in collections, the share that consensus accepted, 0-1; older ones count half a day by day. Null: nothing yet.',
    ),
    weight: Type.Number({
      description: 'What its reliability is multiplied with, 0-1; below 1 while it is not as usual.',
    }),
    checked_at: nullableTime('When known assets were read from it last; null: not yet.'),
    drifting: Type.Array(Type.String(), { description: 'Signals that are not as usual now.' }),
    last_drift: Type.Union(
      [
        Type.Null(),
        Type.Object({
          at: time('When it was noticed.'),
          endpoint: nullableText('Endpoint where it was noticed first; null where it is of no single one.'),
          text: Type.String({ description: 'What changed.' }),
        }),
      ],
      { description: 'The newest change of what it states; null: none was noticed.' },
    ),
  },
  { title: 'SourceStanding', description: 'A public source: reachable, its budget, whether it is as usual.' },
);

export const StatusReply = Type.Object(
  {
    status: oneOf(
      '`lagging`: of some chain and kind, one asset in a hundred is more than five minutes behind its plan; `unknown`: nothing is indexed.',
      ['ok', 'lagging', 'unknown'],
    ),
    data_mode: DataMode,
    version: Type.String({ description: 'Version of the running service.' }),
    as_of: time('When this was read.'),
    chains: Type.Array(
      Type.Object({
        chain: Type.String({ description: 'Name of the chain.' }),
        last_closed_day: nullableText(
          'Newest day that is closed for export, YYYY-MM-DD in UTC; null before the first.',
        ),
        snapshots: Type.Array(
          Type.Object({
            kind: oneOf('Which kind of snapshot.', SNAPSHOT_KINDS),
            indexed_assets: count('Assets of which such snapshots are wanted.'),
            due: count('Assets that are due and not begun.'),
            running: count('Assets being read now.'),
            failing: count('Assets whose last run gave no snapshot.'),
            late_seconds_p50: Type.Number({
              description: 'Seconds behind the plan, median over the assets; 0 in time.',
            }),
            late_seconds_p99: Type.Number({ description: 'The same, 99th percentile.' }),
            last_stored_at: nullableTime('When the newest snapshot was stored; null before the first.'),
            last_stored_age_seconds: nullableNumber('Whole seconds since then; null before the first.'),
          }),
          { description: 'One row per kind of snapshot that is indexed on the chain.' },
        ),
      }),
      { description: 'How far the index of each chain is behind.' },
    ),
    sources: Type.Array(SourceStatusView, {
      description: 'Every public source that this version knows, in a fixed order; empty where they are not watched.',
    }),
    service_level: Type.Union([ServiceLevelView, Type.Null()], {
      description: 'Null: this service does not measure itself.',
    }),
  },
  { description: 'State of the service.' },
);

const PublicKey = Type.Object(
  {
    kid: Type.String({ description: 'Name of the key; `key_id` of signatures.' }),
    kty: Type.Literal('OKP', { description: 'Octet key pair (RFC 8037), always.' }),
    crv: Type.Literal('Ed25519', { description: 'The curve, always this one.' }),
    x: Type.String({ description: 'The public key, 32 bytes in base64url' }),
    use: Type.Literal('sig', { description: 'For signatures, always.' }),
    created_at: time('When it was made.'),
    retired_at: nullableTime('When another took its place; null while it signs.'),
  },
  { title: 'PublicKey', description: 'A key as a JWK (RFC 7517, RFC 8037).' },
);
const AttestationKeyView = Type.Object(
  {
    kid: Type.String({ description: 'Name of the key.' }),
    kty: Type.Literal('EC', { description: 'Elliptic curve, always.' }),
    crv: Type.Literal('secp256k1', { description: 'The curve, always this one.' }),
    x: Type.String({ description: 'First coordinate, 32 bytes in base64url.' }),
    y: Type.String({ description: 'Second coordinate, 32 bytes in base64url.' }),
    use: Type.Literal('sig', { description: 'For signatures, always.' }),
    address: Type.String({ description: 'The address by which EVM contracts identify the key.' }),
    created_at: time('When it was made.'),
    retired_at: nullableTime('When another took its place; null while it signs.'),
  },
  { title: 'AttestationKey', description: 'A key as a JWK (RFC 7517, RFC 8812), with its address.' },
);
export const KeySet = Type.Object(
  {
    keys: Type.Array(PublicKey, { description: 'All keys that ever signed, newest first.' }),
    attestation_keys: Type.Array(AttestationKeyView, {
      description: 'Keys of the records that EVM contracts check, newest first.',
    }),
    data_mode: DataMode,
  },
  { description: 'A JWK set.' },
);

const MethodologyMoves = Type.Object(
  {
    against: Type.String({ description: 'Version that it was run beside.', examples: ['0.5.4'] }),
    evidence: Type.String({ description: 'What both versions rated.' }),
    classes: Type.Array(
      Type.Object({
        class: enumerated(CLASSES, { description: 'Class by the newer version.' }),
        assets: count('Assets of the class.'),
        rated_by_both: count('Of them rated by both versions: those that the moves are of.'),
        rated_now_only: count('Of them rated by the newer version alone.'),
        median: nullableNumber('Median move of the score in points; null where none was rated by both.'),
        lowest: nullableNumber('Lowest move.'),
        highest: nullableNumber('Highest move.'),
        bands_up: count('Assets whose band is better.'),
        bands_down: count('Assets whose band is worse.'),
      }),
      { description: 'Moves by class.' },
    ),
    biggest: Type.Array(
      Type.Object({
        asset: Type.String({ description: 'Name in the evidence; before @ that of the asset, after it the month.' }),
        class: enumerated(CLASSES, { description: 'Class by the newer version.' }),
        from_category: enumerated(CATEGORIES, { description: 'Category by the earlier version.' }),
        from_score: Type.Number({ description: 'Score by the earlier version.' }),
        from_band: Band,
        score: Type.Number({ description: 'Score by the newer version.' }),
        band: Band,
        reason: Type.String({ description: 'Why it moved.' }),
      }),
      { description: 'The largest moves first.' },
    ),
  },
  {
    title: 'MethodologyMoves',
    description: 'How a version moved ratings: a shadow run beside an earlier one on the same evidence.',
  },
);
export const MethodologyChanges = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Name of the change.', examples: ['methodology-0.2.0'] }),
        version: Type.String({ description: 'The version it made.' }),
        date: Type.String({ format: 'date', description: 'When it came into force, YYYY-MM-DD.' }),
        kind: enumerated(['MAJOR', 'MINOR', 'PATCH'], {
          description:
            'MAJOR: weights, cut-offs, caps, definition of default; MINOR: features, anchors, sources; PATCH: the correction of a mistake.',
        }),
        reason: Type.String({ description: 'The reason, as text.' }),
        effect: Type.String({ description: 'What it did to ratings.' }),
        moves: Type.Union([MethodologyMoves, Type.Null()], {
          description: 'How ratings moved; null where no shadow run was made.',
        }),
        in_force: Type.Boolean({ description: 'Ratings are made by this version now.' }),
        hash: Type.String({
          description: 'SHA-256 of the canonical JSON of the version: `methodology_hash` of its ratings.',
        }),
        href: Type.String({ description: 'Where the version is read.' }),
      }),
      { description: 'Every version there was.' },
    ),
    next_cursor: noCursor,
    data_mode: DataMode,
  },
  { description: 'The log of changes.' },
);
export const CalibrationData = Type.Unknown({
  description:
    'How scores become probabilities of failure: groups of assets, their cohorts with members and failures, the curve point by point, what was observed by band beside the range each band is meant for, accuracy on cohorts that were not fitted on. Its SHA-256 is `calibration_hash` of a probability.',
});
export const MethodologyData = Type.Unknown({
  description:
    'The file that the code reads: weights, curves, caps, bands, flags, tests. docs/methodology.md explains it; its SHA-256 is in `Assay-Methodology-Hash`.',
});
