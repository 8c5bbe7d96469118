/**
 * The one entry (I11): text and JSON from models, tools and people is cleaned,
 * bounded and redacted here, before anything is stored, shown or sent.
 */
import { cleanJson, cleanText, truncateBytes } from '@/lib/domain/clean';
import type { JsonValue } from '@/lib/domain/json';
import type { Redactor } from './redact';
import type { Sealer } from './seal';

/** What one text of the record may hold: well above what tools return (64 KiB) and write (1 MiB). */
const TEXT_BYTES = 1_048_576 + 65_536;
const JSON_LIMITS = { maxDepth: 64, maxBytes: 2 * 1_048_576 };

export interface Intake {
  text(value: string): string;
  /** What cannot be kept is named, not dropped: `{"not_recorded": reason}`. */
  json(value: unknown): JsonValue;
  stream(): { push(chunk: string): string; flush(): string };
  seal(argumentsText: string, callId: string): Uint8Array;
  open(sealed: Uint8Array, callId: string): string;
}

export function createIntake(parts: { readonly redactor: Redactor; readonly sealer: Sealer }): Intake {
  const { redactor, sealer } = parts;
  return {
    // Bounded last: half of a secret that the bound has cut would not be known as one.
    text: (value) => (value === '' ? value : truncateBytes(redactor.text(cleanText(value).text), TEXT_BYTES).text),
    json(value) {
      const cleaned = cleanJson(value, JSON_LIMITS);
      return cleaned.ok ? redactor.json(cleaned.value) : { not_recorded: cleaned.reason };
    },
    stream() {
      const stream = redactor.stream();
      // A pair of surrogates may be cut between two chunks: half of it is not a fault yet.
      let half = '';
      return {
        push(chunk) {
          const whole = half + chunk;
          half = endsInHalfPair(whole) ? whole.slice(-1) : '';
          return stream.push(cleanText(half === '' ? whole : whole.slice(0, -1)).text);
        },
        flush: () => (half === '' ? '' : stream.push(cleanText(half).text)) + stream.flush(),
      };
    },
    seal: (argumentsText, callId) => sealer.seal(argumentsText, callId),
    open: (sealed, callId) => sealer.open(Buffer.from(sealed), callId),
  };
}

function endsInHalfPair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
