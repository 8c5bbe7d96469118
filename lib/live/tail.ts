/**
 * Server side of live views: run logs and project lists, read from the tables and woken
 * by NOTIFY. A stream opened here gives its place back when its signal fires.
 */
import type { ProjectId, RunId } from '@/lib/domain/id';
import { signalFrame, type Frame } from './frame';
import { merge, type Source } from './tail/merge';
import { ProjectChannel } from './tail/project-channel';
import { RunChannel, type LiveSource } from './tail/run-channel';
import { watchRun, type Frames } from './tail/watch-run';
import { watchTree } from './tail/watch-tree';

export type { Bounds, LiveSource } from './tail/run-channel';
export type { Frames } from './tail/watch-run';

export interface TailRequest {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** The last seq that the reader has seen. */
  readonly after: number;
  readonly signal: AbortSignal;
}

export interface Topics {
  readonly projectId: ProjectId;
  readonly runs: readonly { readonly runId: RunId; readonly after: number }[];
  /** Changes of any run of the project (`runs.changed`). */
  readonly project: boolean;
  readonly signal: AbortSignal;
}

/** One a process (`system.live`). Holds no connection of its own and costs nothing while nobody watches. */
export interface Live {
  /** The stream of one run by contract.md §5. Resolves with null where the project has no such run. */
  tail(request: TailRequest): Promise<Frames | null>;
  /** With the runs below it (`?tree=true`); ids are cursors as `formatCursors` writes them, `after` those that a reader has seen. */
  tailTree(request: Omit<TailRequest, 'after'> & { readonly after: ReadonlyMap<RunId, number> }): Promise<Frames | null>;
  /** Any number of runs and the project's list in one stream (`GET /api/v1/stream`): events without ids, and signals. */
  multiplex(topics: Topics): Frames;
  /** How many channels are open: none when everybody has gone. */
  channels(): number;
}

export function createLive(source: LiveSource): Live {
  const runs = new Map<string, RunChannel>();
  const project = new ProjectChannel(source);

  const tail = ({ projectId, runId, after, signal }: TailRequest): Promise<Frames | null> => {
    const ref = { projectId, runId };
    // By project too: who asks in the wrong one must not spoil the channel for the others.
    const key = `${projectId} ${runId}`;
    const join = (): RunChannel => {
      const open = runs.get(key);
      if (open !== undefined) return open;
      const made = new RunChannel(source, ref, () => runs.delete(key));
      runs.set(key, made);
      return made;
    };
    return watchRun({ source, ref, after, signal, join });
  };

  async function* multiplex({ projectId, runs: wanted, project: wholeProject, signal }: Topics): Frames {
    const watched = await Promise.all(
      wanted.map(async ({ runId, after }) => ({ runId, after, frames: await tail({ projectId, runId, after, signal }) })),
    );
    const sources = watched.flatMap(({ runId, after, frames }): Source[] =>
      frames === null ? [] : [sourceOf(runId, after, frames)],
    );
    // Before it is said to be open: a reader then leaves the stream that it had before.
    if (wholeProject) sources.push({ frames: project.watch(projectId, signal), ended: () => [] });
    const unknown = watched.filter(({ frames }) => frames === null);
    yield [
      ...unknown.map(({ runId }) => signalFrame('run.unknown', { run_id: runId })),
      signalFrame('stream.open', { runs: watched.filter(({ frames }) => frames !== null).map(({ runId }) => runId) }),
    ];
    return yield* merge(sources);
  }

  const tailTree: Live['tailTree'] = ({ projectId, runId, after, signal }) => watchTree(source, { projectId, runId }, after, signal);

  return { tail, tailTree, multiplex, channels: () => runs.size + project.watchers };
}

/** An id would be one run's cursor where every run has its own: there the reader keeps them. */
function sourceOf(runId: RunId, after: number, frames: Frames): Source {
  let seq = after;
  async function* withoutIds(): Frames {
    for (;;) {
      const { done, value } = await frames.next();
      if (done === true) return value;
      for (const { id } of value) if (id !== undefined) seq = Number(id);
      yield value.map(({ data }): Frame => ({ data }));
    }
  }
  return { frames: withoutIds(), ended: () => [signalFrame('run.ended', { run_id: runId, seq })] };
}
