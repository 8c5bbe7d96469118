import { NOT_NEWLINE, PEM_BODY } from './char-class';
import type { Source } from './source';
import type { Trigger } from './triggers';

export const privateKeyTriggers: readonly Trigger[] = [{ word: '-----BEGIN ', exact: true, always: true, read: privateKey }];

const DASHES = '-----';
const LONGEST_LABEL = 64;
const LONGEST_BLOCK = 65_536;

/** A whole PEM block, or what is there of it when its end was cut off. Certificates and public keys stay. */
function privateKey(source: Source, start: number, end: number): void {
  const close = closingDashes(source, end);
  if (close === -1 || !/PRIVATE KEY(?: BLOCK)?$/.test(source.text.slice(end, close))) return;
  const body = close + DASHES.length;
  const dashes = source.text.indexOf(DASHES, body);
  if (dashes !== -1 && dashes - body < LONGEST_BLOCK && source.at(`${DASHES}END `, dashes)) {
    const finish = closingDashes(source, dashes + DASHES.length);
    if (finish !== -1) {
      source.found(start, finish + DASHES.length, 'private-key');
      return;
    }
  }
  source.found(start, bodyEnd(source, body, dashes === -1 ? source.text.length : dashes), 'private-key', PEM_BODY);
}

function closingDashes(source: Source, from: number): number {
  const found = source.text.slice(from, from + LONGEST_LABEL).indexOf(DASHES);
  if (found === -1 && source.text.length < from + LONGEST_LABEL) source.touchedEnd = true;
  return found === -1 ? -1 : from + found;
}

/** Lines of base64 and of headers, however they are indented, quoted or escaped; none beyond `limit`, where dashes are. */
function bodyEnd(source: Source, from: number, limit: number): number {
  let end = from;
  let index = from;
  while (index < limit) {
    const newline = Math.min(source.run(NOT_NEWLINE, index), limit);
    const line = source.text.slice(index, newline);
    if (!isKeyLine(line)) {
      // One line may hold the whole block, with escaped line ends.
      const pieces = /^(?:(?:\\[nr])*[A-Za-z0-9+/=]{16,}(?:\\[nr])*)+/.exec(line)?.[0] ?? '';
      return pieces === '' ? end : index + pieces.length;
    }
    if (line.trim() !== '') end = newline;
    index = newline + 1;
  }
  if (limit < source.text.length) return end;
  source.touchedEnd = true;
  return limit;
}

function isKeyLine(line: string): boolean {
  const content = line.replace(/^[\s"'+>|-]+|[\s"',+\\]+$/g, '').replace(/\\[nr]$/, '');
  if (content === '') return true;
  return /^[A-Za-z0-9+/=]+$/.test(content) ? content.length >= 16 || content.endsWith('=') : /^[A-Z][A-Za-z-]+: \S/.test(content);
}
