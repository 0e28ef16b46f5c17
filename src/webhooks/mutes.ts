import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AlertKind, MuteView, Reply } from '../contract/index.ts';
import { readAlertBody } from '../monitoring/index.ts';
import {
  type Database,
  type MutableMessage,
  type MuteRow,
  messageToMute,
  mutesOf,
  muteWebhook,
  unmuteWebhook,
} from '../store/index.ts';

/** Muted messages of a webhook, until a time. */
export type Mute = Omit<Reply<typeof MuteView>, 'data_mode'>;

/** Subject of a mute: an asset, a kind, or both; null means all of them. At least one is set. */
export interface MuteSubject {
  readonly assetId: string | null;
  readonly kind: string | null;
}

/** What the link of a message can mute. */
export interface MuteOffer {
  readonly assetId: string | null;
  readonly kind: AlertKind;
  /** Untrusted text. */
  readonly name: string | null;
}

/** Mutes of a webhook that have not ended, at most. */
const MOST_MUTES = 500;
/** Days that the link of a message is valid. */
export const LINK_DAYS = 14;

const MESSAGE_ID = /^msg_([0-9a-f]{32})$/;
const TOKEN = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

/**
 * The token of the link by which a reader of a message mutes its subject: the message's id and an HMAC-SHA256 over it
 * with the webhook's secret. Null for a message id of another form.
 */
export function muteToken(messageId: string, secret: string): string | null {
  const id = MESSAGE_ID.exec(messageId)?.[1];
  return id === undefined ? null : `${id}.${signatureOf(messageId, secret)}`;
}

/** The prefix `mute.` separates it from signatures of messages, whose text begins with the id. */
function signatureOf(messageId: string, secret: string): string {
  return createHmac('sha256', secret).update(`mute.${messageId}`).digest('base64url');
}

function isSignedBy(messageId: string, signature: string, secret: string | null): boolean {
  return secret !== null && timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(messageId, secret)));
}

/**
 * Mutes of webhooks, set by their accounts or by links in messages. `aheadMs`: difference between the shown times and
 * the system clock.
 */
export function createMutes(db: Database, random: (bytes: number) => Uint8Array, aheadMs: number) {
  const shown = (row: MuteRow) => muteView(row, aheadMs);

  async function mute(
    webhookId: string,
    { assetId, kind }: MuteSubject,
    days: number,
  ): Promise<Mute | 'full' | 'gone'> {
    const id = `mute_${Buffer.from(random(12)).toString('hex')}`;
    const row = await muteWebhook(db, { id, webhook_id: webhookId, asset_id: assetId, kind }, days, MOST_MUTES);
    return typeof row === 'string' ? row : shown(row);
  }

  /** The message of a token; null when its signature is wrong or it has expired. */
  async function messageOf(token: string): Promise<MutableMessage | null> {
    const [, id, signature = ''] = TOKEN.exec(token) ?? [];
    if (id === undefined) return null;
    const messageId = `msg_${id}`;
    const found = await messageToMute(db, messageId, LINK_DAYS);
    if (found === null) return null;
    const good = [found.secret, found.previous_secret].some((secret) => isSignedBy(messageId, signature, secret));
    return good ? found : null;
  }

  return {
    mute,
    list: async (webhookId: string): Promise<readonly Mute[]> => (await mutesOf(db, webhookId)).map(shown),
    unmute: (webhookId: string, id: string) => unmuteWebhook(db, webhookId, id),
    /** What a link can mute. */
    async offered(token: string): Promise<MuteOffer | null> {
      const found = await messageOf(token);
      return found && offerOf(found);
    },
    /** Adds mutes as the link requests; null when the link is invalid, `full` when the webhook has too many mutes. */
    async muteByLink(token: string, what: 'asset' | 'kind' | 'both', days: number): Promise<Mute | 'full' | null> {
      const found = await messageOf(token);
      if (found === null) return null;
      const { assetId, kind } = offerOf(found);
      const subject = {
        assetId: what === 'kind' ? null : assetId,
        kind: what === 'asset' && assetId !== null ? null : kind,
      };
      const made = await mute(found.webhook_id, subject, days);
      return made === 'gone' ? null : made;
    },
  };
}

function offerOf({ asset_id, kind, body }: MutableMessage): MuteOffer {
  const { name, symbol } = readAlertBody(body);
  return { assetId: kind === 'source_drift' ? null : asset_id, kind: kind as AlertKind, name: name ?? symbol };
}

function muteView({ id, asset_id, kind, created_at, until }: MuteRow, aheadMs: number): Mute {
  return {
    id,
    asset_id,
    kind: kind as AlertKind | null,
    created_at: moved(created_at, aheadMs),
    until: moved(until, aheadMs),
  };
}

/** A time shifted to another clock. */
export function moved<At extends string | null>(at: At, byMs: number): At {
  return (at === null || byMs === 0 ? at : new Date(Date.parse(at) + byMs).toISOString()) as At;
}
