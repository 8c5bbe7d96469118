/**
 * Node's HTTP client gives up after 300 seconds of silence, whatever idle limit is
 * configured, and its limits can only be set on a dispatcher. That class is part of
 * Node but not exported, so it is taken from the dispatcher that Node itself uses;
 * a proxy that was set up through the environment stays in force by that. Where this
 * does not work the default limits stay, and end an attempt as a timeout too.
 */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

let ofThisProcess: object | undefined;

/** For the `dispatcher` option of `fetch`: waits as long as it is let. One connection pool a process. */
export function patientDispatcher(): object | undefined {
  ofThisProcess ??= createPatientDispatcher();
  return ofThisProcess;
}

function createPatientDispatcher(): object | undefined {
  // The first use of any of its classes makes Node load its HTTP client.
  new Headers();
  const used = (globalThis as Record<symbol, unknown>)[GLOBAL_DISPATCHER];
  if (typeof used !== 'object' || used === null) return undefined;
  try {
    const Dispatcher = used.constructor as new (options: object) => object;
    return new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 });
  } catch {
    return undefined;
  }
}
