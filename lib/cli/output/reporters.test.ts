import { describe, expect, test } from 'vitest';
import type { EphemeralEvent } from '@/lib/agent/ports';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import type { RunView } from '@/lib/queries/show-run';
import { play, request, respond, running, write } from '@/lib/testing/play-run';
import { jsonReporter } from './json-reporter';
import { plainReporter } from './plain-reporter';
import type { TextOutput } from './text-output';

function screen(isTerminal: boolean, backlog = 0) {
  let text = '';
  const output: TextOutput = {
    write: (more) => {
      text += more;
    },
    isTerminal,
    columns: 80,
    backlog,
    flushed: () => Promise.resolve(),
  };
  return { output, text: () => text };
}

const delta = (request_id: `req_${string}`, text: string): EphemeralEvent => ({ type: 'model.delta', payload: { request_id, kind: 'text', offset: 0, text } });

const ENDED: RunView = {
  id: 'run_1',
  status: 'succeeded',
  exit_code: 0,
  task: 'x',
  project: 'prj_1',
  created_by: 'local',
  workspace: '/w',
  session_id: 'ses_1',
  turn_id: 'trn_1',
  task_id: 'tsk_1',
  generation: 1,
  model: 'm',
  last_seq: 9,
  created_at: '2030-01-01T00:00:00.000Z',
  terminal: { succeeded: {} },
  writes_applied: false,
  writes_unknown: 0,
  effects: { commands: 0, external: 0 },
  done: { work: 'no', verified: 'not_configured', delivered: 'yes' },
  objections: [],
  verification: { state: 'not_configured' },
  final_text: 'All \u001B[31mdone.\n',
  usage: NO_OTHERS.usage,
  tool_calls: NO_OTHERS.tool_calls,
};

describe('plain output', () => {
  test('without a terminal: whole lines on stderr, the answer alone on stdout, no escape anywhere', () => {
    const [out, err] = [screen(false), screen(false)];
    const reporter = plainReporter({ out: out.output, err: err.output, env: {}, program: 'pilothouse' });
    reporter.ephemeral('run_1', delta('req_1', 'I wr'));
    reporter.events('run_1', play(running(), request('1'), respond('1', { text: 'I write.', calls: [write('1', { arguments: { path: 'a' } })] })).events);
    reporter.ended(ENDED, { resumable: false });
    expect(out.text()).toBe('All done.\n');
    expect(err.text().split('\n').slice(0, 2)).toEqual(['I write.', '────']);
    expect(err.text()).not.toContain('\u001B');
  });

  test('on a terminal the text appears as it comes, and is not said twice', () => {
    const [out, err] = [screen(true), screen(true)];
    const reporter = plainReporter({ out: out.output, err: err.output, env: { NO_COLOR: '1' }, program: 'pilothouse' });
    const played = play(running(), request('1'), respond('1', { text: 'All done.' }));
    reporter.events('run_1', played.events.slice(0, -2));
    reporter.ephemeral('run_1', delta('req_1', 'All \u001B[2J'));
    reporter.ephemeral('run_1', delta('req_1', 'done.'));
    reporter.events('run_1', played.events.slice(-2));
    reporter.ended({ ...ENDED, final_text: 'All \u001B[2Jdone.' }, { resumable: false });
    expect(out.text()).toBe('');
    expect(err.text()).toBe(
      `▸ scripted is asked …\r\u001B[2KAll done.\n────\n${err.text().slice(err.text().indexOf('status'))}`,
    );
  });
});

describe('--json', () => {
  test('leaves pieces of streams out while the reader is behind, and no event ever', () => {
    const { events } = running();
    const slow = screen(false, 2_000_000);
    const reporter = jsonReporter(slow.output);
    reporter.ephemeral('run_1', delta('req_1', 'lost'));
    reporter.events('run_1', events);
    expect(slow.text().trimEnd().split('\n')).toHaveLength(events.length);
    const quick = screen(false);
    jsonReporter(quick.output).ephemeral('run_1', delta('req_1', 'seen'));
    expect(quick.text()).toContain('"seen"');
  });
});
