import type { FullReply, ProblemReply } from './replies.ts';

const MOST_QUANTITIES = 14;

/** One reply of the service (or a view in its words) as a compact table. */
export function tableOf(title: string, reply: FullReply): string {
  const answered = reply.sources.filter((row) => row.items_used > 0).map((row) => `${row.name} ${row.items_used}`);
  const failed = reply.sources.filter((row) => row.outcome !== 'disabled' && row.items_used === 0 && row.asked > 0);
  const off = reply.sources.filter((row) => row.outcome === 'disabled').length;
  const known = reply.quantities.filter((row) => row.scope === 'asset' && row.value !== null);
  const silent = reply.quantities.filter((row) => row.value === null && row.voices.length > 0);
  const parts = Object.entries(reply.trust_score.components).map(([name, value]) => `${name} ${value}`);
  return [
    `## ${title}`,
    `  asset     ${reply.asset.id} (match ${reply.asset.identification.match}), ${reply.asset.category}, as of ${reply.as_of}, data mode ${reply.data_mode}`,
    `  rating    ${reply.rating.band}, score ${reply.rating.score ?? 'none'}; trust ${reply.trust_score.score} ${reply.trust_score.tier} (${parts.join(', ')})`,
    `  not rated ${reply.rating.not_rated_reasons.join('; ') || '-'}`,
    `  sources   gave values: ${answered.join(', ') || 'none'}; asked in vain: ${failed.map((row) => row.name).join(', ') || 'none'}; no recording, off: ${off}`,
    `  flags     ${reply.risk_flags.map((flag) => `${flag.code} (${flag.severity})`).join(', ') || '-'}`,
    `  known     ${known.length}: ${known.slice(0, MOST_QUANTITIES).map(quantityWords).join('; ')}${known.length > MOST_QUANTITIES ? '; ...' : ''}`,
    `  no value  ${silent.length}: ${[...new Set(silent.map((row) => `${row.quantity} (${[...new Set(row.voices.map((voice) => voice.reason))].join(', ')})`))].slice(0, MOST_QUANTITIES).join('; ') || '-'}`,
  ].join('\n');
}

/** A refusal as one line and what was tried. */
export function refusalOf(title: string, status: number, problem: ProblemReply): string {
  return [
    `## ${title}`,
    `  ${status} ${problem.code}: ${problem.detail}`,
    ...(problem.tried ?? []).map((line) => `    ${line}`),
  ].join('\n');
}

function quantityWords(row: FullReply['quantities'][number]): string {
  const value = JSON.stringify(row.value);
  const families = [...new Set(row.voices.filter((voice) => voice.accepted).map((voice) => voice.family))];
  return `${row.quantity} ${value.length > 44 ? `${value.slice(0, 41)}...` : value} [${families.join(', ')}]`;
}
