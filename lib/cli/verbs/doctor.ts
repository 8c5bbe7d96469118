/** `pilothouse doctor`: what is configured, reachable, missing. */
import type { Configuration } from '@/lib/config/environment';
import { databaseFacts } from '@/lib/queries/database-facts';
import { EXIT } from '../exit-code';
import { explainFailure } from '../explain-failure';
import { paintFor, wantsColour } from '../output/paint';
import type { Shell } from '../shell';
import { withSystem } from '../with-system';
import { checkDataDirectory, checkGit, checkModel, checkNode, checkSandbox, pingModel } from './doctor-checks';
import { canWork, doctorLines, type Finding } from './doctor-report';

export interface DoctorFlags {
  readonly json?: boolean;
  readonly ping?: boolean;
}

export async function doctor(shell: Shell, configuration: Configuration, flags: DoctorFlags): Promise<number> {
  const findings: readonly Finding[] = [
    checkNode(process.version),
    await checkDataDirectory(configuration.dataDirectory),
    ...(await checkSystem(shell, configuration)),
    await checkGit(),
    checkModel(configuration),
    ...(flags.ping === true ? [await pingModel(configuration)] : []),
    { name: 'workspaces', state: 'ok', detail: configuration.workspaceRoots.cli.join(', ') },
  ];
  return showFindings(shell, findings, flags);
}

/** @returns the exit code. */
export function showFindings(shell: Shell, findings: readonly Finding[], flags: DoctorFlags): number {
  if (flags.json === true) {
    shell.out.write(`${JSON.stringify({ ok: canWork(findings), findings })}\n`);
  } else {
    const paint = paintFor(wantsColour(shell.out.isTerminal, shell.env));
    shell.out.write(doctorLines(findings).map((line) => `${paint(line)}\n`).join(''));
  }
  return canWork(findings) ? EXIT.ok : EXIT.refused;
}

/** The database by being used: opened, migrated, asked. */
async function checkSystem(shell: Shell, configuration: Configuration): Promise<readonly Finding[]> {
  const kind = configuration.database.kind === 'embedded' ? 'embedded' : 'DATABASE_URL';
  try {
    return await withSystem({ configuration }, async (system) => {
      const { version, migrations } = await databaseFacts(system.store);
      return [
        { name: 'database', state: 'ok', detail: `${kind}: PostgreSQL ${version}, ${migrations} migrations applied` },
        checkSandbox(system.sandbox),
      ];
    });
  } catch (error) {
    const { message, hint } = explainFailure(error, shell.program);
    return [{ name: 'database', state: 'missing', detail: `${kind}: ${message ?? 'cannot be used'}`, ...(hint === undefined ? {} : { advice: hint }) }];
  }
}
