/** What one `delta` or `message` adds: text, reasoning, and pieces of calls. */
import { fieldsOf, isPresent, listOf, textOf } from './json-fields';
import type { CallPiece } from './assemble-calls';

export interface Pieces {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallPiece[];
}

export function readPieces(part: Readonly<Record<string, unknown>> | null): Pieces {
  if (part === null) return { text: '', reasoning: '', calls: [] };
  const content = readContent(part['content']);
  return {
    // A refusal is what the model said visibly, in another field.
    text: content.text + (textOf(part['refusal']) ?? ''),
    // The two fields hold the same where an endpoint sends both.
    reasoning: textOf(part['reasoning_content']) ?? textOf(part['reasoning']) ?? content.reasoning,
    calls: listOf(part['tool_calls']).flatMap(readCallPiece),
  };
}

/** Mistral's reasoning models send a list of parts in place of a string. */
function readContent(content: unknown): { readonly text: string; readonly reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  let text = '';
  let reasoning = '';
  for (const part of listOf(content).map(fieldsOf)) {
    text += textOf(part?.['text']) ?? '';
    reasoning += readContent(part?.['thinking']).text;
  }
  return { text, reasoning };
}

function readCallPiece(value: unknown): CallPiece[] {
  const piece = fieldsOf(value);
  if (piece === null) return [];
  const named = fieldsOf(piece['function']);
  const given = named?.['arguments'];
  return [
    {
      index: typeof piece['index'] === 'number' ? piece['index'] : undefined,
      id: textOf(piece['id']),
      name: textOf(named?.['name']),
      // Some local servers send the object itself.
      arguments: typeof given === 'string' ? given : isPresent(given) ? JSON.stringify(given) : '',
    },
  ];
}
