/** Tools with a ledger of their effects: what really happened, whatever anybody recorded. */
import type { SandboxMode, Tool, ToolContext, ToolOutcome, ToolPort } from '@/lib/agent/ports';
import type { JsonValue } from '@/lib/domain/json';
import type { CallEffect } from '@/lib/domain/tool-call';

export interface FakeTool {
  readonly effect?: CallEffect;
  readonly countsAsWrite?: boolean;
  /** What `prepare` refuses with, or throws when it is an Error. */
  readonly refuses?: { readonly code: string; readonly message: string } | Error;
  readonly execute?: (args: JsonValue, context: ToolContext) => ToolOutcome | Promise<ToolOutcome>;
}

export interface FakeTools extends ToolPort {
  /** Every execution that began, with the arguments it got. */
  readonly ledger: { readonly name: string; readonly args: JsonValue }[];
}

export const completed = (output: string, of: Partial<Extract<ToolOutcome, { kind: 'completed' }>> = {}): ToolOutcome => ({
  kind: 'completed',
  output,
  truncated: false,
  ...of,
});

export function fakeTools(
  tools: Readonly<Record<string, FakeTool>>,
  { journal = [], sandbox = 'bubblewrap', real = [] }: { readonly journal?: string[]; readonly sandbox?: SandboxMode; readonly real?: readonly Tool[] } = {},
): FakeTools {
  const ledger: FakeTools['ledger'] = [];
  const made = Object.entries(tools).map(([name, of]): Tool => ({
    description: { name, description: name, parameters: { type: 'object' } },
    effect: of.effect ?? 'none',
    countsAsWrite: of.countsAsWrite ?? false,
    prepare(args) {
      if (of.refuses instanceof Error) throw of.refuses;
      if (of.refuses !== undefined) return { ok: false, ...of.refuses };
      return {
        ok: true,
        subject: {},
        async execute(context) {
          journal.push(`begin ${name}`);
          ledger.push({ name, args });
          const outcome = (await of.execute?.(args, context)) ?? completed('ok');
          journal.push(`end ${name}`);
          return outcome;
        },
      };
    },
  }));
  const all = new Map([...made, ...real].map((tool) => [tool.description.name, tool]));
  return { ledger, sandbox, descriptions: [...all.values()].map(({ description }) => description), find: (name) => all.get(name) };
}
