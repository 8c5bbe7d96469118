'use client';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { isTerminal } from '@/lib/domain/run/status';
import type { RunPageView } from '@/lib/queries/run-page';
import { count } from '../text/amounts';
import { ButtonLink } from '../ui/button-link';
import { Notice } from '../ui/notice';
import { Tabs } from '../ui/tabs';
import { signalsOf } from './live/signals';
import { LivePiecesContext } from './live/use-live-text';
import { useRun } from './live/use-run';
import { OutcomePanel } from './outcome/outcome-panel';
import { ChangesPanel } from './panels/changes-panel';
import { FactsPanel } from './panels/facts-panel';
import { PlanPanel } from './panels/plan-panel';
import { RawPanel } from './panels/raw-panel';
import { ToldPanel } from './panels/told-panel';
import { UsageFigures } from './panels/usage-figures';
import { UsagePanel } from './panels/usage-panel';
import { RunHeader } from './run-header';
import type { RunTab } from './run-tab';
import { STATUS_LOOK } from './status-look';
import { plainTitle } from './task-title';
import { Timeline } from './timeline/timeline';
import { Card } from '../ui/card';

interface RunIslandProps {
  readonly view: RunPageView;
  readonly sandbox: string;
  readonly canCancel: boolean;
  readonly canAct: boolean;
  readonly firstTab: RunTab;
}

/** The page of a run: whole as the server renders it, and live from there on. */
export function RunIsland({ view, sandbox, canCancel, canAct, firstTab }: RunIslandProps) {
  const run = useRun(view);
  const { cache } = run;
  const { state } = cache;
  const live = !isTerminal(state.status);
  const signals = signalsOf(cache, view.others);
  const [tab, setTab] = useTab(firstTab);
  const path = usePathname();

  const look = STATUS_LOOK[state.status];
  // The tab of the browser says how it stands while one works elsewhere.
  useEffect(() => {
    document.title = `${look.sign} ${plainTitle(view.run.task)} · Pilothouse`;
  }, [look, view.run.task]);

  return (
    <LivePiecesContext value={run.pieces}>
      <div className="grid gap-5">
        <RunHeader view={view} cache={cache} feedState={run.feedState} canCancel={canCancel} />
        {/* What changed, once, for those who do not see it: never the stream of tokens. */}
        <p role="status" className="sr-only">
          {look.word}
        </p>
        {run.feedState === 'signed_out' && live ? (
          <Notice tone="bad" title="You are signed out">
            <p>This page is as it was. Sign in again to go on from here.</p>
            <ButtonLink href={`/sign-in?callbackUrl=${encodeURIComponent(path)}`} size="small" className="mt-2">
              Sign in
            </ButtonLink>
          </Notice>
        ) : null}
        {(run.feedState === 'offline' || run.feedState === 'reconnecting') && live ? (
          <Notice tone="warn" title={run.feedState === 'offline' ? 'No network' : 'The connection was lost'}>
            This page is as it was a moment ago. It goes on by itself, and nothing is missed.
          </Notice>
        ) : null}
        <OutcomePanel
          cache={cache}
          others={view.others}
          around={{ parentRunId: view.run.parent_run_id, latestRun: view.latestRun, unreconciled: view.unreconciled }}
          canAct={canAct}
        />
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_19rem]">
          <Tabs
            label="Parts of the run"
            value={tab}
            onChange={(value) => setTab(value as RunTab)}
            tabs={[
              { value: 'timeline', label: 'Timeline', content: <Timeline run={run} earlierCalls={view.earlierCalls} /> },
              { value: 'changes', label: 'Changes', content: <ChangesPanel runId={view.run.id} seq={state.seq} live={live} /> },
              {
                value: 'usage',
                label: (
                  <>
                    Usage <Count value={cache.requests.length} />
                  </>
                ),
                content: <UsagePanel usage={signals.usage} requests={cache.requests} />,
              },
              {
                value: 'told',
                label: (
                  <>
                    Told <Count value={cache.told.length} />
                  </>
                ),
                content: <ToldPanel told={cache.told} />,
              },
              { value: 'events', label: 'Events', content: <RawPanel runId={view.run.id} events={cache.events} /> },
            ]}
          />
          <aside aria-label="About this run" className="grid gap-4 md:grid-cols-2 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:grid-cols-1 xl:overflow-y-auto">
            <PlanPanel plan={state.plan} />
            <Card title="Usage of the turn" labelledBy="usage">
              <UsageFigures usage={signals.usage} />
            </Card>
            <FactsPanel view={view} sandbox={sandbox} />
          </aside>
        </div>
      </div>
    </LivePiecesContext>
  );
}

const Count = ({ value }: { readonly value: number }) => (value === 0 ? null : <span className="text-xs text-ink-faint">{count(value)}</span>);

/** The chosen part is in the address, so that a reload and a link show it again. */
function useTab(first: RunTab): readonly [RunTab, (tab: RunTab) => void] {
  const [tab, setTab] = useState(first);
  const choose = (next: RunTab): void => {
    setTab(next);
    const url = new URL(location.href);
    if (next === 'timeline') url.searchParams.delete('tab');
    else url.searchParams.set('tab', next);
    url.hash = '';
    history.replaceState(null, '', url);
  };
  return [tab, choose];
}
