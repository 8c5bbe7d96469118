/** The body of `POST /runs`, and what it means here. */
import { z } from 'zod';
import { includesRole, type Role } from '@/lib/domain/role';
import { POLICIES, type RunSettings } from '@/lib/domain/run/settings';
import { isBlank } from '@/lib/domain/visible';
import type { System } from '@/lib/system';
import { chooseModel } from '@/lib/system/model-choice';
import { chooseWorkspace, type ChosenWorkspace, type WorkspaceChoice } from '@/lib/system/workspace-choice';
import { fieldProblem } from './field-problem';
import { limitsBodies, limitsOf } from './limits';

const place = z.string().min(1, 'must not be empty').max(4_096);
const ref = z.string().regex(/^(?!-)[A-Za-z0-9._/@+-]{1,200}$/, 'is not the name of a branch, tag or commit');

const workspace = z
  .union([
    place.transform((directory): WorkspaceChoice => ({ kind: 'directory', directory })),
    z.strictObject({ directory: place }).transform(({ directory }): WorkspaceChoice => ({ kind: 'directory', directory })),
    z.strictObject({ git: place, ref: ref.optional() }).transform(({ git, ref: at }): WorkspaceChoice => ({ kind: 'git', repository: git, ref: at })),
    z.strictObject({ sample: z.literal(true) }).transform((): WorkspaceChoice => ({ kind: 'sample' })),
  ], { error: 'must be a path, {"directory": path}, {"git": address, "ref"?: name} or {"sample": true}' });

/** A text of the conversation, with something to read in it. */
export const messageText = z.string().max(1_000_000).refine((text) => !isBlank(text), 'is empty');

export const submissionSchema = z.strictObject({
  task: messageText,
  workspace,
  access: z.enum(['read_write', 'read_only']).default('read_write'),
  model: z.string().trim().min(1, 'must not be empty').max(1_000).nullish(),
  verifier: z.string().max(10_000).refine((command) => !isBlank(command) && !command.includes('\uFFFD'), 'is not a command').nullish(),
  policy: z.enum(POLICIES).default('auto'),
  ...limitsBodies,
  /** Whether the session can go on afterwards. */
  save_history: z.boolean().default(true),
  unsandboxed: z.boolean().default(false),
  profile: z.unknown().optional(),
  workflow: z.unknown().optional(),
});
export type Submission = z.infer<typeof submissionSchema>;

export interface AcceptedSubmission {
  readonly task: string;
  readonly workspace: ChosenWorkspace;
  readonly settings: RunSettings;
}

/** @throws Problem `invalid`, `not_available`, `price_unknown`, `forbidden` */
export async function acceptSubmission(
  system: Pick<System, 'configuration' | 'intake' | 'price'>,
  body: Submission,
  { role, commandId }: { readonly role: Role; readonly commandId: string },
): Promise<AcceptedSubmission> {
  for (const name of ['profile', 'workflow'] as const) {
    if (body[name] !== undefined && body[name] !== null) throw fieldProblem('not_available', `/${name}`, 'is not available yet');
  }
  if (body.unsandboxed && !includesRole(role, 'admin')) {
    throw fieldProblem('forbidden', '/unsandboxed', 'lets commands act on the whole machine: only an admin may');
  }
  const model = await chooseModel(system.configuration, body.model ?? undefined);
  if (!model.ok) throw fieldProblem('invalid', '/model', model.message);
  const limits = limitsOf(system, model.model, body);
  const verifier = body.verifier ?? null;
  // What is stored is redacted, and a redacted command would be another one.
  if (verifier !== null && system.intake(verifier) !== verifier) {
    throw fieldProblem('invalid', '/verifier', 'holds something that looks like a secret; put the command into a script of the repository');
  }
  const chosen = await chooseWorkspace(system.configuration, body.workspace, commandId);
  if (!chosen.ok) throw fieldProblem('invalid', '/workspace', chosen.message);
  return {
    task: system.intake(body.task),
    workspace: chosen.workspace,
    settings: {
      model: model.model,
      access: body.access,
      policy: body.policy,
      unsandboxed: body.unsandboxed,
      verifier,
      limits,
      resumable: body.save_history,
    },
  };
}
