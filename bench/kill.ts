import { killService } from '../test/support/kills.ts';

/** Twenty kills with SIGKILL while jobs run; the limit is none lost and none stuck. */
const KILLS = 20;
console.log(JSON.stringify(await killService(KILLS)));
