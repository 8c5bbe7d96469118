/** For people: progress and the closing summary on stderr, the final text alone on stdout. */
import type { RunEvent } from '@/lib/domain/run/event';
import { wantsColour } from './paint';
import { Progress, type ProgressLine } from './progress';
import { ProgressScreen } from './progress-screen';
import type { Reporter } from './reporter';
import { summaryLines } from './summary';
import { harmless } from './terminal-text';
import type { TextOutput } from './text-output';

export interface PlainReporterParts {
  readonly out: TextOutput;
  readonly err: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this person calls Pilothouse. */
  readonly program: string;
}

export function plainReporter({ out, err, env, program }: PlainReporterParts): Reporter {
  const screen = new ProgressScreen(err, wantsColour(err.isTerminal, env));
  const progress = new Progress();
  const streamed = new StreamedText();

  const show = (event: RunEvent): void => {
    const lines = progress.take(event);
    // On a terminal the text has been seen as it came.
    if (!(event.type === 'model.responded' && streamed.holds(event.payload.request_id))) screen.lines(lines);
    screen.activity(progress.activity);
  };

  return {
    events(_runId, events) {
      for (const event of events) show(event);
    },
    ephemeral(_runId, event) {
      if (event.type !== 'model.delta' || event.payload.kind !== 'text' || !err.isTerminal) return;
      streamed.add(event.payload.request_id, event.payload.text);
      screen.stream(event.payload.text);
    },
    ended(run, { resumable }) {
      screen.activity(null);
      screen.finish();
      const finalText = run.final_text === null ? '' : harmless(run.final_text).trimEnd();
      // Where stdout is the same terminal the answer already stands on it.
      const seen = out.isTerminal && err.isTerminal && streamed.last.trimEnd() === run.final_text?.trimEnd();
      if (finalText !== '' && !seen) out.write(`${finalText}\n`);
      screen.lines([SEPARATOR, ...summaryLines(run, { resumable, program })]);
    },
  };
}

const SEPARATOR: ProgressLine = { tone: 'dim', text: '────' };

/** What was streamed of the latest request. */
class StreamedText {
  #requestId = '';
  last = '';

  add(requestId: string, text: string): void {
    this.last = requestId === this.#requestId ? this.last + text : text;
    this.#requestId = requestId;
  }

  holds(requestId: string): boolean {
    return requestId === this.#requestId && this.last !== '';
  }
}
