/** The tools for agents (Model Context Protocol). */
export type { Ask } from './ask.ts';
export { askOverHttp, readJson } from './ask-over-http.ts';
