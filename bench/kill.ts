import { killService } from '../test/support/durable-kills.ts';

/** Twenty kills with SIGKILL during requests and jobs; the limit is no lost and no stuck job. */
const KILLS = 20;
console.log(JSON.stringify(await killService(KILLS, true), null, 1));
