import type { Tool, ToolPort } from '@/lib/agent/ports';
import type { CommandRunner } from './command/create-command-runner';
import { completeStep } from './complete-step';
import { edit } from './edit';
import { listFiles } from './list-files';
import { readFile } from './read-file';
import { reportBlocker } from './report-blocker';
import { runCommand } from './run-command';
import { searchFiles } from './search-files';
import { updatePlan } from './update-plan';
import { writeFile } from './write-file';

export interface ToolPortOptions {
  readonly runner: CommandRunner;
  /** Whether the policy allows commands the network. */
  readonly network?: boolean;
  /** Canonical directories of the installation itself, closed to file tools where they lie inside a workspace. */
  readonly hiddenDirectories?: readonly string[];
  /** Tools of other origin, after the built-in ones; one with a name already taken is not offered. */
  readonly more?: readonly Tool[];
}

/** The tools an agent has, in a fixed order: it is part of the prompt's stable prefix. */
export function createToolPort(options: ToolPortOptions): ToolPort {
  const hidden = options.hiddenDirectories ?? [];
  const tools = new Map<string, Tool>();
  for (const tool of [
    listFiles(hidden),
    readFile(hidden),
    searchFiles(hidden),
    writeFile(hidden),
    edit(hidden),
    runCommand(options.runner, options.network ?? false),
    updatePlan,
    completeStep,
    reportBlocker,
    ...(options.more ?? []),
  ]) {
    if (!tools.has(tool.description.name)) tools.set(tool.description.name, tool);
  }
  return {
    descriptions: [...tools.values()].map((tool) => tool.description),
    find: (name) => tools.get(name),
    sandbox: options.runner.sandbox,
  };
}
