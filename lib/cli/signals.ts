/**
 * SIGINT and SIGTERM: the first asks for an end that is true, the second ends the
 * process at once. Until somebody listens, the first is remembered.
 */
import { SIGNAL_EXIT } from './exit-code';

export type SignalName = keyof typeof SIGNAL_EXIT;

export interface Signals {
  /** The first that came. */
  readonly received: SignalName | null;
  /** Calls `ask` with the first signal, at once where it has come already. @returns stops asking. */
  onFirst(ask: (signal: SignalName) => void): () => void;
}

interface SignalSource {
  on(signal: SignalName, heard: () => void): unknown;
}

/** @param exit ends the process now, whatever is under way. */
export function listenToSignals(source: SignalSource, exit: (code: number) => void): Signals {
  let received: SignalName | null = null;
  const asking = new Set<(signal: SignalName) => void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    source.on(signal, () => {
      if (received !== null) {
        exit(SIGNAL_EXIT[signal]);
        return;
      }
      received = signal;
      for (const ask of asking) ask(signal);
    });
  }
  return {
    get received() {
      return received;
    },
    onFirst(ask) {
      if (received !== null) ask(received);
      else asking.add(ask);
      return () => asking.delete(ask);
    },
  };
}
