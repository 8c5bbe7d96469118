import { CircleDashed, FlaskConical, FlaskConicalOff, ShieldCheck, ShieldX, type LucideIcon } from 'lucide-react';
import type { Completion } from '@/lib/domain/run/completion';
import type { Tone } from '../../ui/tone';

interface VerificationLook {
  readonly icon: LucideIcon;
  readonly word: string;
  readonly tone: Tone;
}

export const VERIFICATION_LOOK: Readonly<Record<Completion['verification']['state'], VerificationLook>> = {
  passed: { icon: ShieldCheck, word: 'Passed', tone: 'good' },
  failed: { icon: ShieldX, word: 'Did not pass', tone: 'bad' },
  not_run: { icon: CircleDashed, word: 'Not run', tone: 'neutral' },
  not_configured: { icon: FlaskConicalOff, word: 'Not configured', tone: 'neutral' },
};

export const VERIFYING: VerificationLook = { icon: FlaskConical, word: 'Running', tone: 'active' };
