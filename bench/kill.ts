import { killService } from '../test/support/durable-kills.ts';

/** Twenty kills with SIGKILL while requests come in and jobs run; the limit is none lost and none stuck. */
const KILLS = 20;
console.log(JSON.stringify(await killService(KILLS, true), null, 1));
