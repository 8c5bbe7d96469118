-- What the page of a run asks of its log, so that its first screen costs the same
-- whatever the log's length. Both indexes hold few of a log's events.

-- The latest plan, check and delivery, and what the agent was told.
CREATE INDEX "run_event_landmark_idx" ON "run_event"("run_id", "type", "seq")
  WHERE "type" IN ('plan.updated', 'verification.started', 'verification.completed', 'delivery.recorded', 'message.appended');

-- Where to jump when something went wrong.
CREATE INDEX "run_event_failure_idx" ON "run_event"("run_id", "seq")
  WHERE "type" IN ('tool.failed', 'tool.denied', 'tool.unknown', 'model.failed')
     OR ("type" = 'tool.completed' AND "payload" ->> 'exit_code' <> '0');
