import { parseArgs } from 'node:util';
import type { Plan } from '../access/index.ts';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

export const plansCommand: Command = {
  ...MANUAL.plans,
  async run(args, { terminal, plans }) {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
    const book = await plans();
    if (values.json) terminal.out(JSON.stringify(book.plans));
    else for (const plan of book.plans) for (const line of linesOf(plan)) terminal.out(line);
    return 0;
  },
};

function linesOf(plan: Plan): readonly string[] {
  const price = plan.priceUsdPerMonth === null ? 'not sold by itself' : `$${plan.priceUsdPerMonth.toFixed(2)} a month`;
  const most = (limit: number | null) => (limit === null ? 'any number of' : String(limit));
  const names = (list: readonly string[] | '*') => (list === '*' ? 'all' : list.join(', ') || 'none');
  const freshness = plan.freshnessGridSeconds === 0 ? 'newest' : `every ${plan.freshnessGridSeconds} s`;
  const { sla } = plan;
  return [
    `${plan.name}  ${plan.title}, ${price}`,
    `  scopes ${names(plan.scopes)}; chains ${names(plan.chains)}; exports ${names(plan.exports)}; snapshots ${freshness}`,
    `  ${most(plan.requestsPerMinute)} requests a minute, ${most(plan.requestsPerDay)} a day (UTC); batches of ${plan.batchSize}; ${most(plan.concurrentScoringJobs)} scoring jobs at once; ${most(plan.freshRatingsPerDay)} fresh ratings and ${most(plan.collectionsPerDay)} collections a day`,
    `  watchlist of ${plan.watchlistSize}; ${plan.webhooks} webhooks; ${plan.streamConnections} streams`,
    ...(sla === null
      ? []
      : [
          `  promised: ${sla.availabilityPct} % available, market data no older than ${sla.marketAgeSeconds} s, 99 % of reads within ${sla.latencyP99Ms} ms`,
          `  owed: ${sla.credits.map((step) => `${step.creditPct} % below ${step.belowPct} %`).join(', ')}; ${sla.freshnessCreditPct} % for freshness, ${sla.latencyCreditPct} % for latency`,
        ]),
  ];
}
