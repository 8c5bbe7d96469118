/** How each state of a tool call looks. */
import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CircleX,
  Hand,
  ShieldX,
  SquareTerminal,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import type { CallStatus } from '@/lib/domain/tool-call';
import type { Tone } from '../../ui/tone';

export interface CallLook {
  readonly icon: LucideIcon;
  readonly word: string;
  /** Said where the outcome needs more than its word. */
  readonly meaning: string | null;
  readonly tone: Tone;
  readonly moving: boolean;
}

export const CALL_LOOK: Readonly<Record<CallStatus, CallLook>> = {
  proposed: { icon: CircleDashed, word: 'proposed', meaning: null, tone: 'neutral', moving: false },
  waiting_for_approval: { icon: Hand, word: 'waits for approval', meaning: 'Nothing of it has happened yet.', tone: 'warn', moving: false },
  ready: { icon: SquareTerminal, word: 'ready', meaning: null, tone: 'neutral', moving: false },
  running: { icon: CircleDot, word: 'running', meaning: null, tone: 'active', moving: true },
  completed: { icon: CircleCheck, word: 'done', meaning: null, tone: 'good', moving: false },
  failed: { icon: CircleX, word: 'failed', meaning: null, tone: 'bad', moving: false },
  denied: { icon: ShieldX, word: 'denied', meaning: 'It was not run.', tone: 'warn', moving: false },
  withdrawn: { icon: Undo2, word: 'withdrawn', meaning: 'The run ended before it began; it was not run.', tone: 'neutral', moving: false },
  unknown: {
    icon: CircleHelp,
    word: 'outcome unknown',
    meaning: 'It was in flight when its worker stopped. It may or may not have had its effect, and it is not repeated by itself.',
    tone: 'doubt',
    moving: false,
  },
};
