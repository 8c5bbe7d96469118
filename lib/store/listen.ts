export interface Listener {
  /**
   * Calls `wake` when the run may have changed; with null after a reconnect, when
   * anything may have. A wake is a hint: the tables are the truth.
   * @returns ends the subscription.
   */
  subscribe(runId: string | 'all', wake: (runId: string | null) => void): () => void;
  /** Resolves when the first connection listens, or rejects when it cannot be made. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export function listen(_url: string): Listener {
  throw new Error('not built yet');
}
