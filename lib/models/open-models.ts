/**
 * Which model answers a run: its settings name one, the configuration says where it is.
 * A scripted name says itself which file it replays (domain/model-name.ts).
 */
import type { ModelPort } from '@/lib/agent/ports';
import type { Configuration } from '@/lib/config/environment';
import { isScripted, scriptOf } from '@/lib/domain/model-name';
import type { ModelPrice } from '@/lib/domain/usage';
import { listPrices, loadPrices, PRICES_AS_OF, priceOf, type ListedPrice } from './prices';
import { openModel } from './registry';
import { loadScript } from './script';
import { FREE, scriptedModel } from './scripted';

export interface Models {
  /** What cannot be opened is a model whose every request fails and says why. */
  readonly modelFor: (model: string) => ModelPort;
  readonly price: (model: string) => ModelPrice | null;
  /** One line for a person; no key in it. */
  readonly describe: () => string;
  readonly catalog: () => ModelCatalog;
}

/** What a person can choose from, and what it costs. */
export interface ModelCatalog {
  /** An endpoint is configured: models by name are answered by it. */
  readonly endpoint: boolean;
  /** What a run uses that names no model. */
  readonly defaultModel: string | null;
  readonly description: string;
  readonly prices: readonly ListedPrice[];
  /** When the built-in prices were read: year and month. */
  readonly pricesAsOf: string;
}

export interface ModelsOptions {
  readonly configuration: Configuration;
  /** Instead of OPENAI_BASE_URL. */
  readonly baseUrl?: string;
}

/** @throws ConfigurationError when PILOTHOUSE_PRICES cannot be read. */
export function openModels({ configuration, baseUrl }: ModelsOptions): Models {
  const { model } = configuration;
  const prices = model.pricesFile === undefined ? new Map<string, ModelPrice>() : loadPrices(model.pricesFile);
  const endpoint = openModel({
    apiKey: model.apiKey,
    baseUrl: baseUrl ?? model.baseUrl,
    model: model.name,
    idleSeconds: model.idleSeconds,
    prices,
  });
  const scripts = new Map<string, ModelPort>();
  const scripted = (file: string): ModelPort => {
    const known = scripts.get(file);
    if (known !== undefined) return known;
    const loaded = loadScript(file);
    const port = loaded.ok ? scriptedModel(loaded.script, prices) : scriptedModel([], prices, loaded.message);
    scripts.set(file, port);
    return port;
  };
  return {
    modelFor: (name) => {
      const script = scriptOf(name);
      return script === null ? endpoint : scripted(script);
    },
    // By its name alone: what a script costs is known before it is read.
    price: (name) => priceOf(name, prices) ?? (isScripted(name) ? FREE : null),
    describe: () => endpoint.describe(),
    catalog: () => ({
      endpoint: endpoint.kind === 'openai_compatible',
      defaultModel: model.name ?? null,
      description: endpoint.describe(),
      prices: listPrices(prices),
      pricesAsOf: PRICES_AS_OF,
    }),
  };
}
