import { Monospace } from '../text/monospace';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';

export interface ModelPriceRow {
  readonly model: string;
  /** USD per million tokens. */
  readonly price: { readonly input: number; readonly cachedInput: number; readonly output: number };
  readonly own: boolean;
}

interface ModelPricesProps {
  readonly rows: readonly ModelPriceRow[];
  readonly asOf: string;
  readonly defaultModel: string | null;
}

export function ModelPrices({ rows, asOf, defaultModel }: ModelPricesProps) {
  return (
    <Card title="Prices" labelledBy="prices" flush aside={<span className="text-xs text-ink-faint">USD per million tokens, as of {asOf}</span>}>
      <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label="Prices of models">
        <table className="w-full text-sm">
          <caption className="sr-only">Prices of models in USD per million tokens</caption>
          <thead>
            <tr className="border-b border-line text-left text-xs text-ink-faint">
              <th scope="col" className="px-4 py-2 font-medium">Model</th>
              <th scope="col" className="px-3 py-2 text-right font-medium">Input</th>
              <th scope="col" className="px-3 py-2 text-right font-medium">Cached</th>
              <th scope="col" className="px-4 py-2 text-right font-medium">Output</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ model, price, own }) => (
              <tr key={model}>
                <th scope="row" className="px-4 py-1.5 text-left font-normal">
                  <Monospace text={model} />
                  {model === defaultModel ? <Badge tone="active" className="ml-2">default</Badge> : null}
                  {own ? <Badge className="ml-2">from your file</Badge> : null}
                </th>
                <td className="px-3 py-1.5 text-right">{price.input}</td>
                <td className="px-3 py-1.5 text-right">{price.cachedInput}</td>
                <td className="px-4 py-1.5 text-right">{price.output}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
