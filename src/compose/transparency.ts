import { openLog, readWitnessKey, type TransparencyLog } from '../transparency/index.ts';
import type { Foundation } from './foundation.ts';

/**
 * The log of published ratings in the database of the service. Throws if the key of a configured witness is invalid.
 */
export function openTransparencyLog({
  config,
  store,
  signer,
  now,
}: Pick<Foundation, 'config' | 'store' | 'signer' | 'now'>): TransparencyLog {
  const witnesses = config.logWitnesses.map((text) => {
    const key = readWitnessKey(text);
    if (key === null) throw new Error(`ASSAY_LOG_WITNESSES: ${text} is no key of a witness, or its hash is of another`);
    return key;
  });
  return openLog({ db: store.db, signer, witnesses, now });
}

/** Appends waiting ratings to the log at a fixed interval. */
export function integrateRepeatedly(
  log: Pick<TransparencyLog, 'integrate'>,
  everyMs: number,
  onError: (error: unknown, what: string) => void,
): { readonly close: () => Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  let isIdle = true;
  const integrate = () => {
    if (!isIdle) return;
    isIdle = false;
    running = log
      .integrate()
      .catch((error: unknown) => onError(error, 'transparency log'))
      .finally(() => {
        isIdle = true;
      });
  };
  const timer = setInterval(integrate, everyMs);
  integrate();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
