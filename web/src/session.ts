export { keepKey, readKey } from './data/session.ts';
