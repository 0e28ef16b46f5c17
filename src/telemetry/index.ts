/** Logs and metrics. */
export type { BacklogReader } from './backlog.ts';
export { createLogger } from './logger.ts';
export { createMetrics, type Metrics, serveMetrics } from './metrics.ts';
