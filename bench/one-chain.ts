import { parseArgs } from 'node:util';
import { open, score } from './capacity/run.ts';

/**
 * Listed assets of one chain, scored all at once by a service without a single key, with the sources' request budgets in force
 * on both sides: requests that GeckoTerminal had, what its questions were answered, and how long they waited for their turn.
 * `--pace 10` runs ten times as fast, as `bench/capacity.ts` does; seconds are told unscaled.
 */
const { values } = parseArgs({
  options: {
    assets: { type: 'string', default: '16' },
    chain: { type: 'string', default: 'solana' },
    pace: { type: 'string', default: '1' },
  },
});
const pace = Number(values.pace);
const side = await open(pace, 200, Date.now());
const wanted = side.sandbox.world.tokens
  .filter((asset) => asset.chain === values.chain && asset.traits.listed && asset.traits.site)
  .slice(0, Number(values.assets));
const startedAt = performance.now();
const scored = await Promise.all(wanted.map((asset) => score(side, asset)));
const seconds = ((performance.now() - startedAt) / 1000) * pace;

const rows = scored.flatMap(({ responses }) => responses).filter((row) => row.source === 'geckoterminal');
const questions = Object.fromEntries(
  [...new Set(rows.map((row) => row.endpoint))].sort().map((endpoint) => {
    const mine = rows.filter((row) => row.endpoint === endpoint);
    const waited = mine
      .filter((row) => row.outcome === 'ok')
      .map((row) => ((row.waitedMs ?? 0) / 1000) * pace)
      .sort((a, b) => a - b);
    return [
      endpoint,
      {
        asked: mine.length,
        answered: mine.filter((row) => row.outcome === 'ok').length,
        notAsked: mine.filter((row) => row.outcome === 'budget_spent').length,
        together: mine.filter((row) => row.detail?.startsWith('its part of the reply') === true).length,
        waitedSeconds: { median: round(waited[Math.floor((waited.length - 1) / 2)]), most: round(waited.at(-1)) },
      },
    ];
  }),
);
console.log(
  JSON.stringify(
    {
      chain: values.chain,
      assets: wanted.length,
      seconds: round(seconds),
      statuses: Object.fromEntries(
        [...new Set(scored.map((row) => row.code ?? String(row.status)))].map((code) => [
          code,
          scored.filter((row) => (row.code ?? String(row.status)) === code).length,
        ]),
      ),
      requests: side.sandbox.requests.get('geckoterminal') ?? 0,
      refused: side.sandbox.refused.get('geckoterminal') ?? 0,
      questions,
    },
    null,
    1,
  ),
);
await side.close();
process.exit(0);

function round(value = 0): number {
  return Math.round(value * 10) / 10;
}
