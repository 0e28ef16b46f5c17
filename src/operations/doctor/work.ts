import { canonicalIpRange } from '../../domain/index.ts';
import type { Backlog, IndexLag, Marks } from '../../store/index.ts';
import { type Finding, good, watch, wrong } from './finding.ts';

const WAIT_SECONDS = 300;
const DUE_SECONDS = 21_600;
const FUTURE_SECONDS = 60;
const LATE_SECONDS = { watch: 900, wrong: 7_200 };

/** Ranges that an earlier version took and none can be read in: they allow nobody. */
function allowLists({ limitedKeys }: Marks): readonly Finding[] {
  return limitedKeys.flatMap(({ id, ranges }) => {
    const unreadable = ranges.filter((range) => canonicalIpRange(range) === null);
    if (unreadable.length === 0) return [];
    const named = unreadable.slice(0, 5).map((range) => JSON.stringify(range.slice(0, 60)));
    return [
      watch(
        'keys',
        `allowed_ips of ${id} holds ${named.join(', ')}, which is no address or range: it allows nobody`,
        'make a key with the right ranges (`assay keys create --ips ...`) and revoke this one',
      ),
    ];
  });
}

/** Keys, jobs, webhooks: what waits for somebody. */
export function judgeWork(facts: Backlog & Marks): readonly Finding[] {
  return [
    facts.adminKeys > 0
      ? good('keys', `${facts.adminKeys} admin ${facts.adminKeys === 1 ? 'key' : 'keys'} in force`)
      : wrong('keys', 'no key in force may administer', 'make one: `assay keys create --name admin --scopes admin`'),
    ...allowLists(facts),
    jobs(facts),
    ratings(facts),
    ...parked(facts),
    facts.futureSeconds > FUTURE_SECONDS
      ? wrong(
          'dates',
          `the newest job is dated ${Math.round(facts.futureSeconds)} s ahead of our clock: a clock was or is wrong`,
          'switch on time synchronisation; ratings dated by the wrong clock keep their dates',
        )
      : good('dates', 'nothing is dated ahead of our clock'),
    webhooks(facts),
  ];
}

/** How far snapshots of indexed assets are behind their plan. */
export function judgeIndex(lag: readonly IndexLag[]): Finding {
  const late = lag.filter((row) => row.lateSecondsP99 > LATE_SECONDS.watch);
  const worst = [...late].sort((a, b) => b.lateSecondsP99 - a.lateSecondsP99)[0];
  if (worst === undefined) {
    const assets = lag.reduce((most, row) => Math.max(most, row.assets), 0);
    return good('index', assets === 0 ? 'no asset is indexed' : 'every chain is in time');
  }
  const words = `${worst.chain} ${worst.kind} is ${Math.round(worst.lateSecondsP99 / 60)} minutes behind (99 % of ${worst.assets} assets are better), ${worst.failing} failing`;
  const mend =
    '`assay sources check` tells whether the sources answer; own nodes (ASSAY_SOURCE_..._URL) lift public limits; GET /v1/status names the failing assets';
  return worst.lateSecondsP99 > LATE_SECONDS.wrong ? wrong('index', words, mend) : watch('index', words, mend);
}

/** Closed days whose files are not there. */
export function judgeExports(missing: readonly string[]): Finding {
  if (missing.length === 0) return good('exports', 'every closed day is published');
  return wrong(
    'exports',
    `closed and not published: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? `, and ${missing.length - 5} more` : ''}`,
    'run `assay export build`; it says what stands in the way (often a full disk or the rights on the exports folder)',
  );
}

function jobs({ lostJobs, waitingJobs, oldestWaitingSeconds }: Backlog): Finding {
  if (lostJobs > 0)
    return wrong(
      'jobs',
      `${lostJobs} jobs are marked as running and nobody works on them`,
      'start a service on this database: it takes them up, or gives them up, within seconds',
    );
  if (oldestWaitingSeconds > WAIT_SECONDS)
    return wrong(
      'jobs',
      `${waitingJobs} jobs wait, the oldest for ${Math.round(oldestWaitingSeconds / 60)} minutes`,
      'is a service running on this database? If so, raise ASSAY_CONCURRENT_JOBS or start another process',
    );
  return good(
    'jobs',
    waitingJobs === 0 ? 'none waits' : `${waitingJobs} wait, the oldest for ${Math.round(oldestWaitingSeconds)} s`,
  );
}

function ratings({ oldestDueSeconds }: Backlog): Finding {
  const hours = Math.round(oldestDueSeconds / 3_600);
  return oldestDueSeconds > DUE_SECONDS
    ? watch(
        'ratings',
        `a monitored asset has waited ${hours} hours for its rating`,
        'is a service running on this database, with ASSAY_MONITOR_JOBS above 0? If so the limits of public sources are the reason: set keys, or nodes of your own',
      )
    : good('ratings', 'no monitored asset has waited long for its rating');
}

function parked({ parkedJobs, parkedJob }: Marks): readonly Finding[] {
  if (parkedJobs === 0) return [];
  return [
    watch(
      'parked jobs',
      `${parkedJobs} scores of the last day were given up: the process that had them ended, twice (one is ${parkedJob})`,
      'the log before each restart says why it ended; a project that ends a process each time should be told to us',
    ),
  ];
}

function webhooks({ webhooksOff, webhooksFailing, messagesLate }: Backlog): Finding {
  if (webhooksOff > 0)
    return wrong(
      'webhooks',
      `${webhooksOff} were switched off after failing for days`,
      'ask their owners to mend the receiver and to switch them on again (PUT /v1/webhooks/{id})',
    );
  if (webhooksFailing > 0 || messagesLate > 0)
    return watch(
      'webhooks',
      `${webhooksFailing} are failing, ${messagesLate} messages are late`,
      'GET /v1/webhooks/{id}/deliveries says what the receivers answered',
    );
  return good('webhooks', 'all are delivered');
}
