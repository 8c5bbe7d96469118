/** `pilothouse start`: what runs on one machine. Until there is a web server, that is the worker. */
import type { Configuration } from '@/lib/config/environment';
import { say, type Shell } from '../shell';
import { worker } from './worker';

export function start(shell: Shell, configuration: Configuration): Promise<number> {
  say(shell, `pilothouse: there is no web page yet; give tasks by ${shell.program} submit "…", or try ${shell.program} exec --sample`);
  return worker(shell, configuration);
}
