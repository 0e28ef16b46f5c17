import { type Correction, correctionWords, type ScoreRecord } from '../contract/index.ts';
import { escapeHtml, inNumber, withSourceTitles } from '../domain/index.ts';
import { pageOf } from './shell.ts';

/** Text for readers: escaped, nouns in the singular after 1. */
const e = (text: string) => escapeHtml(inNumber(text));
const MOST_FLAGS = 30;
const MOST_GAPS = 40;
/** The limits of the API for a claim and a contact, in characters. */
const MOST_CLAIM = 4_000;
const MOST_CONTACT = 200;

/** Titles for readers, by feature id and by the name of a source. */
export interface Titles {
  readonly features: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * The public page of a rating: verdict, flags, missing values, method, and the form for objections. Pure; outside text
 * is escaped.
 */
export function publicPage(record: ScoreRecord, titles: Titles, correction: Correction | null = null): string {
  const { asset, band, score, trust_score: trust } = record;
  const name = `${asset.name}${asset.symbol === null ? '' : ` (${asset.symbol})`}`;
  const body = `<header class="top"><h1>${e(name)}</h1><p class="soft">${e(asset.id)}</p>${record.data_mode === 'sandbox' ? '<p class="banner">SANDBOX: everything on this page is fictional.</p>' : ''}
<p>${e(verdictOf(record))}</p>
<dl><div><dt>Rating</dt><dd>${e(band)}</dd></div><div><dt>Score</dt><dd>${score === null ? 'none' : `${score} of 100`}</dd></div><div><dt>Trust in the evidence</dt><dd>${trust} of 100</dd></div><div><dt>As of</dt><dd><time datetime="${e(record.as_of)}">${e(moment(record.as_of))}</time></dd></div></dl>
<p class="soft">A rating is an unsolicited opinion about risk, made from public data by a published method. It is no credit rating and no advice. Trust says how good the evidence is, not how good the asset is.</p></header>
${correctionOf(correction)}<section><h2>Flags</h2>${flagsOf(record, titles)}</section>
<section><h2>What is not known</h2>${gapsOf(record, titles)}</section>
<section><h2>Method</h2><p>Methodology <a href="/v1/methodology/${e(encodeURIComponent(record.methodology_version))}">${e(record.methodology_version)}</a>, job ${e(record.job_id)}. Last action: ${e(ACTIONS[record.rating_action])}; ${e(record.action_reason)}.</p>
<p>The record is signed; corrections are in the <a href="/v1/restatements">public list</a>.</p></section>
<section><h2>Is something wrong?</h2><p>Say what, and what shows it. A person reads it; nothing changes by itself. You are given an address at which the outcome is shown. The project itself can <a href="/public/appeals-help">prove control and appeal</a>.</p>
<form method="post" action="/public/objections">
<input type="hidden" name="asset" value="${e(asset.id)}">
<label for="claim">What is wrong</label><textarea id="claim" name="claim" rows="6" maxlength="${MOST_CLAIM}" required></textarea>
<label for="contact">Where questions may be sent (optional, never shown)</label><input id="contact" name="contact" maxlength="${MOST_CONTACT}" autocomplete="off">
<button type="submit">Send the objection</button></form></section>`;
  return pageOf(`${name}: rating ${band}`, body);
}

function correctionOf(correction: Correction | null): string {
  if (correction === null) return '';
  return `<section><h2>Correction</h2><p class="banner">${e(correctionWords(correction))}</p></section>\n`;
}

function verdictOf({
  band,
  score,
  score_interval: interval,
  default: failed,
  risk_flags: flags,
  watch,
}: ScoreRecord): string {
  const severe = flags.filter(({ severity }) => severity === 'critical' || severity === 'high').length;
  const rated =
    score === null || band === 'NR'
      ? 'It is not rated: too little is known.'
      : `It is rated ${band}${interval === null ? '' : intervalWords(interval)}.`;
  return [
    failed === null ? '' : 'The asset is in default.',
    rated,
    severe === 0 ? 'No severe flag is raised.' : `${severe} severe ${severe === 1 ? 'flag is' : 'flags are'} raised.`,
    watch === null ? '' : `An event is pending: ${watch.detail}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Text of an interval; one of zero width belongs to a score fixed by a cap or a default. */
function intervalWords([low, high]: readonly number[]): string {
  return low === high
    ? `; a cap or a default holds its score at ${low}`
    : `, with a score between ${low} and ${high} (80 %)`;
}

function flagsOf({ risk_flags: flags }: ScoreRecord, { sources }: Titles): string {
  if (flags.length === 0)
    return '<p>None is raised. A condition whose evidence is missing is not raised either: see what is not known.</p>';
  const rows = flags
    .slice(0, MOST_FLAGS)
    .map(
      ({ title, severity, detail }) =>
        `<li><span${severity === 'critical' || severity === 'high' ? ' class="bad"' : ''}>${e(title)} (${e(severity)})</span>: ${e(withSourceTitles(detail, sources))}</li>`,
    );
  return `<ul>${rows.join('')}</ul>${flags.length > MOST_FLAGS ? `<p>${flags.length - MOST_FLAGS} more.</p>` : ''}`;
}

function gapsOf({ gaps }: ScoreRecord, { features, sources }: Titles): string {
  if (gaps.length === 0) return '<p>Everything that the method looks at was found.</p>';
  const rows = gaps
    .slice(0, MOST_GAPS)
    .map(
      ({ feature, reason }) =>
        `<li>${e(features.get(feature) ?? feature)}: ${e(withSourceTitles(gapWords(reason), sources))}</li>`,
    );
  return `<ul>${rows.join('')}</ul>${gaps.length > MOST_GAPS ? `<p>${gaps.length - MOST_GAPS} more.</p>` : ''}`;
}

/** The reason of a gap, without the prefix in the record that repeats the heading. */
function gapWords(reason: string): string {
  return reason
    .replace(/^not known: no source says$/, 'no source states it')
    .replace(/^not known: /, '')
    .replace(/^searched and not found: (?:(.+), )?as the site states$/, (_, claim?: string) =>
      claim === undefined ? 'only its own site states it' : `only its own site states it (${claim})`,
    )
    .replace(/^the project shows none: counts/, 'the project shows none, which counts')
    .replace(/ \(no source says\)$/, '');
}

/** The status of one objection. */
export function objectionPage(objection: {
  readonly assetId: string;
  readonly state: string;
  readonly receivedAt: string;
  readonly resolution: string | null;
  readonly resolvedAt: string | null;
}): string {
  const { assetId, state, receivedAt, resolution, resolvedAt } = objection;
  return pageOf(
    'Status of an objection',
    `<header class="top"><h1>Status of an objection</h1><p>Keep the address of this page: it is the only way to find it again.</p></header>
<section><h2>${e(STATES[state] ?? state)}</h2><dl><div><dt>Asset</dt><dd><a href="/public/${e(encodeURIComponent(assetId))}">${e(assetId)}</a></dd></div><div><dt>Received</dt><dd>${e(moment(receivedAt))}</dd></div>${resolvedAt === null ? '' : `<div><dt>Decided</dt><dd>${e(moment(resolvedAt))}</dd></div>`}</dl>
<p>${resolution === null ? 'Nobody has decided yet.' : e(resolution)}</p></section>`,
  );
}

const STATES: Readonly<Record<string, string>> = {
  received: 'Received',
  accepted: 'Accepted: the rating will be corrected',
  rejected: 'Rejected: the rating stands',
  restated: 'Accepted, and the rating was corrected',
};

const ACTIONS: Readonly<Record<ScoreRecord['rating_action'], string>> = {
  new: 'rated for the first time',
  affirm: 'affirmed',
  upgrade: 'raised',
  downgrade: 'lowered',
  withdraw: 'withdrawn',
};

/** Explains appeals to rated parties that come from the page of a rating. */
export function appealHelpPage(): string {
  return pageOf(
    'How a project appeals',
    `<header class="top"><h1>How a project appeals</h1><p>A project that proves control of its asset may send evidence, without a key. Two reviewers decide. Proof and evidence change no rating by themselves: a source that is read again or a reviewed register row does.</p></header>
<section><h2>Steps</h2><ul><li>POST /v1/public/appeals with the asset gives a challenge, good for 48 hours.</li><li>POST /v1/public/appeals/{reference}/proof proves control: a DNS record of the project’s own domain, a signature by an address that controls the asset, or an OpenPGP signature by a maintainer of its GitHub repository.</li><li>POST /v1/public/appeals/{reference}/evidence sends words and links.</li><li>GET /v1/public/appeals/{reference} shows the status.</li></ul><p>The <a href="/docs">reference</a> has every field.</p></section>`,
  );
}

/** A page that replaces a problem reply for people, with links to ratings where several match. */
export function messagePage(
  title: string,
  text: string,
  ratings: readonly { readonly id: string; readonly text: string }[] = [],
): string {
  const links = ratings.map(
    ({ id, text: words }) =>
      `<li><a href="/public/${e(encodeURIComponent(id))}">${e(words)}</a><br><span class="soft">${e(id)}</span></li>`,
  );
  const list = links.length === 0 ? '' : `<ul>${links.join('')}</ul>`;
  return pageOf(title, `<header class="top"><h1>${e(title)}</h1><p>${e(text)}</p>${list}</header>`);
}

/** For people whose browser asks for a path that does not exist. */
export function noPage(): string {
  const title = 'No page has this address';
  return pageOf(
    title,
    `<header class="top"><h1>${title}</h1><p>The <a href="/">dashboard</a> is at the root of this service; the addresses of its pages begin with <code>/#/</code>, for example <a href="/#/assets">/#/assets</a>. The API is described in its <a href="/docs">reference</a>.</p></header>`,
  );
}

const moment = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
