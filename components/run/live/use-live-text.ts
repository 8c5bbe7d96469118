'use client';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { LivePieces, type LiveText } from './live-pieces';

export const LivePiecesContext = createContext<LivePieces>(new LivePieces());

const NOTHING: LiveText = { text: '', incomplete: false };

/** What streams of a request or a call at this moment. */
export function useLiveText(id: string, kind: 'text' | 'reasoning' | 'output'): LiveText {
  const pieces = useContext(LivePiecesContext);
  return useSyncExternalStore(
    pieces.subscribe,
    () => pieces.read(`${id}:${kind}`),
    () => NOTHING,
  );
}
