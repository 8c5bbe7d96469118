import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { ModelPrices } from '@/components/settings/model-prices';
import { Monospace } from '@/components/text/monospace';
import { Notice } from '@/components/ui/notice';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage() {
  const { system } = await pageCall('/settings/models');
  const { endpoint, defaultModel, description, prices, pricesAsOf } = system.modelCatalog();
  return (
    <div className="grid gap-5">
      {endpoint ? (
        <Notice tone="good" title="An endpoint is configured">
          <p>
            Runs are answered by <Monospace text={description} />.{' '}
            {defaultModel === null ? 'No default model is named: each run must name its own (PILOTHOUSE_MODEL).' : ''}
          </p>
        </Notice>
      ) : (
        <Notice tone="warn" title="No model endpoint is configured">
          <p>
            Only the scripted model answers, which is enough for the sample task. Set <Monospace text="OPENAI_API_KEY" /> and{' '}
            <Monospace text="PILOTHOUSE_MODEL" />, and <Monospace text="OPENAI_BASE_URL" /> for any other OpenAI-compatible endpoint, and start
            Pilothouse again. Keys are read from the environment; they are neither stored nor shown.
          </p>
        </Notice>
      )}
      <ModelPrices rows={prices} asOf={pricesAsOf} defaultModel={defaultModel} />
      <p className="text-xs text-ink-faint">
        A model that is not listed has no known price: its cost is shown as unknown, never as nothing, and a limit in USD is refused for it. More
        prices come from the file that <Monospace text="PILOTHOUSE_PRICES" /> names.
      </p>
    </div>
  );
}
