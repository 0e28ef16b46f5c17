import hooks, { AsyncResource } from 'node:async_hooks';

/**
 * Loaded before `node:test`, which follows every promise and callback of the process to say which test an error came from: a third of
 * the processor time of a file that runs the service. Here it is told of the suites and tests alone, when they begin: what a suite
 * declares is its own, as ever. An error outside of every test fails its file; its trace is printed.
 */
const { createHook } = hooks;
let noted = null;
hooks.createHook = ({ init }) => {
  noted = init;
  return { enable() {}, disable() {} };
};
await import('node:test');
hooks.createHook = createHook;

const OF_TESTS = new Set(['Test', 'Suite', 'TestHook']);
const { runInAsyncScope } = AsyncResource.prototype;
AsyncResource.prototype.runInAsyncScope = function (run, ...rest) {
  if (OF_TESTS.has(this.constructor.name)) noted?.(this.asyncId(), 'Test', this.triggerAsyncId(), this);
  return runInAsyncScope.call(this, run, ...rest);
};

const fail = (error) => {
  console.error(error);
  process.exitCode = 1;
};
process.on('uncaughtExceptionMonitor', fail).on('unhandledRejection', fail);
