import { Gauge, type Registry } from 'prom-client';

/** One process on the database. */
export interface ProcessLine {
  readonly role: string;
  readonly version: string;
}

/** One read replica, by its place among the configured ones. */
export interface ReplicaLine {
  readonly place: number;
  readonly lagSeconds: number | null;
  readonly isRead: boolean;
}

/** Adds the gauge of processes by role and version: two versions side by side are an upgrade under way. */
export function watchProcesses(registry: Registry, read: () => readonly ProcessLine[]): void {
  new Gauge({
    name: 'assay_processes',
    help: 'Processes on the database that were heard of lately, by role and version.',
    labelNames: ['role', 'version'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { role, version } of read()) this.inc({ role, version });
    },
  });
}

/** Adds the gauges of read replicas. */
export function watchReplicas(registry: Registry, read: () => readonly ReplicaLine[]): void {
  const labelNames = ['place'] as const;
  new Gauge({
    name: 'assay_read_replica_lag_seconds',
    help: 'How far a read replica is behind at most; absent while it does not answer.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { place, lagSeconds } of read()) if (lagSeconds !== null) this.set({ place }, lagSeconds);
    },
  });
  new Gauge({
    name: 'assay_read_replica_read',
    help: '1 while a read replica is fresh enough to be read, 0 otherwise.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { place, isRead } of read()) this.set({ place }, isRead ? 1 : 0);
    },
  });
}
