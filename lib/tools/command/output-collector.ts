import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from '@/lib/agent/ports';
import { characterStart, nextCharacterStart } from '../cut-text';

/** Room for the line that stands where bytes were left out. */
const NOTE_BYTES = 64;

/** The first and the last bytes of a text that may be endless, in bounded memory. */
class HeadAndTail {
  private readonly half: number;
  private readonly head: Buffer;
  private headLength = 0;
  /** A ring: the last `half` bytes. */
  private readonly tail: Buffer;
  private tailTotal = 0;

  constructor(maxBytes: number) {
    this.half = Math.floor((maxBytes - NOTE_BYTES) / 2);
    this.head = Buffer.allocUnsafe(this.half);
    this.tail = Buffer.allocUnsafe(this.half);
  }

  push(text: string): void {
    let bytes = Buffer.from(text);
    const toHead = Math.min(bytes.length, this.half - this.headLength);
    bytes.copy(this.head, this.headLength, 0, toHead);
    this.headLength += toHead;
    bytes = bytes.subarray(toHead);
    if (bytes.length > this.half) {
      this.tailTotal += bytes.length - this.half;
      bytes = bytes.subarray(bytes.length - this.half);
    }
    const at = this.tailTotal % this.half;
    const first = Math.min(bytes.length, this.half - at);
    bytes.copy(this.tail, at, 0, first);
    bytes.copy(this.tail, 0, first);
    this.tailTotal += bytes.length;
  }

  read(): { readonly text: string; readonly truncated: boolean } {
    const head = this.head.subarray(0, this.headLength);
    if (this.tailTotal <= this.half) {
      return { text: Buffer.concat([head, this.tail.subarray(0, this.tailTotal)]).toString(), truncated: false };
    }
    const at = this.tailTotal % this.half;
    const tail = Buffer.concat([this.tail.subarray(at), this.tail.subarray(0, at)]);
    // No character is split, neither where the head ends nor where the tail begins.
    const headEnd = endsInsideCharacter(head) ? characterStart(head, head.length - 1) : head.length;
    const tailStart = nextCharacterStart(tail, 0);
    const omitted = this.headLength + this.tailTotal - headEnd - (tail.length - tailStart);
    const note = `\n[… ${omitted} bytes omitted …]\n`;
    return { text: head.toString('utf8', 0, headEnd) + note + tail.toString('utf8', tailStart), truncated: true };
  }
}

/** Whether the last character of a valid UTF-8 text was cut. */
function endsInsideCharacter(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  const start = characterStart(bytes, bytes.length - 1);
  const lead = bytes[start] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return start + length > bytes.length;
}

export interface CollectedOutput {
  /** Both streams in the order in which they arrived. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

export interface OutputCollector {
  push(stream: OutputStream, chunk: Uint8Array): void;
  /** Ends the decoding of a stream: what is left of a character is given out as U+FFFD. */
  end(stream: OutputStream): void;
  read(): CollectedOutput;
}

/**
 * Decodes the output of a command and keeps its beginning and its end.
 *
 * Characters that arrive in two chunks are put together; invalid UTF-8 becomes
 * U+FFFD, and bytes are counted after that. At most `maxBytes` are kept of both
 * streams together and of each, the line that names what was left out included.
 * @param onText every piece of text as it comes.
 */
export function collectOutput(maxBytes: number, onText: (stream: OutputStream, text: string) => void): OutputCollector {
  const merged = new HeadAndTail(maxBytes);
  const streams = {
    stdout: { decoder: new StringDecoder('utf8'), kept: new HeadAndTail(maxBytes), ended: false },
    stderr: { decoder: new StringDecoder('utf8'), kept: new HeadAndTail(maxBytes), ended: false },
  };
  const take = (stream: OutputStream, text: string): void => {
    if (text === '') return;
    merged.push(text);
    streams[stream].kept.push(text);
    onText(stream, text);
  };
  return {
    push(stream, chunk) {
      if (!streams[stream].ended) take(stream, streams[stream].decoder.write(Buffer.from(chunk)));
    },
    end(stream) {
      if (streams[stream].ended) return;
      streams[stream].ended = true;
      take(stream, streams[stream].decoder.end());
    },
    read() {
      const output = merged.read();
      return {
        output: output.text,
        truncated: output.truncated,
        stdout: streams.stdout.kept.read().text,
        stderr: streams.stderr.kept.read().text,
      };
    },
  };
}
