import Type from 'typebox';
import { assetClass, DataMode, nextCursor, nullableText, nullableTime, oneOf, Severity, time } from './vocabulary.ts';

export const ALERT_KINDS = ['score_change', 'risk_flag_change', 'band_transition'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const AlertView = Type.Object(
  {
    id: Type.Integer({ description: 'Rises within the account, without gaps.' }),
    asset_id: Type.String({ description: 'CAIP-19 id.' }),
    symbol: nullableText('Of the asset, untrusted text; null when not known.'),
    name: nullableText('Of the asset, untrusted text; null when not known.'),
    class: assetClass,
    kind: oneOf('What moved: the score, the flags, or the band.', ALERT_KINDS),
    severity: Severity,
    title: Type.String({ description: 'What happened, in one line.' }),
    details: Type.Unknown({ description: 'By kind: from, to and change; flags raised, cleared and changed; bands.' }),
    rating_as_of: time('Time of the rating that caused it.'),
    created_at: time('When it was stored, in one transaction with the rating.'),
    acknowledged_at: nullableTime('When it was first acknowledged; null while it is open.'),
  },
  { title: 'Alert', description: 'Something that happened to a watched asset.' },
);
export const AlertReply = Type.Object({ ...AlertView.properties, data_mode: DataMode }, { description: 'The alert.' });
export const AlertList = Type.Object(
  { data: Type.Array(AlertView, { description: 'Newest first.' }), next_cursor: nextCursor, data_mode: DataMode },
  { description: 'A page of alerts.' },
);
