'use client';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { callApi, newCommandId, type ApiProblem } from '../api/call-api';
import { ProblemNotice } from '../api/problem-notice';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

/** Cancels the run after one question; what is in flight may not be undone by it. */
export function CancelButton({ runId }: { readonly runId: string }) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [commandId] = useState(newCommandId);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const answer = await callApi(`/runs/${runId}/cancel`, { method: 'POST', body: {}, commandId });
    setBusy(false);
    if (answer.ok) setOpen(false);
    else setProblem(answer.problem);
  };
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        <Ban aria-hidden />
        Cancel the run
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Cancel this run?"
        description="No further call begins. What is running is stopped; where its outcome cannot be known, it is recorded as unknown. What was done stays done."
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Let it go on</Button>
            <Button look="danger" busy={busy} onClick={() => void cancel()}>
              Cancel the run
            </Button>
          </>
        }
      >
        {problem === null ? undefined : <ProblemNotice problem={problem} />}
      </Dialog>
    </>
  );
}
