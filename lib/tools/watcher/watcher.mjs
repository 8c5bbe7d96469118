// The watcher: ends the commands of a worker that died or lost its lease.
//
// A process of its own, in a session of its own, so that neither SIGKILL, SIGSTOP
// nor a terminal's signal to the worker reaches it. It hears lines on stdin:
//
//     watch <id> <group> <marker or ->   answered by `watching <id>`, or by `refused <id>`
//     unwatch <id>                       when the lease is over
//     deadline <ms>                      the lease lasts until then, on the monotonic clock
//
// End of input means that the worker is gone: every watched command is killed, and the
// watcher ends. A passed deadline means that the worker may not act any more, for
// instance because it is stopped: every watched command is killed (`killed <id>`), and
// nothing is watched until a later deadline comes.
import { createInterface } from 'node:readline';
import { killCommandProcesses } from './find-processes.mjs';

const PASSES_APART_MS = 20;
const MAX_PASSES = 250;

/** id → { group, marker } */
const watched = new Map();
let deadline = Infinity;
let timer;

// A service manager that ends a whole group politely must not end this before the worker.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
// The worker may be gone when an answer is written.
process.stdout.on('error', () => {});
process.stdin.on('error', () => {});

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', hear);
lines.on('close', () => killUntilGone([...watched.values()], 0));

function hear(line) {
  const [verb, id, group, marker] = line.split(' ');
  if (verb === 'watch') {
    if (isOver()) return say('refused', id);
    watched.set(id, { group: Number(group), marker: marker === '-' ? null : marker });
    say('watching', id);
  } else if (verb === 'unwatch') {
    watched.delete(id);
  } else if (verb === 'deadline') {
    deadline = Number(id);
    clearTimeout(timer);
    timer = setTimeout(expire, Math.min(Math.max(0, deadline - now()), 2 ** 31 - 1));
  }
}

function expire() {
  // Beats may already lie in the pipe when this process was late itself: they are
  // read before anything is killed.
  setImmediate(() => {
    if (!isOver()) return;
    for (const id of watched.keys()) say('killed', id);
    killUntilGone([...watched.values()], 0, false);
  });
}

/** Repeated, because a process may fork while the list is made. */
function killUntilGone(commands, pass, last = true) {
  let alive = 0;
  for (const { group, marker } of commands) alive += killCommandProcesses(group, marker);
  if (alive > 0 && pass < MAX_PASSES) setTimeout(killUntilGone, PASSES_APART_MS, commands, pass + 1, last);
  else if (last) process.exit(0);
}

function isOver() {
  return now() >= deadline;
}

/** Shared by all processes of the machine. */
function now() {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function say(verb, id) {
  process.stdout.write(`${verb} ${id}\n`);
}
