/**
 * What stands in the model's view where a secret was: `[redacted:<kind>]`. A model
 * that copies it into a file would destroy the secret there.
 */
const MARKER = /\[redacted:[^\]\r\n]{1,100}\]/;

export function hasRedactionMarker(text: string): boolean {
  return MARKER.test(text);
}

export const REDACTED_TEXT_MESSAGE =
  'the text holds a redaction marker ([redacted:…]): it stands for a secret that you cannot see, and writing it would destroy that secret. Change the parts around it instead, with a smaller edit.';
