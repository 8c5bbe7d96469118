import { ephemeralLine, eventLine } from './event-line';
import type { Reporter } from './reporter';
import type { TextOutput } from './text-output';

/** Beyond this much unread output pieces of streams are left out: their offsets say so, and the whole follows. */
const BACKLOG_LIMIT = 1_048_576;

/** `--json`: one object a line on stdout, and nothing else there. */
export function jsonReporter(out: TextOutput): Reporter {
  return {
    events(runId, events) {
      out.write(events.map((event) => eventLine(runId, event)).join(''));
    },
    ephemeral(runId, event) {
      if (out.backlog < BACKLOG_LIMIT) out.write(ephemeralLine(runId, event, new Date()));
    },
    ended: () => undefined,
  };
}
