// For `node --import`: a clock that jumps ahead. It is two days ahead while the file CLOCK_FILE exists.
import { existsSync } from 'node:fs';

const ahead = 2 * 24 * 60 * 60 * 1000;
const file = process.env.CLOCK_FILE ?? '';
const now = Date.now;

Date.now = () => now() + (existsSync(file) ? ahead : 0);
