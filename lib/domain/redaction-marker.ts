/**
 * What stands where a secret stood. Pure and in the domain, because tools must
 * know it too: a file written with a marker in it would lose the secret for good.
 */

const MARKER = /\[redacted:[a-z0-9-]{1,40}\]/;

/** The marker for a secret of that kind; kinds are lower-case words with dashes. */
export function redactionMarker(kind: string): string {
  return `[redacted:${kind}]`;
}

/** Does the text hold a marker, so that it is not the original any more? */
export function containsRedactionMarker(text: string): boolean {
  return text.includes('[redacted:') && MARKER.test(text);
}
