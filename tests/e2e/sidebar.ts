import type { Page } from '@playwright/test';
import type { SiteGroup } from '#api/site.ts';

/** Opens a page of the sidebar, and first the group that contains it. */
export async function openFromSidebar(page: Page, group: SiteGroup, name: string): Promise<void> {
	const sidebar = page.getByRole('navigation', { name: 'Main' });
	const link = sidebar.getByRole('link', { name, exact: true });
	if (!(await link.isVisible())) await sidebar.locator('summary', { hasText: group }).press('Enter');
	await link.press('Enter');
}
