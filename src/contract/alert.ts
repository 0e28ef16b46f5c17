import Type from 'typebox';
import { assetClass, DataMode, nextCursor, nullableText, nullableTime, oneOf, Severity, time } from './vocabulary.ts';

export const ALERT_KINDS = ['score_change', 'risk_flag_change', 'band_transition', 'source_drift'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const AlertView = Type.Object(
  {
    id: Type.Integer({ description: 'Rises within the account, without gaps.' }),
    asset_id: nullableText('CAIP-19 id; null for `source_drift`, which is about a source.'),
    symbol: nullableText('Of the asset, untrusted text; null when not known.'),
    name: nullableText('Of the asset, untrusted text; null when not known.'),
    class: assetClass,
    source: nullableText(
      'Name of the source that a `source_drift` is about; null for other kinds, and when it is about several.',
    ),
    kind: oneOf('What moved: the score, the flags, the band, or what a source says.', ALERT_KINDS),
    severity: Severity,
    title: Type.String({ description: 'What happened, in one line.' }),
    details: Type.Unknown({
      description:
        'By kind: from, to and change; flags raised, cleared and changed; bands; for `source_drift` its `state` (`opened`, `worsened`, `closed`) and `sources`: each with endpoint, what changed, when that was noticed, its signals and its weight.',
    }),
    rating_as_of: nullableTime('Time of the rating that caused it; null for `source_drift`.'),
    created_at: time('When it was stored: in one transaction with the rating, if one caused it.'),
    acknowledged_at: nullableTime('When it was first acknowledged; null while it is open.'),
  },
  { title: 'Alert', description: 'Something that happened to a watched asset, or to a source.' },
);
export const AlertReply = Type.Object({ ...AlertView.properties, data_mode: DataMode }, { description: 'The alert.' });
export const AlertList = Type.Object(
  { data: Type.Array(AlertView, { description: 'Newest first.' }), next_cursor: nextCursor, data_mode: DataMode },
  { description: 'A page of alerts.' },
);

export const DriftSubscriptionView = Type.Object(
  {
    subscribed: Type.Boolean({ description: 'The account is told of sources that change what they say.' }),
    sources: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Names of the sources it is told of; null: all, also those of later versions.',
    }),
    open: Type.Array(
      Type.Object({
        source: Type.String({ description: 'Name of the source.' }),
        severity: Severity,
        opened_at: time('When the account was told.'),
      }),
      { description: 'Drifts it was told of that are not over.' },
    ),
    data_mode: DataMode,
  },
  { title: 'DriftSubscription', description: 'Whether the account gets alerts of the kind `source_drift`.' },
);
