/** The API of a control plane elsewhere (contract.md §5), as the command line uses it. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { makeId } from '@/lib/domain/id';
import type { ControlPlaneAddress } from './choose-control-plane';
import { ControlPlaneError } from './control-plane-error';
import { readAnswer, refusalOf, strange } from './read-answer';

export interface Question<T> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly body?: unknown;
  /** Makes a request that changes something safe to repeat. */
  readonly commandId?: string;
}

export interface ControlPlane {
  readonly url: string;
  /** Asks, and again where nothing answers: each question is safe to repeat. @throws ControlPlaneError */
  ask<T>(question: Question<T>): Promise<{ readonly status: number; readonly value: T }>;
  /** The stream of a run from beyond `after`. @throws ControlPlaneError */
  openStream(runId: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

const ANSWER_MS = 30_000;
const PAUSES_MS = [250, 1_000];

export function connect({ url, token }: ControlPlaneAddress): ControlPlane {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      // A redirect could carry the token to another place.
      const response = await fetch(`${url}${path}`, { ...init, redirect: 'manual', headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` } });
      if (response.status < 300 || response.status >= 400) return response;
    } catch (error) {
      throw away(url, error);
    }
    throw strange(url);
  };
  const askOnce = async <T>({ method, path, schema, body, commandId }: Question<T>) => {
    const response = await send(path, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(commandId === undefined ? {} : { 'idempotency-key': commandId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    try {
      return { status: response.status, value: await readAnswer(response, url, schema) };
    } catch (error) {
      throw error instanceof ControlPlaneError ? error : away(url, error);
    }
  };
  return {
    url,
    async ask(question) {
      for (const pause of PAUSES_MS) {
        try {
          return await askOnce(question);
        } catch (error) {
          if (!isAway(error)) throw error;
          await sleep(pause);
        }
      }
      return askOnce(question);
    },
    async openStream(runId, after, signal) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), ANSWER_MS);
      try {
        const response = await send(`/api/v1/runs/${runId}/events`, {
          signal: AbortSignal.any([signal, late.signal]),
          headers: { accept: 'text/event-stream', ...(after === 0 ? {} : { 'last-event-id': String(after) }) },
        });
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
        if (response.ok && isStream && response.body !== null) return response.body;
        throw response.ok ? strange(url) : refusalOf(response.status, await response.json().catch(() => undefined), url);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

export const isAway = (error: unknown): boolean => error instanceof ControlPlaneError && error.failure.kind === 'away';

/** By its code alone: the message of a failed request may hold what was sent. */
export function away(url: string, error: unknown): ControlPlaneError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return new ControlPlaneError({ kind: 'away' }, `the control plane at ${url} cannot be reached${code}`, 'Check PILOTHOUSE_URL or --url, and whether it runs.');
}

/** Of a command that nobody named. */
export const newCommandId = (): string => makeId('cmd', Date.now(), () => randomInt(2 ** 32) / 2 ** 32);
