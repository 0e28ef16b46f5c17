import type { AlertMessage, DigestMessage, Reply, TestMessage, WebhookFormat } from '../contract/index.ts';

/**
 * Alerts in the formats of chat services (docs/alerts.md). Names of assets, titles of flags and texts of sources are
 * untrusted: they are put into code spans, in which none of the three services interprets markup, mentions or links.
 */
export type ChatFormat = Exclude<WebhookFormat, 'assay'>;

/** Link of the message; null: no link. */
export interface ChatLinks {
  /** Page of the asset, or the list of alerts. */
  readonly open: string | null;
  /** Page on which the receiver mutes the subject of the message. */
  readonly mute: string | null;
}

/** A signed message, as sent to an endpoint of the format `assay`. */
export type PlainMessage =
  | { readonly type: string; readonly timestamp: string; readonly data: Reply<typeof AlertMessage> }
  | { readonly type: 'alert.digest'; readonly timestamp: string; readonly data: Reply<typeof DigestMessage> }
  | { readonly type: 'webhook.test'; readonly timestamp: string; readonly data: Reply<typeof TestMessage> };

/** A line of a message. `foreign` text is untrusted. */
interface Line {
  readonly label: string;
  readonly values: readonly Value[];
}
interface Value {
  readonly text: string;
  readonly foreign: boolean;
}
interface Content {
  readonly title: string;
  readonly severity: string | null;
  readonly at: string;
  readonly lines: readonly Line[];
}

/** Longest untrusted text, in code points. */
const MOST_FOREIGN = 160;
const MOST_VALUES = 12;

/** Body of a message in the format of a service. Pure: each attempt sends the same bytes. */
export function chatMessage(
  format: ChatFormat,
  message: PlainMessage,
  links: ChatLinks,
  chatId: string | null,
): string {
  const content = contentOf(message);
  if (format === 'slack') return JSON.stringify(slackMessage(content, links));
  if (format === 'discord') return JSON.stringify(discordMessage(content, links));
  return JSON.stringify(telegramMessage(content, links, chatId ?? ''));
}

function contentOf({ timestamp, data }: PlainMessage): Content {
  const at = timestamp;
  if ('webhook_id' in data)
    return {
      title: 'A test of this webhook',
      severity: null,
      at,
      lines: [line('About', ours('no alert stands behind it'))],
    };
  if ('alerts' in data) {
    const counted = (by: Readonly<Record<string, number>>) =>
      Object.entries(by).map(([word, count]) => ours(`${count} ${worded(word)}`));
    const title = `${data.alerts} alerts within a minute`;
    return {
      title,
      severity: null,
      at,
      lines: [line('Kinds', ...counted(data.by_kind)), line('Severities', ...counted(data.by_severity))],
    };
  }
  const { title, lines } = changeOf(data);
  const name = [data.name, data.symbol === null ? null : `(${data.symbol})`].filter((part) => part !== null).join(' ');
  return {
    title,
    severity: data.severity,
    at: data.created_at,
    lines: [
      ...(data.asset_id === null
        ? []
        : [line('Asset', ...(name === '' ? [] : [foreign(name)]), foreign(data.asset_id))]),
      ...(data.source === null ? [] : [line('Source', foreign(data.source))]),
      ...lines,
      ...(data.trust_score === null ? [] : [line('Trust', ours(`${data.trust_score} of 100`))]),
      line('Severity', ours(data.severity)),
      line('When', ours(moment(data.rating_as_of ?? data.created_at))),
    ],
  };
}

type Change = Pick<Content, 'title' | 'lines'>;

/** The text of an alert: fixed sentences with values of its details. */
function changeOf({ kind, details }: Reply<typeof AlertMessage>): Change {
  if (details === null) return { title: TITLES[kind], lines: [] };
  if ('bps_hours' in details) {
    const { state, distance_bps: bps, currency, price } = details;
    return {
      title: state === 'closed' ? 'Back on its peg' : `Off its peg by ${Math.abs(bps)} basis points`,
      lines: [line('Price', ours(`${price} ${currency}`)), line('State', ours(state))],
    };
  }
  if ('restatement_id' in details) {
    const { before, after, reason } = details;
    return {
      title: TITLES.correction,
      lines: [
        line('Rating', ours(`${rated(before)} should have been ${rated(after)}`)),
        line('Reason', foreign(reason)),
      ],
    };
  }
  if ('sources' in details)
    return {
      title: details.state === 'closed' ? 'A source is as usual again' : TITLES.source_drift,
      lines: details.sources
        .slice(0, MOST_VALUES)
        .map(({ source, changed }) => line('Change', foreign(source), ...(changed === null ? [] : [foreign(changed)]))),
    };
  if ('raised' in details) {
    const { raised, cleared, changed } = details;
    const counts = [
      [raised, 'raised'],
      [cleared, 'cleared'],
      [changed, 'changed severity'],
    ] as const;
    const parts = counts.flatMap(([flags, word]) => (flags.length === 0 ? [] : [`${flags.length} ${word}`]));
    return {
      title: `Risk flags: ${parts.join(', ')}`,
      lines: [
        line('Raised', ...raised.map(({ code, severity, title }) => foreign(`${title} (${code}, ${severity})`))),
        line('Cleared', ...cleared.map(({ code, severity }) => foreign(`${code} (${severity})`))),
        line('Changed', ...changed.map(({ code, from, to }) => foreign(`${code} (${from} to ${to})`))),
      ],
    };
  }
  if ('snapshot' in details) {
    const { figure, condition, value, reached, from, change_pct: change, snapshot } = details;
    const known = Object.entries(snapshot.figures).flatMap(([name, number]) =>
      number == null || name === figure ? [] : [ours(`${worded(name)} ${number}`)],
    );
    const crossed = change === null ? `${condition} ${value}` : `${condition} ${value} %`;
    return {
      title: `${worded(figure)} ${crossed}`,
      lines: [
        line('Now', ours(from === null ? `${reached}` : `${reached}, from ${from} (${change} %)`)),
        line('Snapshot', ours(`${snapshot.kind} of ${moment(snapshot.as_of)}, ${snapshot.age_seconds} s old`)),
        line('Figures', ...known),
      ],
    };
  }
  if ('threshold' in details) {
    const { from, to, change } = details;
    return {
      title: `Score ${change > 0 ? 'up' : 'down'} ${Math.abs(change)} points`,
      lines: [line('Score', ours(`${from} before, ${to} now`))],
    };
  }
  const { from, to, reason } = details;
  return {
    title: `Band ${from} to ${to}`,
    lines: [line('Band', ours(`${from} before, ${to} now`)), line('Reason', ...(reason ? [foreign(reason)] : []))],
  };
}

const TITLES = {
  score_change: 'The score moved',
  risk_flag_change: 'Risk flags changed',
  band_transition: 'The band changed',
  source_drift: 'A source changed what it says',
  peg_stress: 'A price left its peg',
  correction: 'A rating was corrected',
  snapshot_threshold: 'A figure crossed a threshold',
} as const;

const rated = ({ band, score }: { readonly band: string; readonly score: number | null }) =>
  score === null ? band : `${band} ${score}`;
const worded = (word: string) => word.replaceAll('_', ' ');
const moment = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
const ours = (text: string) => ({ text, foreign: false });
const foreign = (text: string) => ({ text: tame(text), foreign: true });
const line = (label: string, ...values: readonly Value[]): Line => ({ label, values: values.slice(0, MOST_VALUES) });

/** One line of visible characters without the end marker of a code span. */
function tame(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replaceAll('`', "'")
    .trim();
  const points = [...plain];
  return points.length <= MOST_FOREIGN ? plain : `${points.slice(0, MOST_FOREIGN - 1).join('')}…`;
}

/** `&`, `<` and `>`, which both Slack and Telegram interpret. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Joins lines as long as they fit into `most` characters; no line is cut within its markup. */
function joined(lines: readonly string[], most: number): string {
  let text = '';
  for (const one of lines) {
    if (text.length + one.length + 3 > most) return `${text}\n…`;
    text += text === '' ? one : `\n${one}`;
  }
  return text;
}

const titled = ({ title, severity }: Content) => (severity === null ? title : `${title} (${severity})`);
const shownLines = ({ lines }: Content) =>
  lines
    .map(({ label, values }) => ({ label, values: values.filter(({ text }) => text !== '') }))
    .filter(({ values }) => values.length > 0);

/** A line as text: one value beside its label, several below it. */
function written({ label, values }: Line, bold: (text: string) => string, shown: (value: Value) => string): string[] {
  const [first] = values;
  if (values.length === 1 && first) return [`${bold(`${label}:`)} ${shown(first)}`];
  return [bold(`${label}:`), ...values.map((value) => `- ${shown(value)}`)];
}

const SLACK_HEADER = 150;
const SLACK_SECTION = 3_000;

/** Slack, incoming webhook: a header in plain text, a section, and links in a context block. */
function slackMessage(content: Content, links: ChatLinks) {
  const shown = ({ text, foreign: quoted }: Value) => (quoted ? `\`${escaped(text)}\`` : escaped(text));
  const lines = shownLines(content).flatMap((one) => written(one, (text) => `*${text}*`, shown));
  const leads = linksOf(links).map(([text, url]) => `<${escaped(url)}|${text}>`);
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
  return {
    text: escaped(titled(content)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: titled(content).slice(0, SLACK_HEADER), emoji: false } },
      { type: 'section', text: mrkdwn(joined(lines, SLACK_SECTION)) },
      ...(leads.length === 0 ? [] : [{ type: 'context', elements: [mrkdwn(leads.join(' · '))] }]),
    ],
  };
}

const DISCORD_TITLE = 256;
const DISCORD_VALUE = 1_024;
const DISCORD_DESCRIPTION = 4_096;
const DISCORD_FIELDS = 25;
const COLOURS: Readonly<Record<string, number>> = {
  critical: 0xa3121a,
  high: 0xd9480f,
  medium: 0xe8a317,
  low: 0x1a4fd0,
  info: 0x4d5768,
};

/** Discord, webhook: one embed without mentions. */
function discordMessage(content: Content, links: ChatLinks) {
  const plain = (text: string) => text.replace(/[\\`*_~|>#[\]()<@:-]/g, '\\$&');
  const shown = ({ text, foreign: quoted }: Value) => (quoted ? `\`${text}\`` : plain(text));
  const leads = linksOf(links).map(([text, url]) => `[${text}](${url})`);
  return {
    embeds: [
      {
        title: plain(titled(content)).slice(0, DISCORD_TITLE),
        ...(leads.length === 0 ? {} : { description: joined([leads.join(' · ')], DISCORD_DESCRIPTION) }),
        color: COLOURS[content.severity ?? 'info'] ?? COLOURS.info,
        timestamp: content.at,
        fields: shownLines(content)
          .slice(0, DISCORD_FIELDS)
          .map(({ label, values }) => ({
            name: label,
            value: joined(values.map(shown), DISCORD_VALUE),
            inline: false,
          })),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

const TELEGRAM_TEXT = 4_096;

/** Telegram, `sendMessage` of a bot. */
function telegramMessage(content: Content, links: ChatLinks, chatId: string) {
  const shown = ({ text, foreign: quoted }: Value) => (quoted ? `<code>${escaped(text)}</code>` : escaped(text));
  const leads = linksOf(links).map(([text, url]) => `<a href="${escaped(url).replaceAll('"', '&quot;')}">${text}</a>`);
  const footer = leads.length === 0 ? '' : `\n\n${leads.join(' · ')}`;
  const lines = [
    `<b>${escaped(titled(content))}</b>`,
    ...shownLines(content).flatMap((one) => written(one, (text) => `<b>${text}</b>`, shown)),
  ];
  return {
    chat_id: chatId,
    text: joined(lines, TELEGRAM_TEXT - footer.length) + footer,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
}

function linksOf({ open, mute }: ChatLinks): readonly (readonly [string, string])[] {
  return [
    ...(open === null ? [] : [['Open in Assay', open] as const]),
    ...(mute === null ? [] : [['Mute', mute] as const]),
  ];
}

/**
 * Seconds to wait as stated in the body of a refusal: `retry_after` of Discord, `parameters.retry_after` of Telegram;
 * null: not stated.
 */
export function retryAfterIn(body: Uint8Array | null): number | null {
  if (body === null) return null;
  try {
    const said: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const seconds = secondsIn(said) ?? secondsIn(isRecord(said) ? said.parameters : null);
    return seconds === null ? null : Math.ceil(seconds);
  } catch {
    return null;
  }
}

function secondsIn(value: unknown): number | null {
  const seconds = isRecord(value) ? value.retry_after : null;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
