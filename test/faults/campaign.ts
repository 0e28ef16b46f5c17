import type { Claim, Finding, Size } from './claim.ts';
import { chanceOf, shuffled } from './claim.ts';
import { clockSteps } from './claims/clock-steps.ts';
import { cutClient } from './claims/cut-client.ts';
import { cutDatabase, silentDatabase } from './claims/cut-database.ts';
import { cutSources } from './claims/cut-sources.ts';
import { cutWebhook } from './claims/cut-webhook.ts';
import { eventStreams } from './claims/event-streams.ts';
import { failover } from './claims/failover.ts';
import { fullDisk } from './claims/full-disk.ts';
import { killRoles } from './claims/kill-roles.ts';
import { killService } from './claims/kill-service.ts';
import { memoryPressure } from './claims/memory-pressure.ts';
import { overload } from './claims/overload.ts';
import { poisonJob } from './claims/poison-job.ts';
import { restartDatabase } from './claims/restart-database.ts';
import { slowDatabase } from './claims/slow-database.ts';
import { slowHeads } from './claims/slow-heads.ts';
import { upstreamFaults } from './claims/upstream-faults.ts';

export interface Row {
  readonly claim: Claim;
  readonly finding: Finding;
  readonly seconds: number;
}

/** All faults of the campaign, in the order of the report. */
export const CLAIMS: readonly Claim[] = [
  killService,
  killRoles,
  failover,
  restartDatabase,
  fullDisk,
  slowDatabase,
  clockSteps,
  cutDatabase,
  silentDatabase,
  cutSources,
  cutClient,
  cutWebhook,
  upstreamFaults,
  memoryPressure,
  overload,
  slowHeads,
  eventStreams,
  poisonJob,
];

/**
 * Makes the faults of the named claims (all without names), `together` at once, in an order that the seed decides. What
 * throws is a broken promise too. Rows come in the order of `CLAIMS`.
 */
export async function runCampaign(
  size: Size,
  { only = [], together = 1, onRow = async () => undefined }: CampaignOptions = {},
): Promise<readonly Row[]> {
  const chosen = CLAIMS.filter(({ name }) => only.length === 0 || only.includes(name));
  const waiting = [...shuffled(chosen, chanceOf(size.seed, 'order'))];
  const rows: Row[] = [];
  const worker = async () => {
    for (let claim = waiting.shift(); claim; claim = waiting.shift()) {
      const startedAt = performance.now();
      const finding = await claim.run(size).catch(failed);
      const row = { claim, finding, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
      rows.push(row);
      await onRow(row);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  return rows.sort((a, b) => CLAIMS.indexOf(a.claim) - CLAIMS.indexOf(b.claim));
}

export interface CampaignOptions {
  readonly only?: readonly string[];
  readonly together?: number;
  readonly onRow?: (row: Row) => Promise<void>;
}

function failed(error: unknown): Finding {
  return { times: 0, broken: [error instanceof Error ? error.message : String(error)], figures: {} };
}
