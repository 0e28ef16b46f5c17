/** The tools for agents (Model Context Protocol). */
export type { SendRequest } from './request.ts';
export { readJson, requestOverHttp, textOverHttp } from './request-over-http.ts';
