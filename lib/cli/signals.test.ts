import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { listenToSignals } from './signals';

const listening = () => {
  const source = new EventEmitter();
  const exits: number[] = [];
  return { source, exits, signals: listenToSignals(source, (code) => exits.push(code)) };
};

describe('signals', () => {
  test('the first asks, the second ends at once with 128 + its number', () => {
    const { source, exits, signals } = listening();
    const asked: string[] = [];
    signals.onFirst((signal) => asked.push(signal));
    source.emit('SIGINT');
    expect([asked, exits]).toEqual([['SIGINT'], []]);
    source.emit('SIGTERM');
    expect([asked, exits]).toEqual([['SIGINT'], [143]]);
  });

  test('one that came before anybody listened is not lost', () => {
    const { source, signals } = listening();
    source.emit('SIGTERM');
    const asked: string[] = [];
    signals.onFirst((signal) => asked.push(signal));
    expect([asked, signals.received]).toEqual([['SIGTERM'], 'SIGTERM']);
  });
});
