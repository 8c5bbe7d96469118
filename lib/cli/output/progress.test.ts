import { describe, expect, test } from 'vitest';
import { command, done, outcome, play, request, respond, running, start, write } from '@/lib/testing/play-run';
import type { Played } from '@/lib/testing/play-run';
import { Progress } from './progress';

const shown = (played: Played): string[] => {
  const progress = new Progress();
  return played.events.flatMap((event) => progress.take(event)).map(({ text }) => text);
};

describe('progress', () => {
  test('a tool call is one line: name, main argument, outcome, duration', () => {
    const played = play(
      running(),
      request('1'),
      respond('1', { calls: [command('1', { arguments: { command: 'node --test\n' } }), write('2', { arguments: { path: 'a.txt', content: 'x' } })] }),
      start('1'),
      done('1', { exitCode: 1 }),
      start('2'),
      outcome('2', { kind: 'failed', code: 'read_only', message: 'the workspace is read-only' }),
    );
    expect(shown(played)).toEqual([
      '✓ run_command node --test · done · exit 1 · 0 ms',
      '✗ write_file a.txt · failed · 0 ms: read_only: the workspace is read-only',
    ]);
  });

  test('what a model or a tool says moves no cursor and adds no line', () => {
    const played = play(
      running(),
      request('1'),
      respond('1', { text: 'look \u001B[2J here', calls: [write('1', { name: 'x\u001B]0;t\u0007y', arguments: { path: 'a\r\nb\u001B[1A' } })] }),
      start('1'),
      outcome('1', { kind: 'unknown', reason: 'gone\n\u001B[31m' }),
    );
    expect(shown(played)).toEqual(['look  here', '? xy a b · unknown · 0 ms: gone']);
  });

  test('the answer is left to stdout', () => {
    expect(shown(play(running(), request('1'), respond('1', { text: 'the answer' })))).toEqual([]);
  });

  test('says what is going on until it has ended', () => {
    const progress = new Progress();
    const played = play(running(), request('1'), respond('1', { calls: [command('1', { arguments: { command: 'sleep 1' } })] }), start('1'), done('1'));
    const activities = played.events.map((event) => {
      progress.take(event);
      return progress.activity;
    });
    expect(activities.filter((activity, index) => activity !== activities[index - 1])).toEqual([
      null,
      'scripted is asked …',
      null,
      'run_command sleep 1 …',
      null,
    ]);
  });
});
