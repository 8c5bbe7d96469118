import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const script = [
  { text: 'I look.\n```js\nconst a = 1;\n```', reasoning: 'Why not.', tool_calls: [
    { name: 'update_plan', arguments: { items: [{ text: 'Look', status: 'completed' }, { text: 'Ask', status: 'in_progress' }, { text: 'Skip', status: 'dropped' }] } },
    { name: 'read_file', arguments: { path: 'missing.txt' } },
    { name: 'write_file', arguments: { path: 'new.txt', content: 'one\ntwo\n' } },
    { name: 'run_command', arguments: { command: 'echo out; exit 2' } },
  ], usage: { input_tokens: 1_000, output_tokens: 20 } },
  { tool_calls: [{ name: 'report_blocker', arguments: { kind: 'missing_authority', summary: 'No key.', evidence: [{ kind: 'observation', summary: 'None is here' }], question: 'Which key?', choices: ['this', 'that'] } }] },
];

for (const colours of ['light', 'dark'] as const) {
  test(`no page hinders anybody, in ${colours}`, async ({ page, runs, browser, pilothouse }) => {
    test.setTimeout(180_000);
    const runId = await runs.start(script, { task: 'Look, write, run and ask', verifier: 'false' });
    await runs.ended(runId);
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
    const addresses = [
      '/', '/runs', '/runs?q=nothing+of+the+kind', '/runs/new', `/runs/${runId}`, `/runs/${runId}?tab=changes`, `/runs/${runId}?tab=usage`, `/runs/${runId}?tab=told`,
      `/runs/${runId}?tab=events`, '/settings/models', '/settings/tokens', '/settings/people', '/settings/profile', '/runs/nothing',
    ];
    const found: string[] = [];
    const check = async (at: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      for (const each of violations) found.push(`${at}: ${each.id}: ${each.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(' | ')}`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wider > 0) found.push(`${at}: ${wider} px wider than the screen`);
    };
    for (const address of addresses) {
      await page.goto(address);
      await expect(page.getByRole('main')).toBeVisible();
      if (address.endsWith('changes')) await expect(page.getByRole('figure').first()).toBeVisible();
      await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
      await check(address);
    }
    await page.goto(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await check('the list of shortcuts');

    const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, colorScheme: colours });
    const anonymous = await context.newPage();
    await anonymous.goto(`${pilothouse.url}/sign-in`);
    const { violations } = await new AxeBuilder({ page: anonymous }).withTags(RULES).analyze();
    found.push(...violations.map((each) => `/sign-in: ${each.id}`));
    await context.close();
    expect(found).toEqual([]);
  });
}
