import type { World } from './openapi-scenario.ts';

const EMBER = { type: 'posttge', project: 'Emberlight', project_url: 'https://emberlight.example/' };
const FIRST_DAY = '2026-11-20';
const TIDE = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' };

/** Uses every operation of the service, in an order in which each has something to show. */
export async function useEverything(world: World): Promise<void> {
  await firstDay(world);
  await correctedRatings(world);
  await publishedLog(world);
  await chainData(world);
  await exportsOfTheDay(world);
  await whatFollows(world);
}

async function firstDay(world: World): Promise<void> {
  const { ask, askUntil } = world;
  for (const id of ['getLiveness', 'getReadiness', 'listPlans', 'listSigningKeys', 'listChains']) await ask(id);
  await ask('getMethodology');
  await ask('listMethodologyChanges');
  await ask('getChangelog');
  await ask('getCalibration');
  await ask('getMethodologyVersion', { path: { version: '0.2.0' } });
  await ask('listRegisters');
  await ask('listRegisterRows', { path: { name: 'issuers' }, query: { limit: '1' } });
  await ask('getRegisterSchema', { path: { name: 'outages' } });
  await keys(world);
  await ask('proveSources');
  await askUntil('getSetup', {}, ({ proof }) => proof.state === 'finished');

  const { job_id } = await steadyScore(world, EMBER, true);
  await ask('getJob', { path: { id: job_id }, query: { output_format: 'minimal' } });
  await ask('streamJobEvents', { path: { id: job_id } });
  await ask('getJobEvidence', { path: { id: job_id } });
  const other = { type: 'posttge', project: 'Quillpond', project_url: 'https://quillpond.example/' };
  const begun = await ask('scoreProject', { body: other, headers: { prefer: 'respond-async' }, keep: false });
  // A job that still waits is cancelled at once; one that works may leave its collection going. What follows needs its rating.
  await askUntil('getJob', { path: { id: begun.job_id }, keep: false }, (job) => job.state !== 'queued');
  await ask('cancelJob', { path: { id: begun.job_id } });
  // 409 `cancelled` until the cancelled job has ended: the same words join it.
  await askUntil('scoreProject', { body: other, keep: false }, () => true);

  await ask('watchAsset', {
    path: { asset: 'EMBR' },
    body: { note: 'collateral', thresholds: { min_score_change: 2 } },
  });
  await ask('listWhitelist');
  const hook = await ask('createWebhook', { body: { url: 'https://hooks.example.com/assay' } });
  await ask('listWebhooks');
  await ask('testWebhook', { path: { id: hook.id } });
  const mute = await ask('muteWebhook', { path: { id: hook.id }, body: { kind: 'score_change', days: 7 } });
  await ask('listMutes', { path: { id: hook.id } });
  await ask('unmuteWebhook', { path: { id: hook.id, mute: mute.id } });
}

async function keys({ ask, askUntil }: World): Promise<void> {
  const made = await ask('createKey', {
    body: { name: 'risk desk', scopes: ['rms:read', 'rms:write'], plan: 'RATING' },
  });
  const next = await ask('rotateKey', { path: { id: made.id }, body: { overlap_seconds: 3_600 } });
  await ask('revokeKey', { path: { id: next.id } });
  await ask('listKeys');
  await ask('getAccount');
  const own = await ask('createAccountKey', { body: { name: 'desk of the account', scopes: ['rms:read'] } });
  const after = await ask('rotateAccountKey', { path: { id: own.id }, body: { overlap_seconds: 3_600 } });
  await ask('revokeAccountKey', { path: { id: after.id } });
  await ask('listAccountKeys');
  const bulk = await ask('createBulkJob', { body: { rows: ['https://tidewell.example/', '0x123456789'] } });
  await askUntil('getBulkJob', { path: { id: bulk.bulk_id } }, (one) => one.state !== 'running');
  await ask('listBulkRows', { path: { id: bulk.bulk_id } });
  await ask('listBulkJobs');
  const other = await ask('createBulkJob', { body: { rows: ['https://hivecoin.example/'] }, keep: false });
  await ask('cancelBulkJob', { path: { id: other.bulk_id } });
}

async function publishedLog({ ask, askUntil, cosign }: World): Promise<void> {
  const note = String(await askUntil('getCheckpoint', {}, (text) => Number(text.split('\n')[1]) > 1));
  await ask('listCheckpoints', { query: { limit: '1' } });
  await ask('listLogEntries', { query: { limit: '2' } });
  await ask('getConsistencyProof', { query: { from: '1', to: note.split('\n')[1] ?? '' } });
  await ask('listRatingProofs', { path: { asset: 'TIDE' }, query: { limit: '1' } });
  await ask('addCosignature', { body: { note: cosign(note) } });
}

async function correctedRatings(world: World): Promise<void> {
  const { ask, addressOf } = world;
  const tide = await steadyScore(world, TIDE);
  for (const name of ['Gonedoor', 'Whalepond'])
    await steadyScore(world, { type: 'posttge', project: name, project_url: `https://${name.toLowerCase()}.example/` });
  await ask('getForensics', { path: { asset: addressOf('gonedoor') } });
  await ask('getClusters', { path: { asset: addressOf('whalepond') } });
  await ask('getBreakdown', { path: { asset: 'TIDE' } });
  await ask('getOverview');
  await ask('getPeers', { path: { asset: 'TIDE' } });
  await ask('getCounterfactual', { path: { asset: 'TIDE' } });
  await ask('batchRatings', { body: { assets: ['TIDE', 'NOSUCH'] } });
  await ask('listPolicyPresets');
  await ask('checkPolicy', { body: { asset: 'TIDE', preset: 'treasury', amount_usd: 50_000 } });
  const csv = 'asset,value_usd\nTIDE,50000\nEMBR,25000\nNOSUCH,1000\n';
  await ask('checkPortfolio', { body: { csv, preset: 'treasury', simulation: { seed: 7, runs: 1_000 } } });
  const claim = 'The founder’s tokens are locked until 2028; the lock is shown at https://tidewell.example/lock.';
  const dispute = await ask('createDispute', { body: { asset: 'TIDE', claim, contact: 'team@tidewell.example' } });
  await ask('getDispute', { path: { id: dispute.id } });
  await world.restate(tide.job_id, ['github'], 'The repositories read were those of another project.');
  const { data } = await ask('listRestatements');
  const resolution = 'The lock is there, and was read as unlocked. The rating was corrected.';
  const body = { state: 'restated', resolution, restatement_id: data[0].id };
  await ask('resolveDispute', { path: { id: dispute.id }, body });
  await ask('listDisputes');
  await ask('listAllDisputes');
  await appealsOf(world, data[0].id);
  await ask('getReceipt', { path: { receipt: await world.buy('/v1/rms/TIDE') } });
}

async function appealsOf({ ask, publish, secondKey }: World, restatementId: number): Promise<void> {
  await ask('getDossier', { path: { asset: 'TIDE' } });
  const claim = 'The repositories are those of another project; ours is named on our site.';
  const objection = await ask('createObjection', { body: { asset: 'TIDE', claim } });
  await ask('getObjection', { path: { reference: objection.reference } });
  const { reference, task } = await ask('openAppeal', { body: { asset: 'TIDE' } });
  publish(task.dns.name, task.dns.value);
  await ask('proveAppeal', { path: { reference }, body: { method: 'dns' } });
  const evidence = { statement: claim, links: ['https://tidewell.example/code'] };
  await ask('addAppealEvidence', { path: { reference }, body: evidence });
  const { data } = await ask('listAppeals');
  const finding = 'The repositories were those of another project. The rating was corrected.';
  const body = { decision: 'corrected', finding, restatement_id: restatementId };
  await ask('reviewAppeal', { path: { id: data[0].id }, body });
  const headers = { 'x-api-key': await secondKey() };
  await ask('reviewAppeal', { path: { id: data[0].id }, body, headers, keep: false });
  await ask('getAppeal', { path: { reference } });
}

/** A snapshot, and not the 202 that says when it will be. */
const isRead = ({ code }: { readonly code?: string }) => code !== 'no_snapshot_yet';

async function chainData({ ask, askUntil, addressOf }: World): Promise<void> {
  const [moon, quill] = [addressOf('moonbadger'), addressOf('quillpond')];
  await ask('indexAsset', { path: { chain: 'base', asset: quill }, body: { cadence: 'newest' } });
  await ask('getIndexedAsset', { path: { chain: 'base', asset: quill } });
  await ask('listIndex', { path: { chain: 'base' } });
  await ask('indexAsset', { path: { chain: 'solana', asset: moon }, body: { cadence: 'newest' }, keep: false });
  const snapshots = ['MarketSnapshot', 'HoldersSnapshot', 'Pools'];
  for (const name of snapshots) {
    await askUntil(`getSolana${name}`, { path: { asset: moon } }, isRead);
    await askUntil(`get${name}`, { path: { chain: 'base', asset: quill } }, isRead);
  }
  for (const name of ['Market', 'Holders', 'Liquidity', 'Pools']) {
    await ask(`listSolana${name}History`, { path: { asset: moon }, query: { limit: '1' } });
    await ask(`list${name}History`, { path: { chain: 'base', asset: quill }, query: { limit: '1' } });
  }
  const followed = { assets: quill, kinds: 'market' };
  await ask('streamChain', { path: { chain: 'base' }, query: followed, until: ']}\n\n' });
  const line = { figure: 'liquidity_usd', condition: 'falls', value: 20, window_seconds: 3_600, severity: 'high' };
  const place = { path: { chain: 'base', asset: quill } };
  await ask('setThresholds', { ...place, body: { thresholds: [line], note: 'collateral' } });
  await ask('getThresholds', place);
  await ask('listThresholds', { path: { chain: 'base' } });
  await ask('removeThresholds', place);
  await ask('getStatus');
}

async function exportsOfTheDay(world: World): Promise<void> {
  const { ask, askUntil } = world;
  // Days are published when a service starts, and once a minute.
  world.day(1);
  await world.restart();
  const isWhole = ({ data }: { data: readonly { date: string }[] }) => data.some((day) => day.date === FIRST_DAY);
  await askUntil('getRatingManifest', {}, isWhole);
  await askUntil('getSolanaManifest', {}, isWhole);
  await askUntil('getChainManifest', { path: { chain: 'base' } }, isWhole);
  const query = { date: FIRST_DAY };
  await ask('getRatingExport', { query });
  await ask('getCurrentRatings', { query: { limit: '2' } });
  await ask('getSolanaExport', { query });
  await ask('getChainExport', { path: { chain: 'base' }, query });
  await ask('unindexAsset', { path: { chain: 'base', asset: world.addressOf('quillpond') } });
  world.day(2);
  await world.restart();
  const isNextWhole = ({ data }: { data: readonly { date: string }[] }) =>
    data.some((day) => day.date === '2026-11-21');
  await askUntil('getRatingManifest', { keep: false }, isNextWhole);
  await ask('getRatingChanges', { query: { from: FIRST_DAY, to: '2026-11-21' } });
}

async function whatFollows(world: World): Promise<void> {
  const { ask, askUntil } = world;
  // From day 6 on a plain key may mint it.
  world.day(6);
  await ask('getRating', { path: { asset: 'EMBR' }, query: { fresh: 'true' } });
  // Rated once at this moment: of two ratings of one time, neither is signed.
  await ask('getAttestation', { path: { asset: 'EMBR' } });
  await ask('listRevocations', { query: { limit: '1' } });
  for (const id of ['listRatingHistory', 'listRatingActions'])
    await ask(id, { path: { asset: 'EMBR' }, query: { from: '2026-11-20T00:00:00Z', limit: '2' } });
  await ask('listRatings', { query: { limit: '2' } });
  await ask('listAllRatingActions', { query: { limit: '2' } });

  await ask('subscribeToDrift', { body: { sources: ['coingecko'] } });
  await ask('getDriftSubscription');
  await ask('unsubscribeFromDrift');
  const { data: alerts } = await ask('listAlerts', { query: { limit: '3' } });
  await ask('acknowledgeAlert', { path: { id: String(alerts[0].id) } });
  await ask('streamAlerts', { headers: { 'last-event-id': '0' }, until: 'id: 2\n' });
  await ask('unwatchAsset', { path: { asset: 'EMBR' } });
  const [hook] = (await ask('listWebhooks', { keep: false })).data;
  const path = { id: hook.id };
  await ask('getWebhook', { path });
  const { data: deliveries } = await ask('listDeliveries', { path, query: { limit: '2' } });
  await ask('replayDelivery', { path: { ...path, delivery: deliveries[0].id } });
  await ask('replayWebhook', { path, body: { since: '2026-11-20T00:00:00Z' } });
  await ask('changeWebhook', { path, body: { kinds: ['band_transition'] } });
  await ask('rotateWebhookSecret', { path, body: { overlap_seconds: 3_600 } });
  await ask('removeWebhook', { path });

  await askUntil('getTrackRecord', {}, () => true);
  await ask('listMisses');
  await ask('getUsage');
  await ask('getStatement');
}

const STEADY_ATTEMPTS = 5;

/** On a loaded machine sources miss their deadlines: what they did not say is asked again. */
async function steadyScore({ ask }: World, body: unknown, keep = false) {
  for (let attempt = 1; ; attempt += 1) {
    const score = await ask('scoreProject', { body, keep });
    const late = score.sources.some(({ outcome }: { outcome: string }) => /timeout|deadline|unreachable/.test(outcome));
    if (!late || attempt === STEADY_ATTEMPTS) return score;
  }
}
