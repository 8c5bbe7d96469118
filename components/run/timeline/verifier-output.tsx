import type { EventPayload } from '@/lib/domain/run/event';
import { plural } from '../../text/amounts';
import { OutputText } from '../../text/output-text';
import { Disclosure } from '../../ui/disclosure';

export function VerifierOutput({ result }: { readonly result: EventPayload<'verification.completed'> }) {
  return (
    <>
      {result.reason === undefined ? null : <p className="text-sm text-doubt">It could not be executed: {result.reason}</p>}
      {(['stdout', 'stderr'] as const).map((stream) => {
        const text = result[stream];
        return text === '' ? null : (
          <Disclosure key={stream} open={result.success !== true} summary={`${stream} · ${plural(text.trimEnd().split('\n').length, 'line')}`}>
            <OutputText label={`${stream} of the verifier`} text={text} />
          </Disclosure>
        );
      })}
    </>
  );
}
