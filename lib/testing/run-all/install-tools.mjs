import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Command → Debian package that brings it. */
const TOOLS = { bwrap: 'bubblewrap', git: 'git', chromium: 'chromium' };

/**
 * Installs the programs that tests need and this machine lacks, where that is
 * possible without asking (root on Debian). Says what stays missing; tests that need
 * it then say that they were skipped.
 */
export function installTools() {
  const missing = () => Object.entries(TOOLS).filter(([command]) => !isThere(command));
  if (missing().length === 0) return;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const packages = missing().map(([, name]) => name);
    console.log(`installing ${packages.join(', ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...words) => spawnSync('apt-get', words, { stdio: ['ignore', 'ignore', 'inherit'], env });
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  }
  for (const [command, name] of missing()) console.log(`not installed: ${command} (package ${name}); tests that need it are skipped`);
}

function isThere(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
