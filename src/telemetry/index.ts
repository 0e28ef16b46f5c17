/** Logs and metrics. */

export { createLogger } from './logger.ts';
export type { BacklogReader } from './metrics.ts';
export { createMetrics, type Metrics, serveMetrics } from './metrics.ts';
