/** How each state of a run looks. A state without an icon, a word and a sign does not compile. */
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  ClipboardX,
  Hourglass,
  MessageCircleQuestionMark,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { RunStatus } from '@/lib/domain/run/status';
import type { Tone } from '../ui/tone';

export interface StatusLook {
  readonly icon: LucideIcon;
  readonly word: string;
  /** For titles of pages and tabs. */
  readonly sign: string;
  readonly tone: Tone;
  readonly moving: boolean;
}

export const STATUS_LOOK: Readonly<Record<RunStatus, StatusLook>> = {
  queued: { icon: CircleDashed, word: 'Queued', sign: '○', tone: 'neutral', moving: false },
  running: { icon: CircleDot, word: 'Running', sign: '●', tone: 'active', moving: true },
  waiting: { icon: Hourglass, word: 'Waiting', sign: '◌', tone: 'warn', moving: false },
  cancelling: { icon: CircleSlash, word: 'Cancelling', sign: '◍', tone: 'warn', moving: true },
  succeeded: { icon: CircleCheck, word: 'Succeeded', sign: '✓', tone: 'good', moving: false },
  verification_failed: { icon: ClipboardX, word: 'Verification failed', sign: '✗', tone: 'bad', moving: false },
  blocked: { icon: MessageCircleQuestionMark, word: 'Blocked', sign: '■', tone: 'warn', moving: false },
  paused: { icon: CirclePause, word: 'Paused', sign: '‖', tone: 'warn', moving: false },
  failed: { icon: CircleX, word: 'Failed', sign: '✗', tone: 'bad', moving: false },
  cancelled: { icon: Ban, word: 'Cancelled', sign: '–', tone: 'neutral', moving: false },
  interrupted: { icon: Unplug, word: 'Interrupted', sign: '?', tone: 'doubt', moving: false },
};
