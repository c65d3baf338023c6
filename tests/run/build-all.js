// Makes every build that a test runs.
import { makeBuilds } from './builds.js';

await makeBuilds('application', 'cli', 'library', 'static');
