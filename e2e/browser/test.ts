/** The tests' own `test`: pages of the stack, runs of scripts, and a console that must stay silent. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import pg from 'pg';
import { stack, type Stack } from './stack';

export interface ScriptEntry {
  readonly text?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly delay_ms?: number;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

export interface Runs {
  /** Submits a run that replays `script`, in a workspace of its own. @returns its id. */
  start(script: readonly ScriptEntry[], more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** The API with the admin's token, or another. */
  api(path: string, options?: { readonly method?: string; readonly body?: unknown; readonly token?: string }): Promise<Response>;
  /** Waits until the run rests. */
  ended(runId: string): Promise<void>;
  query(sql: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

let made = 0;

export const test = base.extend<{ pilothouse: Stack; runs: Runs; noise: string[] }>({
  pilothouse: async ({}, use) => use(stack()),
  baseURL: async ({}, use) => use(stack().url),
  runs: async ({}, use) => {
    const { url, adminToken, dataDirectory, databaseUrl } = stack();
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const api: Runs['api'] = (to, { method = 'GET', body, token = adminToken } = {}) =>
      fetch(`${url}/api/v1${to}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    await use({
      api,
      async start(script, more = {}) {
        const workspace = path.join(dataDirectory, 'workspaces', `test-${process.pid}-${(made += 1)}`);
        // Beside the workspace: what an agent edits must not be what it is told by.
        const scriptFile = `${workspace}.script.json`;
        mkdirSync(workspace, { recursive: true });
        writeFileSync(path.join(workspace, 'notes.txt'), 'Some notes.\n');
        writeFileSync(scriptFile, JSON.stringify(script));
        const body = { task: 'A task of a test', workspace, model: `scripted:${scriptFile}`, ...more };
        const answer = await api('/runs', { method: 'POST', body });
        const run = (await answer.json()) as { readonly id?: string };
        if (run.id === undefined) throw new Error(`not submitted: ${JSON.stringify(run)}`);
        return run.id;
      },
      async ended(runId) {
        for (let waited = 0; waited < 60_000; waited += 100) {
          const run = (await (await api(`/runs/${runId}`)).json()) as { readonly ended_at?: string };
          if (run.ended_at !== undefined) return;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        throw new Error(`${runId} did not end`);
      },
      query: async (sql, ...values) => (await pool.query<Record<string, unknown>>(sql, [...values])).rows,
    });
    await pool.end();
  },
  /** What a page complains about: errors in its console, and dialogs that a page of ours never opens. */
  noise: [
    async ({ context }, use) => {
      const noise: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error') noise.push(message.text());
      });
      context.on('weberror', (error) => noise.push(String(error.error())));
      context.on('dialog', (dialog) => {
        noise.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await use(noise);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

/** The events that a run's page shows in its Events part, by their number. */
export async function shownEvents(page: Page): Promise<number[]> {
  await page.getByRole('tab', { name: 'Events' }).click();
  return page.locator('summary').filter({ has: page.locator('span.text-right') }).evaluateAll((rows) => rows.map((row) => Number(row.firstElementChild?.textContent)));
}
