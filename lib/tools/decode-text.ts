/** Bytes that are text, or the fact that they are not. A BOM stays in the text: what is written back must hold it. */
export type Decoded = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'binary'; readonly bytes: number };

/** NUL or invalid UTF-8 anywhere makes a file binary: replacement characters would be written back as such. */
export function decodeText(bytes: Uint8Array): Decoded {
  if (bytes.includes(0)) return { kind: 'binary', bytes: bytes.length };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'binary', bytes: bytes.length };
  }
}

export function describeBinary(binary: { readonly bytes: number }): string {
  return `binary file, ${binary.bytes} bytes`;
}
