/** The text arithmetic of `edit`: pure. */
export type TextReplacement =
  | { readonly ok: true; readonly text: string; readonly count: number }
  | { readonly ok: false; readonly code: 'not_found' | 'not_unique' | 'no_change' | 'too_large'; readonly message: string };

/**
 * Replaces `oldText`, which must occur exactly once unless `replaceAll`.
 *
 * Line endings: a file whose every line ends in CRLF is matched as if it and both
 * texts had the same endings, and stays CRLF throughout. In a file of mixed endings
 * only an exact match counts, and what is not matched stays as it is.
 *
 * @param maxBytes of the result; counted before it is built, since many occurrences of
 *   one letter and a long new text would not fit in memory.
 */
export function replaceText(text: string, oldText: string, newText: string, replaceAll: boolean, maxBytes: number): TextReplacement {
  const crlf = isAllCrlf(text);
  const wanted = crlf ? toCrlf(oldText) : oldText;
  const replacement = crlf ? toCrlf(newText) : newText;
  const count = countOccurrences(text, wanted);
  if (count === 0) {
    return { ok: false, code: 'not_found', message: 'old_text does not occur in the file; read it again: spaces and line endings count' };
  }
  if (wanted === replacement) return { ok: false, code: 'no_change', message: 'old_text and new_text are the same' };
  if (count > 1 && !replaceAll) {
    return {
      ok: false,
      code: 'not_unique',
      message: `old_text occurs ${count} times; give more of the text around it, or set replace_all`,
    };
  }
  const bytes = Buffer.byteLength(text) + count * (Buffer.byteLength(replacement) - Buffer.byteLength(wanted));
  if (bytes > maxBytes) return { ok: false, code: 'too_large', message: `the result would be ${bytes} bytes, more than ${maxBytes}` };
  // Not String.replace: `$&` in the new text must stay what it is.
  return { ok: true, text: text.split(wanted).join(replacement), count };
}

function isAllCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
}

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function countOccurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}
