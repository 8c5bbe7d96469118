// Which processes belong to a command, and ending them. Shared by the worker and by
// the watcher, which is started as a plain file: hence JavaScript and no imports
// but Node's.
import { readFileSync, readdirSync } from 'node:fs';

/**
 * The environment variable whose value marks the processes of an unsandboxed
 * command: children inherit it, through setsid and double forks alike.
 */
export const MARKER_VARIABLE = 'PILOTHOUSE_COMMAND';

/**
 * The living processes (zombies are dead) of the command whose leader has the pid
 * and process group `group`: members of that group or session, processes that carry
 * `marker` in their environment, and all their descendants.
 *
 * Not found: a process that has left the session, lost its parent *and* cleared its
 * environment. Inside bubblewrap none can: the end of its pid namespace ends all.
 * Where there is no /proc, only the group itself can be seen.
 */
export function findCommandProcesses(group, marker) {
  const processes = readProcesses();
  if (processes === null) return isGroupAlive(group) ? [-group] : [];
  const found = new Set();
  for (const process_ of processes.values()) {
    if (process_.group === group || process_.session === group || carries(process_.pid, marker)) found.add(process_.pid);
  }
  // A parent that is already listed brings in its children, until nothing is added.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const process_ of processes.values()) if (found.has(process_.parent)) found.add(process_.pid);
  }
  // Dead parents had to be there for their children's sake.
  return [...found].filter((pid) => pid !== process.pid && !isDead(processes.get(pid).state));
}

/** Sends KILL to the group and to all that belong to it. @returns how many were still alive before. */
export function killCommandProcesses(group, marker) {
  // Looked for first: a killed parent no longer leads to its children.
  const pids = findCommandProcesses(group, marker);
  send(-group, 'SIGKILL');
  for (const pid of pids) send(pid, 'SIGKILL');
  return pids.length;
}

/** Sends a signal to a process, or with a negative number to a group. @returns whether somebody was there to get it. */
export function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether the process has ended, waited for by its parent or not. Without /proc: whether nobody answers to the pid. */
export function hasEnded(pid) {
  const processes = statOf(pid);
  if (processes === undefined) return !send(pid, 0);
  return processes === null || isDead(processes.state);
}

function isDead(state) {
  return state === 'Z' || state === 'X';
}

function isGroupAlive(group) {
  return send(-group, 0);
}

/** null where there is no /proc. */
function readProcesses() {
  if (process.platform !== 'linux') return null;
  let names;
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  const processes = new Map();
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (stat) processes.set(stat.pid, stat);
  }
  return processes;
}

/** undefined where there is no /proc, null where there is no such process. */
function statOf(pid) {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may itself hold spaces and parentheses.
    const [state, parent, group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, state, parent: Number(parent), group: Number(group), session: Number(session) };
  } catch {
    return null;
  }
}

function carries(pid, marker) {
  if (marker === null) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${MARKER_VARIABLE}=${marker}`);
  } catch {
    return false;
  }
}
