'use client';
import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { Dialog } from '../../ui/dialog';
import { setShortcuts, shortcutsAreOn } from './shortcuts-setting';
import type { TimelineKey } from './use-timeline-keys';

const MEANING: Readonly<Record<TimelineKey, string>> = {
  n: 'Next failure',
  p: 'Previous failure',
  f: 'Show only what failed',
  o: 'Oldest or newest first',
  l: 'Pause the live view, or go on',
  e: 'To the end of the log',
};

export function ShortcutsDialog() {
  const [open, setOpen] = useState(false);
  const [on, setOn] = useState(true);
  useEffect(() => setOn(shortcutsAreOn()), [open]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button size="small" look="quiet" onClick={() => setOpen(true)} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">
        <Keyboard aria-hidden />
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts" description="They act anywhere on the page but in a field.">
        <dl className="grid gap-2">
          {[...Object.entries(MEANING), ['?', 'This list'] as const].map(([key, meaning]) => (
            <div key={key} className="flex items-center gap-3">
              <dt>
                <kbd className="inline-block min-w-6 rounded-sm border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-mono text-xs">{key}</kbd>
              </dt>
              <dd className="text-ink">{meaning}</dd>
            </div>
          ))}
        </dl>
        <Checkbox
          id="shortcuts-on"
          className="mt-4"
          label="Use single-key shortcuts"
          checked={on}
          onChange={(event) => {
            setOn(event.target.checked);
            setShortcuts(event.target.checked);
          }}
        />
      </Dialog>
    </>
  );
}
