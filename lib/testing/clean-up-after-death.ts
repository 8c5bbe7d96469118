import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Ends the test server below `home` and removes everything in there when this
 * process dies, however: Ctrl-C and kill -9 leave no time for a teardown. A process
 * of its own waits for its stdin to end, which it does with us.
 *
 * After an orderly teardown there is nothing left for it to do.
 */
export function cleanUpAfterDeath(home: string): void {
  const script = `
    cat > /dev/null
    pid=$(head -n 1 "$1/data/postgresql/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" && sleep 1
    rm -rf "$1"`;
  const watcher = spawn('/bin/sh', ['-c', script, 'pilothouse-test-cleaner', home], {
    detached: true, // or Ctrl-C would reach it too
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => undefined); // no shell, no cleaning: the tests themselves do not need it
  watcher.unref();
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
}
