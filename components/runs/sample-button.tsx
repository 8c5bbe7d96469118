'use client';
import { SCRIPTED } from '@/lib/domain/model-name';
import type { VariantProps } from 'class-variance-authority';
import { FlaskConical } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { SAMPLE_TASK, SAMPLE_VERIFIER } from '@/lib/sample/sample-task';
import { callApi, newCommandId, type ApiProblem } from '../api/call-api';
import { ProblemNotice } from '../api/problem-notice';
import { Button } from '../ui/button';
import type { buttonStyle } from '../ui/button-style';

interface SampleButtonProps {
  readonly look?: VariantProps<typeof buttonStyle>['look'];
  readonly size?: VariantProps<typeof buttonStyle>['size'];
  /** There is no sandbox here, and whoever looks may answer for the sample's own commands. */
  readonly unsandboxed?: boolean;
}

/** A real run of the real engine on a fresh copy of the bundled repository, by the scripted model: it needs no key. */
const SAMPLE = { task: SAMPLE_TASK, workspace: { sample: true }, model: SCRIPTED, verifier: SAMPLE_VERIFIER } as const;

export function SampleButton({ look = 'plain', size = 'medium', unsandboxed = false }: SampleButtonProps) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [commandId, setCommandId] = useState<string | null>(null);
  const run = async (): Promise<void> => {
    // The same click sent twice is one run; after a refusal the next click is another.
    const command = commandId ?? newCommandId();
    setCommandId(command);
    setBusy(true);
    setProblem(null);
    const answer = await callApi<{ readonly id: string }>('/runs', {
      method: 'POST',
      body: unsandboxed ? { ...SAMPLE, unsandboxed } : SAMPLE,
      commandId: command,
    });
    if (answer.ok) {
      router.push(`/runs/${answer.value.id}`);
      return;
    }
    if (answer.problem.status !== 0) setCommandId(null);
    setBusy(false);
    setProblem(answer.problem);
  };
  return (
    <span className="inline-grid gap-2">
      <Button look={look} size={size} busy={busy} onClick={() => void run()}>
        {busy ? null : <FlaskConical aria-hidden />}
        Run the sample task
      </Button>
      {problem === null ? null : <ProblemNotice problem={problem} className="max-w-sm text-left" />}
    </span>
  );
}
