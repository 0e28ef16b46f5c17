/** The tools for agents (Model Context Protocol). */
export type { Ask } from './ask.ts';
export { askOverHttp, readJson, textOverHttp } from './ask-over-http.ts';
