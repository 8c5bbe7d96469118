import { FlaskConical } from 'lucide-react';
import { duration } from '../../text/amounts';
import { Monospace } from '../../text/monospace';
import { Badge } from '../../ui/badge';
import type { Tone } from '../../ui/tone';
import { VerifierOutput } from './verifier-output';
import type { VerificationItem } from './timeline-item';
import { TimelineRow } from './timeline-row';

/** The check that the submitter asked for, run by the harness. */
export function VerificationRow({ verification, live }: { readonly verification: VerificationItem; readonly live: boolean }) {
  const { result, command, endedAt } = verification;
  const { tone, word } = look(result, live);
  return (
    <TimelineRow
      seq={verification.seq}
      at={verification.at}
      icon={FlaskConical}
      tone={tone}
      moving={result === null && live}
      title={
        <h4 className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-medium text-ink">Verifier</span>
          <Monospace text={command} className="line-clamp-2 min-w-0 text-ink-soft" />
        </h4>
      }
      aside={
        <>
          <Badge tone={tone}>{word}</Badge>
          {endedAt === null ? null : duration(Date.parse(endedAt) - Date.parse(verification.at))}
        </>
      }
    >
      {result === null ? null : <VerifierOutput result={result} />}
    </TimelineRow>
  );
}

function look(result: VerificationItem['result'], live: boolean): { readonly tone: Tone; readonly word: string } {
  if (result === null) return live ? { tone: 'active', word: 'running' } : { tone: 'doubt', word: 'no end recorded' };
  if (result.success === null) return { tone: 'doubt', word: 'not run' };
  const exit = result.exit_code === null ? '' : ` · exit ${result.exit_code}`;
  return result.success ? { tone: 'good', word: `passed${exit}` } : { tone: 'bad', word: `did not pass${exit}` };
}
