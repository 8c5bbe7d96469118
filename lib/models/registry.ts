/** Which model a configuration means. */
import type { ModelPort } from '@/lib/agent/ports';
import { OPENAI_BASE_URL } from './endpoint';
import { openAiCompatibleModel } from './openai-compatible';
import type { PriceTable } from './prices';
import type { Script } from './script';
import { scriptedModel } from './scripted';

export interface ModelSettings {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The model's name, for `describe` only: each request names its own. */
  readonly model?: string | undefined;
  readonly idleSeconds?: number | undefined;
  readonly prices?: PriceTable | undefined;
  /** What the scripted model replays when no endpoint is configured. */
  readonly script?: Script | undefined;
}

export interface OpenedModel extends ModelPort {
  readonly kind: 'openai_compatible' | 'scripted';
  /** One line for a person: what answers, and where. Holds no key. */
  describe(): string;
}

/** A key or an address means an OpenAI-compatible endpoint; without both, the scripted model. */
export function openModel(settings: ModelSettings): OpenedModel {
  if (isGiven(settings.apiKey) || isGiven(settings.baseUrl)) {
    const baseUrl = isGiven(settings.baseUrl) ? settings.baseUrl : OPENAI_BASE_URL;
    const port = openAiCompatibleModel({ ...settings, baseUrl });
    return { ...port, kind: 'openai_compatible', describe: () => `${settings.model ?? 'a model'} at ${addressOf(baseUrl)}` };
  }
  const script = settings.script ?? [];
  const port = scriptedModel(
    script,
    settings.prices,
    settings.script === undefined ? 'No model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL.' : '',
  );
  return { ...port, kind: 'scripted', describe: () => 'the scripted model (no endpoint is configured)' };
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** Without user, password and query, which may hold secrets. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'an address that is not valid';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
