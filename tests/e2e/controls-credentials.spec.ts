import { endCredentials } from './console-journeys.ts';
import { test } from './fixtures.ts';

test('the owner of a sandbox ends a token and revokes a grant by keyboard', ({ page }) => endCredentials(page));
