/** Logs and metrics. */
export type { BacklogReader } from './backlog.ts';
export { createLogger } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { serveMetrics } from './serve-metrics.ts';
