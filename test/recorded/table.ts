import type { FullReply, ProblemReply } from './replies.ts';

const MOST_LISTED = 24;

/** One reply of the service (or a view in its words) as a compact table. */
export function tableOf(title: string, reply: FullReply): string {
  const { rating, trust_score: trust, asset } = reply;
  const gave = reply.sources.filter((row) => row.items_used > 0).map((row) => `${row.name} (${row.items_used} values)`);
  const vain = reply.sources.filter((row) => row.outcome !== 'disabled' && row.items_used === 0 && row.asked > 0);
  const off = reply.sources.filter((row) => row.outcome === 'disabled').length;
  const whole = reply.quantities.filter((row) => row.scope === 'asset');
  const known = whole.filter((row) => row.voices.some((voice) => voice.accepted));
  const silent = whole.filter((row) => row.voices.length > 0 && !row.voices.some((voice) => voice.accepted));
  const scoped = new Set(reply.quantities.filter((row) => row.scope !== 'asset').map((row) => row.scope));
  const parts = Object.entries(trust.components).map(([name, value]) => `${name} ${value}`);
  return [
    title,
    `  asset     ${asset.id}, ${asset.symbol}, ${asset.category}, match ${asset.identification.match}, as of ${reply.as_of.slice(0, 19)}Z, data mode ${reply.data_mode}`,
    `  rating    ${rating.band}, score ${rating.score ?? 'none'}; trust ${trust.score} ${trust.tier}: ${parts.join(', ')}`,
    `  not rated ${rating.not_rated_reasons.join('; ') || '-'}`,
    `  sources   answered: ${gave.join(', ') || 'none'}; asked in vain: ${vain.map((row) => row.name).join(', ') || 'none'}; off: ${off}`,
    `  flags     ${reply.risk_flags.map((flag) => `${flag.code} (${flag.severity})`).join(', ') || '-'}`,
    `  known ${String(known.length).padEnd(3)} ${listed(known.map(quantityWords)) || '-'}${scoped.size > 0 ? `; and of ${scoped.size} pools or registries` : ''}`,
    `  unused ${String(silent.length).padEnd(2)} ${listed(silent.map(silentWords)) || '-'}`,
  ].join('\n');
}

/** A refusal and what was tried. */
export function refusalOf(title: string, status: number, problem: ProblemReply): string {
  const tried = (problem.tried ?? []).filter((line) => !line.endsWith(': disabled'));
  return [`${title}`, `  ${status} ${problem.code}`, `  tried     ${tried.join('; ')}`].join('\n');
}

type Quantity = FullReply['quantities'][number];

function listed(words: readonly string[]): string {
  return `${words.slice(0, MOST_LISTED).join('; ')}${words.length > MOST_LISTED ? `; ${words.length - MOST_LISTED} more` : ''}`;
}

function quantityWords(row: Quantity): string {
  const accepted = row.voices.filter((voice) => voice.accepted);
  const families = [...new Set(accepted.map((voice) => voice.family))].join(', ');
  return `${row.quantity} ${accepted.some((voice) => !voice.withheld) ? short(row.value) : '(withheld)'} [${families}]`;
}

function silentWords(row: Quantity): string {
  return `${row.quantity} (${[...new Set(row.voices.map((voice) => voice.reason))].join(', ')})`;
}

function short(value: unknown): string {
  const text = typeof value === 'number' ? String(Number(value.toPrecision(10))) : JSON.stringify(value);
  return text.length > 44 ? `${text.slice(0, 41)}...` : text;
}
