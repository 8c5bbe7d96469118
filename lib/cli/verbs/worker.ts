/** `pilothouse worker`: takes queued runs until it is told to stop; then it lets go of them, and others go on. */
import type { Configuration } from '@/lib/config/environment';
import { EXIT } from '../exit-code';
import { say, type Shell } from '../shell';
import { withSystem } from '../with-system';

export function worker(shell: Shell, configuration: Configuration): Promise<number> {
  return withSystem({ configuration }, async (system) => {
    const stopping = new AbortController();
    shell.signals.onFirst((signal) => {
      say(shell, `pilothouse worker: ${signal}, stopping; once more stops at once`);
      stopping.abort();
    });
    say(shell, `pilothouse worker: takes runs, ${configuration.workers.runsPerProcess} at once; model: ${system.modelDescription}`);
    await system.createWorker().run(stopping.signal);
    say(shell, 'pilothouse worker: stopped');
    return EXIT.ok;
  });
}
