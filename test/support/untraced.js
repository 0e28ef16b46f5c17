import hooks from 'node:async_hooks';

/**
 * Loaded before `node:test`, which follows every promise and callback of the process to say which test an error came from: a third of
 * the processor time of a file that runs the service. Without that an error outside of every test fails its file; its trace is printed.
 */
const { createHook } = hooks;
hooks.createHook = () => ({ enable() {}, disable() {} });
await import('node:test');
hooks.createHook = createHook;

const fail = (error) => {
  console.error(error);
  process.exitCode = 1;
};
process.on('uncaughtExceptionMonitor', fail).on('unhandledRejection', fail);
