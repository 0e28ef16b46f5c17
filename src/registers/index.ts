export { observeRegisters, type RegisterRow, type RegisterRows } from './observe.ts';
