-- The first tables. schema.prisma says the same about columns, keys and plain
-- indexes; what it cannot say (CHECKs, partial indexes, triggers, storage) stands
-- only here, each with the rule it protects. I-numbers are the invariants that
-- lib/ARCHITECTURE.md lists.
--
-- Every table names its project. References carry the project with them, so that a
-- row can never point into another one, whatever a query forgot to ask.

CREATE TABLE "project" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- A person. Projects are reached through "member" alone.
CREATE TABLE "app_user" (
    "id" TEXT NOT NULL,
    "email" TEXT,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "auth_epoch" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_user_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "member" (
    "project_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_pkey" PRIMARY KEY ("project_id", "user_id"),
    -- A role that no check knows would be compared as if it were none, or all.
    CONSTRAINT "member_role_check" CHECK ("role" IN ('viewer', 'member', 'engineer', 'manager', 'admin'))
);

CREATE TABLE "api_token" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_token_role_check" CHECK ("role" IN ('viewer', 'member', 'engineer', 'manager', 'admin')),
    -- Only a digest is ever stored (64 hex digits): a token in clear does not fit.
    CONSTRAINT "api_token_hash_check" CHECK ("hash" ~ '^[0-9a-f]{64}$')
);

CREATE TABLE "workspace" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "workspace_kind_check" CHECK ("kind" IN ('directory', 'git')),
    -- One directory is one workspace: its name is the canonical path, never a relative one.
    CONSTRAINT "workspace_location_check" CHECK ("kind" <> 'directory' OR "location" LIKE '/%')
);

CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "workspace_path" TEXT NOT NULL,
    "access" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "save_history" BOOLEAN NOT NULL,
    "history_deleted_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "session_access_check" CHECK ("access" IN ('read_write', 'read_only')),
    -- A history that was promised to be kept is never marked as deleted.
    CONSTRAINT "session_history_check" CHECK (NOT "save_history" OR "history_deleted_at" IS NULL)
);

CREATE TABLE "turn" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "baseline" JSONB NOT NULL,
    "opened_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "superseded_at" TIMESTAMPTZ(3),

    CONSTRAINT "turn_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "turn_number_check" CHECK ("number" >= 1),
    CONSTRAINT "turn_baseline_check" CHECK (jsonb_typeof("baseline") = 'object')
);

CREATE TABLE "task" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "parent_task_id" TEXT,
    "write_count" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "task_write_count_check" CHECK ("write_count" >= 0),
    CONSTRAINT "task_parent_check" CHECK ("parent_task_id" <> "id")
);

CREATE TABLE "run" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "turn_number" INTEGER NOT NULL,
    "task_id" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "parent_run_id" TEXT,
    "root_run_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "task_text" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "workspace_path" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "waiting_reason" TEXT,
    "terminal" JSONB,
    "exit_code" INTEGER,
    "completion" JSONB,
    "dispatch" TEXT NOT NULL,
    "holds_workspace" BOOLEAN NOT NULL DEFAULT false,
    "lease_owner" TEXT,
    "lease_epoch" BIGINT NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "version" BIGINT NOT NULL DEFAULT 1,
    "last_seq" BIGINT NOT NULL,
    "nonce" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "run_status_check" CHECK ("status" IN (
        'queued', 'running', 'waiting', 'cancelling',
        'succeeded', 'verification_failed', 'blocked', 'paused', 'failed', 'cancelled', 'interrupted')),
    CONSTRAINT "run_origin_check" CHECK ("origin" IN ('submitted', 'resumed', 'continued')),
    CONSTRAINT "run_dispatch_check" CHECK ("dispatch" IN ('worker', 'local')),
    CONSTRAINT "run_generation_check" CHECK ("generation" >= 1),
    CONSTRAINT "run_turn_number_check" CHECK ("turn_number" >= 1),
    CONSTRAINT "run_counters_check" CHECK ("lease_epoch" >= 0 AND "version" >= 1 AND "last_seq" >= 0),
    CONSTRAINT "run_root_check" CHECK (("parent_run_id" IS NULL) = ("root_run_id" = "id")),
    -- A waiting run says for what; no other run does.
    CONSTRAINT "run_waiting_check" CHECK (
        ("status" = 'waiting') = ("waiting_reason" IS NOT NULL)
        AND ("waiting_reason" IS NULL OR "waiting_reason" IN ('approval', 'tasks', 'budget'))),
    -- A run has ended, with how, when and the code a script sees, or it has not: never in part.
    CONSTRAINT "run_terminal_check" CHECK (
        ("status" NOT IN ('queued', 'running', 'waiting', 'cancelling')) = ("terminal" IS NOT NULL)
        AND ("terminal" IS NOT NULL) = ("ended_at" IS NOT NULL)
        AND ("terminal" IS NOT NULL) = ("exit_code" IS NOT NULL)
        AND ("completion" IS NULL OR "terminal" IS NOT NULL)),
    -- How it ended is said once, under the status' own name.
    CONSTRAINT "run_terminal_status_check" CHECK ("terminal" IS NULL OR "terminal" ? "status"),
    CONSTRAINT "run_lease_check" CHECK (
        ("lease_owner" IS NULL) = ("lease_expires_at" IS NULL)
        -- Who works holds a lease, of an epoch that fences whoever held it before (I6).
        AND ("status" NOT IN ('running', 'cancelling') OR ("lease_owner" IS NOT NULL AND "lease_epoch" >= 1))
        -- Nobody holds what has ended.
        AND ("terminal" IS NULL OR "lease_owner" IS NULL)),
    -- An ended run leaves the directory to the next one.
    CONSTRAINT "run_holds_workspace_check" CHECK (NOT "holds_workspace" OR "terminal" IS NULL)
)
-- Updated at every transition, mostly in columns without an index: room on the page
-- keeps those updates on it.
WITH (fillfactor = 70);

-- Append-only tables of the hot path (message, model_request, tool_call, run_event,
-- usage_entry) have no foreign keys: a row is inserted only by joining the run row
-- that the same statement moved, and takes project, session, turn and task from it.
-- Each key would cost one lookup a row to prove what that join has just proved.

CREATE TABLE "message" (
    "task_id" TEXT NOT NULL,
    "turn_number" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL,
    "seq" BIGINT NOT NULL,
    "project_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT statement_timestamp(),

    CONSTRAINT "message_pkey" PRIMARY KEY ("task_id", "turn_number", "generation", "seq"),
    CONSTRAINT "message_role_check" CHECK ("role" IN ('user', 'assistant', 'tool'))
);

CREATE TABLE "model_request" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "class" TEXT,
    "code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT statement_timestamp(),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "model_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "model_request_purpose_check" CHECK ("purpose" IN ('round', 'recovery', 'compaction')),
    CONSTRAINT "model_request_status_check" CHECK ("status" IN ('open', 'responded', 'failed')),
    CONSTRAINT "model_request_ended_check" CHECK (("status" = 'open') = ("ended_at" IS NULL)),
    -- A failure always has a class; meaning is never read from a message's text.
    CONSTRAINT "model_request_class_check" CHECK (("status" = 'failed') = ("class" IS NOT NULL))
);

CREATE TABLE "tool_call" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "provider_call_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "sealed_arguments" BYTEA,
    "input_hash" TEXT,
    "effect" TEXT NOT NULL,
    "counts_as_write" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT,
    "started_epoch" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT statement_timestamp(),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "tool_call_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tool_call_effect_check" CHECK ("effect" IN ('none', 'workspace', 'external')),
    CONSTRAINT "tool_call_status_check" CHECK ("status" IN (
        'proposed', 'waiting_for_approval', 'ready', 'running',
        'completed', 'failed', 'denied', 'withdrawn', 'unknown')),
    CONSTRAINT "tool_call_ended_check" CHECK (
        ("status" IN ('proposed', 'waiting_for_approval', 'ready', 'running')) = ("ended_at" IS NULL)),
    -- An outcome of work is believed only after an intent (I5).
    CONSTRAINT "tool_call_intent_check" CHECK (
        "status" NOT IN ('running', 'completed', 'unknown') OR ("started_at" IS NOT NULL AND "started_epoch" IS NOT NULL)),
    -- The original arguments are kept for the executor alone, and only until the outcome (I11).
    CONSTRAINT "tool_call_sealed_check" CHECK ("sealed_arguments" IS NULL OR "ended_at" IS NULL)
);

CREATE TABLE "run_event" (
    "run_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "project_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    -- Of the statement, so that all events of one transition bear one time.
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT statement_timestamp(),

    CONSTRAINT "run_event_pkey" PRIMARY KEY ("run_id", "seq"),
    CONSTRAINT "run_event_seq_check" CHECK ("seq" >= 1),
    CONSTRAINT "run_event_payload_check" CHECK (jsonb_typeof("payload") = 'object')
);

CREATE TABLE "usage_entry" (
    "request_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "input_tokens" BIGINT,
    "output_tokens" BIGINT,
    "cached_tokens" BIGINT,
    "reasoning_tokens" BIGINT,
    "cost_micro_usd" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT statement_timestamp(),

    -- One entry a request, whatever its end (I10).
    CONSTRAINT "usage_entry_pkey" PRIMARY KEY ("request_id"),
    CONSTRAINT "usage_entry_state_check" CHECK ("state" IN ('known', 'estimated', 'unknown')),
    -- Unknown is not 0: the counts are absent exactly when nothing is known.
    CONSTRAINT "usage_entry_unknown_check" CHECK (
        num_nonnulls("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
            = CASE WHEN "state" = 'unknown' THEN 0 ELSE 4 END),
    CONSTRAINT "usage_entry_cost_check" CHECK ("cost_micro_usd" IS NULL OR ("state" <> 'unknown' AND "cost_micro_usd" >= 0)),
    CONSTRAINT "usage_entry_counts_check" CHECK (
        "input_tokens" >= 0 AND "output_tokens" >= 0 AND "cached_tokens" >= 0 AND "reasoning_tokens" >= 0),
    -- Cached is a part of input and priced as such: more cached than input would make a negative price.
    CONSTRAINT "usage_entry_cached_check" CHECK ("cached_tokens" <= "input_tokens")
);

CREATE TABLE "command" (
    "project_id" TEXT NOT NULL,
    "command_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "result" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    -- The first wins: whoever comes second under the same id waits for it here, then reads its result (I8).
    CONSTRAINT "command_pkey" PRIMARY KEY ("project_id", "command_id")
);

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT,
    "command_id" TEXT,
    "detail" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- Plain keys and indexes, as in schema.prisma ------------------------------------

CREATE UNIQUE INDEX "app_user_email_key" ON "app_user"("email");
CREATE UNIQUE INDEX "api_token_hash_key" ON "api_token"("hash");
CREATE INDEX "api_token_project_id_idx" ON "api_token"("project_id");
CREATE INDEX "member_user_id_idx" ON "member"("user_id");
CREATE UNIQUE INDEX "workspace_project_id_id_key" ON "workspace"("project_id", "id");
CREATE UNIQUE INDEX "workspace_project_id_kind_location_key" ON "workspace"("project_id", "kind", "location");
CREATE UNIQUE INDEX "session_project_id_id_key" ON "session"("project_id", "id");
CREATE INDEX "session_project_id_created_at_idx" ON "session"("project_id", "created_at" DESC);
CREATE UNIQUE INDEX "turn_project_id_id_key" ON "turn"("project_id", "id");
CREATE UNIQUE INDEX "turn_session_id_number_key" ON "turn"("session_id", "number");
CREATE UNIQUE INDEX "task_project_id_id_key" ON "task"("project_id", "id");
CREATE INDEX "task_session_id_idx" ON "task"("session_id");
CREATE UNIQUE INDEX "run_project_id_id_key" ON "run"("project_id", "id");
-- Racing resumes: one makes the next generation, the others get a conflict.
CREATE UNIQUE INDEX "run_turn_id_task_id_generation_key" ON "run"("turn_id", "task_id", "generation");
-- The run list: newest first, paged by (created_at, id).
CREATE INDEX "run_project_id_created_at_id_idx" ON "run"("project_id", "created_at" DESC, "id" DESC);
CREATE INDEX "run_project_id_status_created_at_id_idx" ON "run"("project_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "run_session_id_idx" ON "run"("session_id");
CREATE INDEX "run_parent_run_id_idx" ON "run"("parent_run_id");
CREATE INDEX "message_run_id_idx" ON "message"("run_id");
CREATE INDEX "model_request_run_id_idx" ON "model_request"("run_id");
CREATE INDEX "tool_call_run_id_idx" ON "tool_call"("run_id");
CREATE INDEX "usage_entry_project_id_created_at_idx" ON "usage_entry"("project_id", "created_at");
CREATE INDEX "usage_entry_session_id_idx" ON "usage_entry"("session_id");
CREATE INDEX "usage_entry_turn_id_idx" ON "usage_entry"("turn_id");
CREATE INDEX "usage_entry_run_id_idx" ON "usage_entry"("run_id");
CREATE INDEX "audit_entry_project_id_created_at_idx" ON "audit_entry"("project_id", "created_at" DESC);

ALTER TABLE "member" ADD CONSTRAINT "member_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "member" ADD CONSTRAINT "member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
-- A token is its member's: without the membership it is worth nothing.
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_project_id_user_id_fkey" FOREIGN KEY ("project_id", "user_id") REFERENCES "member"("project_id", "user_id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "session" ADD CONSTRAINT "session_project_id_workspace_id_fkey" FOREIGN KEY ("project_id", "workspace_id") REFERENCES "workspace"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "turn" ADD CONSTRAINT "turn_project_id_session_id_fkey" FOREIGN KEY ("project_id", "session_id") REFERENCES "session"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "task" ADD CONSTRAINT "task_project_id_session_id_fkey" FOREIGN KEY ("project_id", "session_id") REFERENCES "session"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "task" ADD CONSTRAINT "task_project_id_parent_task_id_fkey" FOREIGN KEY ("project_id", "parent_task_id") REFERENCES "task"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_session_id_fkey" FOREIGN KEY ("project_id", "session_id") REFERENCES "session"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_turn_id_fkey" FOREIGN KEY ("project_id", "turn_id") REFERENCES "turn"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_task_id_fkey" FOREIGN KEY ("project_id", "task_id") REFERENCES "task"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_parent_run_id_fkey" FOREIGN KEY ("project_id", "parent_run_id") REFERENCES "run"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_root_run_id_fkey" FOREIGN KEY ("project_id", "root_run_id") REFERENCES "run"("project_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "command" ADD CONSTRAINT "command_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Partial indexes ----------------------------------------------------------------

-- One conversation goes on in one place: at most one root run of a session is live.
CREATE UNIQUE INDEX "run_one_live_root_key" ON "run"("session_id")
    WHERE "parent_run_id" IS NULL AND "status" IN ('queued', 'running', 'waiting', 'cancelling');
-- One root task a session: its history is the conversation.
CREATE UNIQUE INDEX "task_one_root_key" ON "task"("session_id") WHERE "parent_task_id" IS NULL;
-- Two sessions never write in one directory at once. Not by project: a directory that
-- two projects share is still one directory.
CREATE UNIQUE INDEX "run_one_holder_key" ON "run"("workspace_path") WHERE "holds_workspace";
-- What the claim reads: the oldest queued runs that any worker may take.
CREATE INDEX "run_claimable_idx" ON "run"("queued_at", "id") WHERE "status" = 'queued' AND "dispatch" = 'worker';
-- What the sweeper and the heartbeat read. Few rows, whatever the length of the history.
CREATE INDEX "run_leased_idx" ON "run"("lease_expires_at") WHERE "lease_owner" IS NOT NULL;
-- Calls without an outcome yet: a new owner opens their sealed arguments.
CREATE INDEX "tool_call_open_idx" ON "tool_call"("run_id")
    WHERE "status" IN ('proposed', 'waiting_for_approval', 'ready', 'running');
-- Calls of which it is not known whether they had their effect: they hold a session back.
CREATE INDEX "tool_call_unknown_idx" ON "tool_call"("run_id") WHERE "status" = 'unknown';

-- Triggers -----------------------------------------------------------------------

-- I3: a terminal run never changes. Its completion may still come once, where children
-- of an interrupted run were live at its end; version and seq go on with later facts.
-- The condition is on the trigger, so that a live run's update does not call it.
CREATE FUNCTION "refuse_change_of_ended_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."status" <> OLD."status"
        OR NEW."terminal" IS DISTINCT FROM OLD."terminal"
        OR NEW."exit_code" IS DISTINCT FROM OLD."exit_code"
        OR NEW."ended_at" IS DISTINCT FROM OLD."ended_at"
        OR (OLD."completion" IS NOT NULL AND NEW."completion" IS DISTINCT FROM OLD."completion")
    THEN
        RAISE EXCEPTION 'run % has ended and never changes', OLD."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'run_ended';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "run_ended" BEFORE UPDATE ON "run" FOR EACH ROW
    WHEN (OLD."terminal" IS NOT NULL)
    EXECUTE FUNCTION "refuse_change_of_ended_run"();

-- The log is what happened: a later fact is a new event beside the old ones.
CREATE FUNCTION "refuse_change_of_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'event % of run % never changes', OLD."seq", OLD."run_id" USING ERRCODE = 'check_violation', CONSTRAINT = 'run_event_fixed';
END $$;
CREATE TRIGGER "run_event_fixed" BEFORE UPDATE ON "run_event" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_event"();

-- I4: a call that has ended has its one outcome.
CREATE FUNCTION "refuse_change_of_ended_call"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."status" <> OLD."status" OR NEW."ended_at" IS DISTINCT FROM OLD."ended_at" THEN
        RAISE EXCEPTION 'call % has ended and never changes', OLD."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'tool_call_ended';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "tool_call_ended" BEFORE UPDATE ON "tool_call" FOR EACH ROW
    WHEN (OLD."ended_at" IS NOT NULL)
    EXECUTE FUNCTION "refuse_change_of_ended_call"();

-- I10: money once spent stays in the ledger. Only what was not known may become known.
CREATE FUNCTION "refuse_change_of_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD."state" = 'unknown' AND NEW."state" = 'known'
        AND (NEW."request_id", NEW."project_id", NEW."session_id", NEW."turn_id", NEW."task_id", NEW."run_id", NEW."model", NEW."created_at")
          = (OLD."request_id", OLD."project_id", OLD."session_id", OLD."turn_id", OLD."task_id", OLD."run_id", OLD."model", OLD."created_at")
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'usage of request % never changes', OLD."request_id" USING ERRCODE = 'check_violation', CONSTRAINT = 'usage_entry_fixed';
END $$;
CREATE TRIGGER "usage_entry_fixed" BEFORE UPDATE OR DELETE ON "usage_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_usage"();
