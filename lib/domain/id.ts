/**
 * Ids: a prefix that says what is named, then a ULID (48 bits of time, 80 of
 * randomness): sortable by time and unguessable. Time and randomness are
 * parameters, so that a simulation can fix them.
 */
import { encodeTime, ulid } from 'ulid';

export type SessionId = `ses_${string}`;
export type TurnId = `trn_${string}`;
export type RunId = `run_${string}`;
export type TaskId = `tsk_${string}`;
export type RequestId = `req_${string}`;
export type CallId = `call_${string}`;
export type ApprovalId = `apr_${string}`;
export type BlockerId = `blk_${string}`;
export type NoteId = `not_${string}`;
export type EvidenceId = `evd_${string}`;
export type BudgetId = `bud_${string}`;
export type CommandId = `cmd_${string}`;
export type ProjectId = `prj_${string}`;
export type UserId = `usr_${string}`;
export type TokenId = `tok_${string}`;
export type WorkspaceId = `wsp_${string}`;
export type AuditId = `aud_${string}`;

interface IdByPrefix {
  ses: SessionId;
  trn: TurnId;
  run: RunId;
  tsk: TaskId;
  req: RequestId;
  call: CallId;
  apr: ApprovalId;
  blk: BlockerId;
  not: NoteId;
  evd: EvidenceId;
  bud: BudgetId;
  cmd: CommandId;
  prj: ProjectId;
  usr: UserId;
  tok: TokenId;
  wsp: WorkspaceId;
  aud: AuditId;
}
export type IdPrefix = keyof IdByPrefix;
export type IdOf<P extends IdPrefix> = IdByPrefix[P];

/** A port: makes a new id of the kind that `prefix` names. */
export type NewId = <P extends IdPrefix>(prefix: P) => IdOf<P>;

const TIME_LENGTH = 10;

/** @param random a number in [0, 1), fresh at each call; must be unguessable outside tests. */
export function makeId<P extends IdPrefix>(prefix: P, timeMs: number, random: () => number): IdOf<P> {
  // `ulid()` reads the clock by itself where the time is 0, so the time is written here and only its randomness taken.
  const randomPart = ulid(1, random).slice(TIME_LENGTH);
  return `${prefix}_${encodeTime(timeMs, TIME_LENGTH)}${randomPart}` as IdOf<P>;
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether `value`, from outside, has the shape of an id of this kind. */
export function isId<P extends IdPrefix>(prefix: P, value: unknown): value is IdOf<P> {
  return typeof value === 'string' && value.startsWith(`${prefix}_`) && ULID.test(value.slice(prefix.length + 1));
}
