/**
 * Where OpenAI-compatible endpoints differ in what they accept. Known by host;
 * everything else gets the plain form that nearly all accept.
 */
export interface Dialect {
  /** OpenAI's newer models refuse `max_tokens`; most others know nothing else. */
  readonly outputLimitField: 'max_tokens' | 'max_completion_tokens';
  /**
   * Whether an assistant message with calls carries its reasoning back. Off, since
   * reasoning is no part of the conversation; DeepSeek thinks by default and refuses
   * (400) a message with calls that lacks the field, even where it is empty.
   */
  readonly returnsReasoning: boolean;
}

export function dialectOf(baseUrl: string): Dialect {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return {
    outputLimitField: isWithin(host, 'openai.com') || isWithin(host, 'openai.azure.com') ? 'max_completion_tokens' : 'max_tokens',
    returnsReasoning: isWithin(host, 'deepseek.com'),
  };
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
