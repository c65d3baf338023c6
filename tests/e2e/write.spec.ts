import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const form = `const response = await fetch(config.tokenUrl, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code', code, redirect_uri: config.redirectUri,
    client_id: config.id, client_secret: config.secret, code_verifier: verifier
  })
});
const tokens = await response.json();
if (!response.ok) throw new Error(tokens.error);
return tokens;`;
const json = form
	.replace('body: new URLSearchParams({', "headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({")
	.replace('verifier\n  })', 'verifier\n  })');

/** Writes into the function that the exercise is about. The editor opens at its first line that is empty. */
async function write(page: Page, body: string): Promise<void> {
	await page.keyboard.press('Alt+2');
	await page.keyboard.insertText(body);
}

async function runAndAllow(page: Page): Promise<void> {
	await page.keyboard.press('Control+Enter');
	const allow = page.frameLocator('iframe[title^="Page in"]').getByRole('button', { name: 'Allow' });
	// No script of a page runs in the frame, though it is not closed to scripts.
	await allow.evaluate(({ ownerDocument }) => {
		const script = ownerDocument.createElement('script');
		script.textContent = 'parent.document.title = "A script has run"';
		ownerDocument.body.append(script);
	});
	await expect(page).not.toHaveTitle('A script has run');
	// CSS zoom moves the place where Playwright clicks.
	await allow.press('Enter');
}

/** Runs a program in place of the one in the editor, and expects what the console says in the end. */
async function expectOutput(page: Page, body: string, output: string): Promise<void> {
	await page.keyboard.press('Alt+2');
	await page.keyboard.press('Control+A');
	await page.keyboard.insertText(`export async function signIn() {\n${body}\n}`);
	await page.keyboard.press('Control+Enter');
	const last = page.getByRole('log', { name: 'Console' }).locator('p').last();
	await expect(last).toContainText(output, { timeout: 20_000 });
	await expect(page.getByRole('button', { name: 'Run' })).toBeVisible();
}

test('an exercise names a near miss at its line, and is passed by the solution', async ({ page }) => {
	await page.goto('/write');
	await page
		.getByRole('link', { name: /Exchange the code/ })
		.first()
		.click();
	const editor = page.getByRole('textbox', { name: 'client.ts', exact: true });
	await expect(editor).toBeVisible();
	await write(page, json);
	await runAndAllow(page);
	await expect(page.getByText('Near miss: a JSON body')).toBeVisible();
	const rejected = page.getByRole('row', { name: /POST token/ });
	await expect(rejected).toContainText('400');
	await expect(rejected.getByRole('button', { name: /^line \d+$/ })).toBeVisible();
	await expect(page.locator('.cm-marked.error').first()).toBeVisible();
	await expectAccessible(page);
	await page.keyboard.press('Alt+2');
	await page.keyboard.press('Alt+Enter');
	// A mark is that of a finding, and leads to its condition.
	await expect(page.locator('[data-condition] button:focus')).toHaveCount(1);
	await page.keyboard.press('Alt+2');
	await page.keyboard.press('Escape');
	await expect(page.getByText('Tab leaves the editor now.')).toBeAttached();
	await page.keyboard.press('Tab');
	await expect(editor).not.toBeFocused();
	await page.getByRole('button', { name: 'Undo' }).click();
	await write(page, form);
	await runAndAllow(page);
	await expect(page.getByText('All conditions are met.').first()).toBeVisible();
	await page.getByRole('button', { name: 'Compare with the solution' }).click();
	// Both programs run once more with a code that the service rejects.
	const ofSolution = page.getByRole('row', { name: /Solution · POST token/ });
	await expect(ofSolution.first()).toContainText('200');
	await expect(ofSolution.nth(1)).toContainText('400');
	await page.getByRole('button', { name: 'Back to my code' }).click();
	expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
	await page.reload();
	await expect(editor).toContainText('URLSearchParams');
	await page.getByRole('link', { name: 'Leave' }).click();
	await expect(page.getByRole('link', { name: /Exchange the code.*Done/ })).toBeVisible();
});

test('a hostile program reaches nothing, and is stopped with a sentence', async ({ page }) => {
	await page.goto('/write/exchange-the-code');
	await expect(page.getByRole('textbox', { name: 'client.ts', exact: true })).toBeVisible();
	const tries = {
		indexedDB: 'indexedDB.open("x")',
		caches: 'await caches.keys()',
		network: `await fetch("${new URL(page.url()).origin}.example/")`,
		module: 'await import("data:text/javascript,export default 1")',
		worker: 'new Worker("blob:x")',
		page: 'parent.document.cookie'
	};
	const attempts = Object.entries(tries).map(([name, code]) => `try { ${code}; reached.push('${name}'); } catch { }`);
	const program = `const reached: string[] = [];\n${attempts.join('\n')}\nreturn reached;`;
	await expectOutput(page, program, 'Your client returned []');
	await expectOutput(page, 'for (;;) {}', 'ran for 5 seconds without a pause');
	await expectOutput(page, 'for (let at = 0; at < 100000; at++) console.log(at);', 'more than 1,000 lines');
	const flood = 'for (let at = 0; at < 2000; at++) fetch("https://a.example/").catch(() => undefined);';
	await expectOutput(page, `${flood} await new Promise(() => {});`, 'more than 1,000 requests');
	await expectOutput(page, 'return (;', 'closing parenthesis');
});
