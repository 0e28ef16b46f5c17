import Type from 'typebox';
import type { Alert } from '../../monitoring/alerts/alert-book.ts';
import { ALERT_KINDS } from '../../monitoring/types.ts';
import { head, nullableText, words } from './chain.ts';

export const AlertView = Type.Object(
  {
    id: Type.Integer({ description: 'Rises within the account, without gaps.' }),
    asset_id: Type.String({ description: 'CAIP-19 id.' }),
    symbol: nullableText('Of the asset.'),
    name: nullableText('Of the asset.'),
    kind: words(...ALERT_KINDS),
    severity: words('info', 'low', 'medium', 'high', 'critical'),
    title: Type.String(),
    details: Type.Unknown({ description: 'By kind: from, to and change; flags raised, cleared and changed; bands.' }),
    rating_as_of: Type.String({ description: 'Time of the rating that caused it, RFC 3339 UTC.' }),
    created_at: Type.String(),
    acknowledged_at: nullableText('When it was first acknowledged; null while it is open.'),
  },
  { title: 'Alert' },
);
export const AlertReply = Type.Object({ ...AlertView.properties, data_mode: head.data_mode });
export const AlertList = Type.Object({
  data: Type.Array(AlertView, { description: 'Newest first.' }),
  next_cursor: nullableText('Ask again with `cursor` set to this; null on the last page.'),
  data_mode: head.data_mode,
});
export const AlertQuery = Type.Object({
  kind: Type.Optional(Type.String({ enum: [...ALERT_KINDS] })),
  asset: Type.Optional(
    Type.String({ maxLength: 200, description: 'CAIP-19 id, `chain:address`, address, or symbol of a rated asset.' }),
  ),
  acknowledged: Type.Optional(Type.String({ enum: ['true', 'false'] })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339 time, included.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'whole number from 1 to 500.' }),
  ),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description: '`next_cursor` of the page before.' })),
});
export const AlertParams = Type.Object({ id: Type.String({ description: 'Number of an alert.' }) });

/** An alert as it is sent, in pages and streams. */
export function alertView(alert: Alert) {
  return {
    id: alert.id,
    asset_id: alert.assetId,
    symbol: alert.symbol,
    name: alert.name,
    kind: alert.kind,
    severity: alert.severity,
    title: alert.title,
    details: alert.details,
    rating_as_of: alert.ratingAsOf,
    created_at: alert.createdAt,
    acknowledged_at: alert.acknowledgedAt,
  };
}
