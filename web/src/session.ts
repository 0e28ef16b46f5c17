export { readKey } from './data/session.ts';
