/**
 * Puts the pieces of tool calls together. Pieces belong together by `index`; the
 * first non-empty id and the first non-empty name stand and are never added to
 * (endpoints repeat them, or send "" later); arguments are added up as they come.
 */
import type { RequestedCall } from '@/lib/agent/ports';

export interface CallPiece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
}

export interface CallAssembly {
  add(piece: CallPiece): void;
  /** In order of index. Arguments that never came are `{}`. */
  requested(): readonly RequestedCall[];
}

interface OpenCall {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

export function assembleCalls(): CallAssembly {
  const open = new Map<number, OpenCall>();
  let lastIndex = -1;

  /** Without an index a known id continues its call, a new id begins one, and no id continues the last. */
  const indexOf = (piece: CallPiece): number => {
    if (piece.index !== undefined) return piece.index;
    if (piece.id === undefined) return Math.max(lastIndex, 0);
    for (const [index, call] of open) if (call.id === piece.id) return index;
    return open.size === 0 ? 0 : Math.max(...open.keys()) + 1;
  };

  return {
    add(piece) {
      const index = indexOf(piece);
      const call = open.get(index) ?? { id: undefined, name: undefined, arguments: '' };
      open.set(index, call);
      lastIndex = index;
      call.id ??= piece.id;
      call.name ??= piece.name;
      call.arguments += piece.arguments;
    },
    requested: () =>
      [...open]
        .sort(([left], [right]) => left - right)
        .filter(([, call]) => call.id !== undefined || call.name !== undefined || call.arguments !== '')
        .map(([, call]) => ({
          providerCallId: call.id ?? '',
          name: call.name ?? '',
          arguments: call.arguments === '' ? '{}' : call.arguments,
        })),
  };
}
