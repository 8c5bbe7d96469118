/**
 * For each table: must writing it succeed, and why (domain.md §13)?
 *
 * | class   | on failure                                                             |
 * |---------|------------------------------------------------------------------------|
 * | `gate`  | the step does not happen                                               |
 * | `fact`  | retried until known; the outcome is `unknown` while it is not          |
 * | `aside` | isolated: a gap is recorded, the main work goes on                     |
 */
export type TableClass = 'gate' | 'fact' | 'aside';

export const TABLES = {
  project: { class: 'gate', why: 'without it nothing can belong to anybody' },
  app_user: { class: 'gate', why: 'who is not known may not act' },
  member: { class: 'gate', why: 'a role is checked before anything is done with it' },
  api_token: { class: 'gate', why: 'a token that was not stored must not be handed out' },
  sign_in_link: { class: 'gate', why: 'a link that was not used up must not sign anybody in' },
  linked_account: { class: 'gate', why: 'whose account it is must be known before anybody is signed in by it' },
  sign_in_attempt: { class: 'gate', why: 'an attempt that is not counted would be one too many' },
  workspace: { class: 'gate', why: 'a run acts only where it was told to' },
  session: { class: 'gate', why: 'committed with its first run, or there is none' },
  turn: { class: 'gate', why: 'its baseline must stand before the first write of the turn' },
  task: { class: 'fact', why: 'its write count is raised with the outcome that it counts' },
  run: { class: 'gate', why: 'lease, fence and terminal: whoever cannot move it must not act' },
  message: { class: 'fact', why: 'the model must not be asked again for what it has said' },
  model_request: { class: 'gate', why: 'the intent of a request is committed before it is sent' },
  tool_call: { class: 'gate', why: 'the intent of a call is committed before its effect' },
  run_event: { class: 'gate', why: 'state and the events that explain it commit together' },
  usage_entry: { class: 'fact', why: 'money once spent stays in the ledger' },
  command: { class: 'gate', why: 'a command that is not recorded could be carried out twice' },
  run_diff: { class: 'aside', why: 'the changes stand in the workspace, whether they are shown or not' },
  audit_entry: { class: 'gate', why: 'what cannot be attributed is not done: it commits with the deed' },
} as const satisfies Record<string, { readonly class: TableClass; readonly why: string }>;

export type TableName = keyof typeof TABLES;
