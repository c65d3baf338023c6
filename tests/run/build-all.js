// Makes every build that a test of `npm test` runs.
import { makeBuilds } from './builds.js';

await makeBuilds('application', 'library', 'static');
