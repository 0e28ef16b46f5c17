import { escapeHtml as e } from '../domain/index.ts';
import { messagePage } from './public-page.ts';
import { pageOf } from './shell.ts';

/** What the link in a message can mute, chosen by its reader. */
export const MUTE_CHOICES = ['asset', 'kind', 'both'] as const;
/** Durations of a mute on the page, days; the first is the default. */
export const MUTE_DAYS = [7, 1, 30, 90] as const;

/**
 * The page of the link "Mute" in a message. Reading it changes nothing; its form is sent to the same address. `name` is
 * outside text; without an asset only the kind can be muted.
 */
export function mutePage(offer: {
  readonly assetId: string | null;
  readonly name: string | null;
  readonly kind: string;
}): string {
  const kind = offer.kind.replaceAll('_', ' ');
  const name = offer.name ?? offer.assetId ?? '';
  const choices = {
    asset: `everything about ${name}`,
    kind: `every alert of the kind ${kind}`,
    both: `alerts of the kind ${kind} about ${name}`,
  };
  const open = offer.assetId === null ? (['kind'] as const) : MUTE_CHOICES;
  const options = open.map((one) => `<option value="${one}">${e(choices[one])}</option>`).join('');
  const days = MUTE_DAYS.map((one) => `<option value="${one}">${one === 1 ? '1 day' : `${one} days`}</option>`).join(
    '',
  );
  return pageOf(
    'Mute alerts',
    `<header class="top"><h1>Mute alerts</h1>
<p>For this channel alone: what comes meanwhile stays in the list of alerts, and is sent to other channels as before.</p>
${offer.assetId === null ? '' : `<p class="soft">${e(offer.assetId)}</p>`}</header>
<section><form method="post"><label for="what">Mute</label><select id="what" name="what">${options}</select>
<label for="days">For</label><select id="days" name="days">${days}</select>
<div><button type="submit">Mute</button></div></form></section>`,
  );
}

/** The page after the form was sent. `until`: RFC 3339. */
export function mutedPage(until: string): string {
  const at = `${until.slice(0, 10)} ${until.slice(11, 16)} UTC`;
  return messagePage(
    'Muted',
    `Until ${at}. The account ends it earlier on the page Webhooks of the dashboard, or by DELETE /v1/webhooks/{id}/mutes/{mute}.`,
  );
}
